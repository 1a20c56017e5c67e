import { explainRule } from '../explanation/index.js';
import { type Guard, type GuardFile, loadGuard, type RuleStatus } from '../guard/index.js';
import type { Trace } from '../trace/index.js';
import { DriftRecord, type DriftReplay } from './driftReplay.js';
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
  /**
   * Of a guard that decides on confidence bounds: which of the two upper bounds the risk was at the first intervention; null where there is
   * none.
   */
  decidedOn?: 'upper' | 'confidenceUpper' | null;
  /** The largest risk before `violatedAt`; 1 where it was unknown, 0 where there is no step. */
  maxRisk: number;
  /** On request: in words, what broke the rule; null where nothing did. PCTL rules, which have no verdict on a run, lack it. */
  whyViolated?: string | null;
  /** On request: in words, how the rule stood at the first intervention. */
  whyIntervened?: string | null;
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
  /** Where the guard watches drift: whether the traces, one after the other, behave as the data. Traces that are the data tell nothing. */
  readonly drift?: DriftReplay;
}

/**
 * What a guard would have found on recorded traces. It only records: traces go on after an intervention as they were, and
 * strategies play no part.
 *
 * @param guard a guard file, or a guard, which is reset before and after.
 * @param options.explain also say in words why rules were violated, and how they stood at the first intervention; default false.
 * @throws as `loadGuard` does, for a file
 */
export async function replay(
  guard: Guard | GuardFile,
  traces: AsyncIterable<Trace> | Iterable<Trace>,
  options: { readonly explain?: boolean } = {},
): Promise<Replay> {
  const loaded = 'stepInto' in guard ? guard : await loadGuard(guard);
  const totals = loaded.rules.map(() => new Totals());
  const replayed: TraceReplay[] = [];
  const record = new DriftRecord(loaded);
  let drift: DriftReplay | null = null;
  try {
    for await (const trace of traces) {
      const { rules, unknown } = replayTrace(loaded, trace, options.explain === true, record);
      rules.forEach((rule, r) => {
        totals[r].add(rule, unknown, trace);
      });
      replayed.push({ id: trace.id, steps: trace.steps.length, rules: byName(loaded, rules) });
    }
  } finally {
    drift = record.close();
    loaded.reset();
  }
  return {
    traces: replayed,
    totals: byName(
      loaded,
      totals.map((total) => total.result()),
    ),
    ...(drift !== null && { drift }),
  };
}

function byName<T>(guard: Guard, values: readonly T[]): Record<string, T> {
  return Object.fromEntries(guard.rules.map(({ name }, r) => [name, values[r]]));
}

function replayTrace(
  guard: Guard,
  trace: Trace,
  explain: boolean,
  drift: DriftRecord,
): { rules: RuleReplay[]; unknown: number } {
  const rules = guard.rules.map(
    (_, r): RuleReplay => ({
      violatedAt: null,
      firstIntervention: null,
      maxRisk: 0,
      ...(guard.file.decideOn === 'confidenceUpper' && { decidedOn: null }),
      ...(explain && guard.file.rules[r].evaluation === 'trace'
        ? { whyViolated: null, whyIntervened: null }
        : {}),
    }),
  );
  const why = (r: number, ended = false): string | null =>
    explainRule(guard, guard.rules[r].name, { ended })?.text ?? null;
  const { unknown, violatedAtEnd } = followTrace(guard, trace, (r, step, status, violated) => {
    if (r === 0) drift.note(trace.id, step);
    const rule = rules[r];
    record(rule, step, status, violated);
    if (rule.whyViolated === undefined) return;
    if (rule.violatedAt === step) rule.whyViolated = why(r);
    if (rule.firstIntervention === step) rule.whyIntervened = why(r);
  });
  rules.forEach((rule, r) => {
    if (!violatedAtEnd[r] || rule.violatedAt !== null) return;
    rule.violatedAt = trace.steps.length;
    if (rule.whyViolated !== undefined) rule.whyViolated = why(r, true);
  });
  return { rules, unknown };
}

function record(
  rule: RuleReplay,
  step: number,
  { reason, risk, decidedOn }: RuleStatus,
  violated: boolean,
): void {
  if (violated) rule.violatedAt ??= step;
  if (reason !== 'below-threshold' && rule.firstIntervention === null) {
    rule.firstIntervention = step;
    if (rule.decidedOn === null) rule.decidedOn = decidedOn;
  }
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
