import { Readability, type Unread } from '../../observations/abstraction/index.js';
import type { Trace } from '../../observations/trace/index.js';
import { explainRule } from '../../runtime/explanation/index.js';
import { type Decision, type Guard, type GuardFile, loadGuard } from '../../runtime/guard/index.js';
import { type AlarmCause, AlarmCauses } from './alarmCauses.js';
import { kindOf } from './alarms.js';
import { DriftRecord, type DriftReplay } from './driftReplay.js';
import { followTrace } from './followTrace.js';
import { RuleReads, type UnreadRule } from './ruleReads.js';
import { RuleRecord, type RuleReplay } from './ruleReplay.js';
import { type RuleTotals, Totals } from './ruleTotals.js';
import { checkThresholds, hasTradeOff, TRADE_OFF_THRESHOLDS } from './tradeOff.js';

/** What a guard finds in one trace, rule by rule. */
export interface TraceReplay {
  readonly id: string;
  /** Steps of the recording. */
  readonly steps: number;
  /** Steps that nobody recorded: held by whoever sampled the recording, and then among `steps`, or by the guard, which reads them beside these. */
  readonly held: number;
  /** How many of `steps` came before their time and were left out, and how many messages their reader left out beside them (`leftOutMessages` of the trace). */
  readonly leftOut: number;
  /** Which of `steps` were left out. */
  readonly leftOutSteps: readonly number[];
  readonly rules: Readonly<Record<string, RuleReplay>>;
}

/** What a guard finds in recorded traces, and the totals of each rule. */
export interface Replay {
  readonly traces: readonly TraceReplay[];
  /** At how many steps the guard, all rules taken together, decided what. */
  readonly decisions: Readonly<Partial<Record<Decision, number>>>;
  readonly totals: Readonly<Record<string, RuleTotals>>;
  /** Rules whose predicates could be read in no step, so that their totals say nothing. */
  readonly unread: readonly UnreadRule[];
  /** On request: why the guard intervened, each cause once. */
  readonly causes?: readonly AlarmCause[];
  /** Where the guard watches drift: whether the traces, one after the other, behave as the data. Traces that are the data tell nothing. */
  readonly drift?: DriftReplay;
}

/** What a replay is asked for. */
export interface ReplayOptions {
  /** Also say in words why each alarm began, why rules were violated, and how they stood at the first intervention. Default false. */
  readonly explain?: boolean;
  /** Risks to try as a threshold beside each rule's own, in [0, 1]. Default 0.01, 0.02, 0.05, 0.1, 0.2, …, 0.9, 0.95, 1. */
  readonly thresholds?: readonly number[];
}

/**
 * What a guard decides along recorded traces: at each step just what the same guard decides at run time, steps that it cannot judge by `onUnknown`, too. It only
 * records: traces go on after an intervention as they were.
 *
 * @param guard a guard file, or a guard, which is reset before and after.
 * @throws as `loadGuard` does, for a file; InvalidArgumentError for a threshold that is no probability
 */
export async function replay(
  guard: Guard | GuardFile,
  traces: AsyncIterable<Trace> | Iterable<Trace>,
  options: ReplayOptions = {},
): Promise<Replay> {
  const { explain = false, thresholds = TRADE_OFF_THRESHOLDS } = options;
  checkThresholds(thresholds);
  const loaded = 'stepInto' in guard ? guard : await loadGuard(guard);
  const { file } = loaded;
  const run = new ReplayRun(loaded, explain);
  const replayed: TraceReplay[] = [];
  let drift: DriftReplay | null = null;
  try {
    for await (const trace of traces) replayed.push(run.replay(trace));
  } finally {
    drift = run.drift.close();
    loaded.reset();
  }
  return {
    traces: replayed,
    decisions: run.decisions,
    totals: byName(
      loaded,
      run.totals.map((total, r) =>
        total.result(file.rules[r].levels, hasTradeOff(file, r) ? thresholds : null),
      ),
    ),
    unread: run.reads.flatMap((reads) => reads.result() ?? []),
    ...(explain && { causes: run.causes.all() }),
    ...(drift !== null && { drift }),
  };
}

function byName<T>(guard: Guard, values: readonly T[]): Record<string, T> {
  return Object.fromEntries(guard.rules.map(({ name }, r) => [name, values[r]]));
}

/** Takes a guard along one trace after the other. */
class ReplayRun {
  readonly drift: DriftRecord;
  readonly totals: readonly Totals[];
  readonly reads: readonly RuleReads[];
  readonly causes = new AlarmCauses();
  readonly #readability: Readability;
  readonly decisions: Partial<Record<Decision, number>> = {};
  readonly #guard: Guard;
  readonly #explain: boolean;

