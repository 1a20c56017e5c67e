import { type Guard, type GuardFile, loadGuard, type RuleStatus } from '../guard/index.js';
import type { Trace } from '../trace/index.js';
import { followTrace } from './followTrace.js';

/** What a guard finds about one rule in one trace. Steps count from 0. */
export interface RuleReplay {
  /**
   * The first step whose prefix no continuation can repair; the number of steps where only the end of a complete trace breaks
   * the rule; null if nothing does. Of a PCTL rule: the first step at which what the rule bounds has happened, counted from any
   * step of the trace; after a complete trace the path goes on in `end`, where every predicate is false.
   */
  violatedAt: number | null;
  /** The first step with a risk at the threshold (of any level), or with an unknown state or another fault. */
  firstIntervention: number | null;
  /** The largest risk before `violatedAt`; 1 where it was unknown, 0 where there is no step. */
  maxRisk: number;
}

/** What a guard finds in one trace, rule by rule. */
export interface TraceReplay {
  readonly id: string;
  readonly steps: number;
  readonly rules: Readonly<Record<string, RuleReplay>>;
}

/** Totals of one rule: `unknown` counts steps, the others traces. */
export interface RuleTotals {
  violations: number;
  /** Violated, and the first intervention came before. */
  predicted: number;
  /** Violated and not predicted. */
  missed: number;
  /** Not violated, yet an intervention. */
  falseAlarms: number;
  /** Steps decided by `onUnknown`. */
  unknown: number;
  /** Mean over `predicted` of the steps from the first intervention to the violation; null if there are none. */
  meanStepsAhead: number | null;
  /** The same in seconds; null also where one of those steps has no time. The end of a trace has its last step's time. */
  meanSecondsAhead: number | null;
}

/** What a guard finds in recorded traces, and the totals of each rule. */
export interface Replay {
  readonly traces: readonly TraceReplay[];
  readonly totals: Readonly<Record<string, RuleTotals>>;
}

/**
 * What a guard would have found on recorded traces. It only records: traces go on after an intervention as they were, and
 * strategies play no part.
 *
 * @param guard a guard file, or a guard, which is reset before and after.
 * @throws as `loadGuard` does, for a file
 */
export async function replay(
  guard: Guard | GuardFile,
  traces: AsyncIterable<Trace> | Iterable<Trace>,
): Promise<Replay> {
  const loaded = 'stepInto' in guard ? guard : await loadGuard(guard);
  const totals = loaded.rules.map(() => new Totals());
  const replayed: TraceReplay[] = [];
  for await (const trace of traces) {
    const { rules, unknown } = replayTrace(loaded, trace);
    rules.forEach((rule, r) => {
      totals[r].add(rule, unknown, trace);
    });
    replayed.push({ id: trace.id, steps: trace.steps.length, rules: byName(loaded, rules) });
  }
  loaded.reset();
  return {
    traces: replayed,
    totals: byName(
      loaded,
      totals.map((total) => total.result()),
    ),
  };
}

function byName<T>(guard: Guard, values: readonly T[]): Record<string, T> {
  return Object.fromEntries(guard.rules.map(({ name }, r) => [name, values[r]]));
}

function replayTrace(guard: Guard, trace: Trace): { rules: RuleReplay[]; unknown: number } {
  const rules = guard.rules.map(
    (): RuleReplay => ({ violatedAt: null, firstIntervention: null, maxRisk: 0 }),
  );
  const { unknown, violatedAtEnd } = followTrace(guard, trace, (r, step, status, violated) => {
    record(rules[r], step, status, violated);
  });
  rules.forEach((rule, r) => {
    if (violatedAtEnd[r]) rule.violatedAt ??= trace.steps.length;
  });
  return { rules, unknown };
}

function record(rule: RuleReplay, step: number, { reason, risk }: RuleStatus, violated: boolean): void {
  if (violated) rule.violatedAt ??= step;
  if (reason !== 'below-threshold') rule.firstIntervention ??= step;
  if (rule.violatedAt === null) rule.maxRisk = Math.max(rule.maxRisk, risk);
}

class Totals {
  #violations = 0;
  #predicted = 0;
  #falseAlarms = 0;
  #unknown = 0;
  #stepsAhead = 0;
  #secondsAhead = 0;

  add({ violatedAt, firstIntervention }: RuleReplay, unknown: number, { steps }: Trace): void {
    this.#unknown += unknown;
    if (violatedAt === null) {
      if (firstIntervention !== null) this.#falseAlarms++;
      return;
    }
    this.#violations++;
    if (firstIntervention === null || firstIntervention >= violatedAt) return;
    this.#predicted++;
    this.#stepsAhead += violatedAt - firstIntervention;
    const violationTime = steps[Math.min(violatedAt, steps.length - 1)].time ?? Number.NaN;
    this.#secondsAhead += violationTime - (steps[firstIntervention].time ?? Number.NaN);
  }

  result(): RuleTotals {
    const predicted = this.#predicted;
    const timed = predicted > 0 && !Number.isNaN(this.#secondsAhead);
    return {
      violations: this.#violations,
      predicted,
      missed: this.#violations - predicted,
      falseAlarms: this.#falseAlarms,
      unknown: this.#unknown,
      meanStepsAhead: predicted > 0 ? this.#stepsAhead / predicted : null,
      meanSecondsAhead: timed ? this.#secondsAhead / predicted : null,
    };
  }
}
