import { Readability, type Unread } from '../../observations/abstraction/index.js';
import type { Step, Trace } from '../../observations/trace/index.js';
import { explainRule } from '../../runtime/explanation/index.js';
import {
  type Decision,
  type Guard,
  type GuardFile,
  type GuardStep,
  loadGuard,
  messagesOf,
} from '../../runtime/guard/index.js';
import { type AlarmCause, AlarmCauses } from './alarmCauses.js';
import { kindOf } from './alarms.js';
import { DriftRecord, type DriftReplay } from './driftReplay.js';
import { followTrace } from './followTrace.js';
import { RuleReads, type UnreadRule } from './ruleReads.js';
import { RuleRecord, type RuleReplay } from './ruleReplay.js';
import { type RuleTotals, Totals } from './ruleTotals.js';
import { checkThresholds, hasTradeOff, TRADE_OFF_THRESHOLDS } from './tradeOff.js';

/** The findings of a guard in one trace, rule by rule. */
export interface TraceReplay {
  readonly id: string;
  /** Steps of the recording. */
  readonly steps: number;
  /** Steps that were not recorded: held by the recording's sampler, and then included in `steps`, or held by the guard in addition to `steps`. */
  readonly held: number;
  /** How many of `steps` came before their time and were left out, and how many messages their reader left out beside them (`leftOutMessages` of the trace). */
  readonly leftOut: number;
  /** Which of `steps` were left out. */
  readonly leftOutSteps: readonly number[];
  readonly rules: Readonly<Record<string, RuleReplay>>;
}

/** The findings of a guard in recorded traces, and the totals of each rule. */
export interface Replay {
  readonly traces: readonly TraceReplay[];
  /** The number of steps at which the guard, over all rules, made each decision. */
  readonly decisions: Readonly<Partial<Record<Decision, number>>>;
  /** How many steps were let through (`allow` or `report`) although a predicate could not be read, and the first of them; absent if there are none. */
  readonly allowedUnread?: {
    readonly steps: number;
    readonly first: { readonly trace: string; readonly step: number; readonly predicate: string };
  };
  readonly totals: Readonly<Record<string, RuleTotals>>;
  /** Rules whose predicates could be read in no step, so that their totals mean nothing. */
  readonly unread: readonly UnreadRule[];
  /** On request: the causes of interventions, each once. */
  readonly causes?: readonly AlarmCause[];
  /** If the guard watches drift: whether the traces, in sequence, behave as the data. The training data themselves are no evidence. */
  readonly drift?: DriftReplay;
}

/** Options of a replay. */
export interface ReplayOptions {
  /** Also explain in words why each alarm began, why rules were violated, and their state at the first intervention. Default false. */
  readonly explain?: boolean;
  /** Risks to try as a threshold beside each rule's own, in [0, 1]. Default 0.01, 0.02, 0.05, 0.1, 0.2, …, 0.9, 0.95, 1. */
  readonly thresholds?: readonly number[];
}

/**
 * Replays a guard along recorded traces. At each step it decides exactly as at run time, including `onUnknown` for steps that it cannot
 * judge. It only records: traces continue after an intervention as they were.
 *
 * @param guard a guard file, or a guard, which is reset before and after the replay.
 * @throws as `loadGuard` does, for a file; InvalidArgumentError for a threshold that is not a probability
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
    ...(run.allowedUnread !== null && { allowedUnread: run.allowedUnread }),
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

/** Runs a guard along one trace after the other. */
class ReplayRun {
  readonly drift: DriftRecord;
  readonly totals: readonly Totals[];
  readonly reads: readonly RuleReads[];
  readonly causes = new AlarmCauses();
  readonly #readability: Readability;
  readonly decisions: Partial<Record<Decision, number>> = {};
  allowedUnread: NonNullable<Replay['allowedUnread']> | null = null;
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
    /** The index in the trace of each observation of the guard, which does not count early steps. */
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
      if (!repeated) this.#countUnread(result, trace.id, index);
      this.drift.note(trace.id, index);
      records.forEach((record, r) => {
        if (notJudged[r] !== undefined) return;
        const status = guard.rules[r];
        // A decision of the shield over all rules, such as that nothing is permitted, is attributed to the deciding rule.
        const isWinner = result.ruleOfStrategy === status.name && result.reason !== 'drift';
        const decided = isWinner ? result : status;
        if (!repeated) {
          this.reads[r].add(guard.observation, trace.id, index);
          if (status.fault !== null) this.totals[r].addUnknown(status.fault);
        }
        const wasBroken = record.violation !== null;
        const { decision, reason } = decided;
        const made = { decision, reason, kind: kindOf(status, file.rules[r].levels) };
        const begins = record.add(followed, trace.steps[index], status, made, violatedAt[r]);
        if (begins && this.#explain) this.#addCause(r, made, trace.id, index);
        if (why[r] === null) return;
        if (!wasBroken && record.violation !== null) why[r].whyViolated = explained(r);
        if (record.firstIntervention === index)
          why[r].whyIntervened ??= this.#intervention(explained(r), decided, r, trace.steps[index]);
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

  #countUnread({ decision, predicate }: GuardStep, trace: string, step: number): void {
    if (predicate === null || (decision !== 'allow' && decision !== 'report')) return;
    const { steps, first } = this.allowedUnread ?? { steps: 0, first: { trace, step, predicate } };
    this.allowedUnread = { steps: steps + 1, first };
  }

  /** For each rule, the predicate that cannot be read because the recording lacks a field. */
  #notJudged(trace: Trace): (Unread | undefined)[] {
    const unread = this.#readability.unread(trace);
    return this.#guard.file.rules.map(({ automaton, monitor }) =>
      (monitor ?? automaton).predicates.map((name) => unread.get(name)).find((found) => found !== undefined),
    );
  }

  #addCause(
    r: number,
    made: Pick<AlarmCause, 'decision' | 'reason' | 'kind'>,
    trace: string,
    step: number,
  ): void {
    const { name } = this.#guard.rules[r];
    this.causes.add({ rule: name, ...made, text: this.#guard.explainStatus(name) }, trace, step);
  }

  /** Why the guard first intervened, and what the rule says for itself. */
  #intervention(
    why: string | null,
    { reason, risk }: Pick<GuardStep, 'reason' | 'risk'>,
    r: number,
    { action }: Step,
  ): string | null {
    const { file, rules } = this.#guard;
    const call = { name: action?.name ?? null, arguments: action?.arguments };
    const said = messagesOf(file, { rule: rules[r].name, reason, risk }, () => call);
    if (why === null || said === null) return why;
    const { people, agent } = said;
    if (people === agent) return `${why} It says: ${people}`;
    const toPeople = people === undefined ? '' : ` It says to people: ${people}`;
    return `${why}${toPeople}${agent === undefined ? '' : ` It says to the agent: ${agent}`}`;
  }

  /** The explanations of rule number r; null if there are none. */
  #whyOf(r: number): { whyViolated: string | null; whyIntervened: string | null } | null {
    return this.#explain && this.#guard.file.rules[r].evaluation === 'trace'
      ? { whyViolated: null, whyIntervened: null }
      : null;
  }
}