  constructor(guard: Guard, explain: boolean) {
    this.#guard = guard;
    this.#explain = explain;
    this.drift = new DriftRecord(guard);
    this.#readability = new Readability(guard.file.predicates);
    this.totals = guard.rules.map(() => new Totals());
    this.reads = guard.rules.map((_, r) => new RuleReads(guard.file, r));
  }

  replay(trace: Trace): TraceReplay {
    const guard = this.#guard;
    const { file } = guard;
    const records = guard.rules.map(() => new RuleRecord());
    const notJudged = this.#notJudged(trace);
    const why = records.map((_, r) => this.#whyOf(r));
    /** The step of the trace that each observation of the guard is: it does not count those that come before their time. */
    const places: number[] = [];
    const placeOf = (observation: number): number =>
      places[observation] ?? places[places.length - 1] + observation - (places.length - 1);
    const start = trace.steps[0]?.time ?? Number.NaN;
    const secondsOf = (observation: number): number =>
      (trace.steps[places[observation]]?.time ?? Number.NaN) - start;
    const explained = (r: number, ended = false): string | null =>
      explainRule(guard, guard.rules[r].name, { ended, numberOf: placeOf, secondsOf })?.text ?? null;
    this.causes.begin();
    const { verdicts, last, held, leftOut } = followTrace(guard, trace, (followed) => {
      const { index, result, repeated, violatedAt } = followed;
      places[result.step] ??= index;
      this.decisions[result.decision] = (this.decisions[result.decision] ?? 0) + 1;
      this.drift.note(trace.id, index);
      records.forEach((record, r) => {
        if (notJudged[r] !== undefined) return;
        const status = guard.rules[r];
        // What a shield makes of all rules, such as that nothing is permitted, is told of the rule that decided.
        const isWinner = result.rule === status.name && result.reason !== 'drift';
        const decided = isWinner ? result : status;
        if (!repeated) {
          this.reads[r].add(guard.observation, trace.id, index);
          if (status.fault !== null) this.totals[r].addUnknown(status.fault);
        }
        const wasBroken = record.violation !== null;
        const begins = record.add(followed, trace.steps[index], status, decided, violatedAt[r]);
        if (begins && this.#explain) this.#addCause(r, decided, trace.id, index);
        if (why[r] === null) return;
        if (!wasBroken && record.violation !== null) why[r].whyViolated = explained(r);
        if (record.firstIntervention === index) why[r].whyIntervened ??= explained(r);
      });
    });
    const rules = records.map((record, r): RuleReplay => {
      const unread = notJudged[r];
      if (unread !== undefined) return this.totals[r].leaveOut(unread);
      if (verdicts[r] === 'violated' && record.violatedAt === null) {
        record.breakAtEnd(trace.steps.length, last);
        if (why[r] !== null) why[r].whyViolated = explained(r, true);
      }
      const found = record.result(verdicts[r], trace.complete ?? true, file.decideOn === 'confidenceUpper');
      this.totals[r].add(found, record);
      return { ...found, ...why[r] };
    });
    return {
      id: trace.id,
      steps: trace.steps.length,
      held: held + (trace.heldSteps ?? 0),
      leftOut: leftOut.length + (trace.leftOutMessages ?? 0),
      leftOutSteps: leftOut,
      rules: byName(guard, rules),
    };
  }

  /** By rule, the predicate that cannot be read for lack of a field that the recording does not tell. */
  #notJudged(trace: Trace): (Unread | undefined)[] {
    const unread = this.#readability.unread(trace);
    return this.#guard.file.rules.map(({ automaton, monitor }) =>
      (monitor ?? automaton).predicates.map((name) => unread.get(name)).find((found) => found !== undefined),
    );
  }

  #addCause(
    r: number,
    { decision, reason }: { decision: Decision; reason: AlarmCause['reason'] },
    trace: string,
    step: number,
  ): void {
    const { name, cause } = this.#guard.rules[r];
    const text = this.#guard.explainStatus(name);
    this.causes.add({ rule: name, kind: kindOf(cause), reason, decision, text }, trace, step);
  }

  /** What is said of rule number r in words; null where nothing is. */
  #whyOf(r: number): { whyViolated: string | null; whyIntervened: string | null } | null {
    return this.#explain && this.#guard.file.rules[r].evaluation === 'trace'
      ? { whyViolated: null, whyIntervened: null }
      : null;
  }
}
