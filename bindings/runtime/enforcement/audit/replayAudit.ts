import { canonicalJson } from '../../../base/canonicalJson.js';
import { InvalidArgumentError } from '../../../base/errors.js';
import { isObject } from '../../../base/objectKind.js';
import type { ReactiveRules } from '../../agentspec/index.js';
import {
  afterFault,
  createGuard,
  type Decision,
  type Guard,
  type GuardFile,
  type Judge,
  type Judgement,
  severity,
} from '../../guard/index.js';
import { guardJudge } from '../guardJudge.js';
import { actionIn } from '../guardRun.js';
import { hashOf } from '../hashOf.js';
import { numbersOf, toldOf } from '../journal.js';
import { guardsAnswer, type Judged, JudgeFault, mostSevereAt } from '../judged.js';
import { Judges } from '../judges.js';
import { judgeOf } from '../judgesOf.js';
import { moreSevere, wouldDecide } from '../pendingVerdict.js';
import type {
  BeginRecord,
  DecisionRecord,
  ObservationRecord,
  RecordedJudge,
  ResumeRecord,
  RunRecord,
} from '../record.js';
import { Reflections } from '../reflections.js';
import { RepeatedRun, STAND_IN } from '../repeatedRun.js';
import { isIdle, isSibling } from '../startedCalls.js';
import { isEnforcementFault } from '../verdict.js';
import type { AuditEntry } from './entry.js';
import { type OutOfOrder, RecordOrder, unknownOptions } from './recordOrder.js';

/** Options of `replayAudit`: the sessions' settings beside the guard file. */
export interface ReplayAuditOptions {
  /** The files of the guards beside the first, in their order. Default: none. */
  readonly beside?: readonly GuardFile[];
  /** The sessions' reactive rules, in their order; default: decisions of judges that are no guards are counted, not compared. */
  readonly rules?: readonly ReactiveRules[];
  /** The sessions' other judges. With `rules` or these, all judges of a run must be given, or the run is passed over as one of other guard files. */
  readonly judges?: readonly Judge[];
  /** Judges that runs may have had beside the guards: they decide again where they were. */
  readonly optional?: readonly Judge[];
  /** Called after every entry. */
  readonly onProgress?: (replay: AuditReplay) => void;
}

/** A decision that differs from the recorded one, or a record that no session can have written where it stands. */
export interface ReplayDifference {
  /** Line of the audit file, from 1. */
  readonly line: number;
  readonly run: string;
  /** Number of the decision within the run; -1 for an observation between two decisions, and for the beginning, the end and the resumption of a run. */
  readonly number: number;
  readonly field: string;
  readonly recorded: unknown;
  readonly replayed: unknown;
}

/** The result of a replay. */
export interface AuditReplay {
  /** Runs under the guard file. */
  readonly runs: number;
  /** Runs under other guard files, which are skipped. */
  readonly otherRuns: number;
  /** Decisions that were reproduced to the last bit. */
  readonly decisions: number;
  /** Decisions for faults around the guard: the decision was compared, but not the occurrence of the fault. */
  readonly faults: number;
  /** Decisions of judges that were not passed in, such as reactive rules; the guard's numbers were compared. */
  readonly reactive: number;
  /** Decisions for drift, whose evidence stems from all runs that a guard has followed; everything else was compared. */
  readonly drift: number;
  /** Decisions that the log lacks, as the numbers of the others show: it could not take them, or somebody has removed them. Nothing is known of them. */
  readonly missing: number;
  /** The first difference, at which the replay ends; null if there is none. */
  readonly difference: ReplayDifference | null;
}

/**
 * Repeats all decisions, run by run, from what the judges had read, and compares them. Runs may be interleaved.
 *
 * @param file that of the first guard of the sessions; null if they had none
 * @throws InvalidArgumentError if the guard file is invalid; any error of `entries`
 */
export async function replayAudit(
  entries: AsyncIterable<AuditEntry>,
  file: GuardFile | null,
  options: ReplayAuditOptions = {},
): Promise<AuditReplay> {
  const replay = new Replay(file, options);
  for await (const { sequence, record } of entries) {
    if (record.kind === 'header' || record.kind === 'repair') continue;
    replay.take(record, sequence + 1);
    options.onProgress?.(replay.result);
    if (replay.result.difference !== null) break;
  }
  return replay.result;
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

/** A run that has not ended. */
interface Run {
  readonly guards: readonly Guard[];
  readonly judges: Judges;
  readonly repeated: RepeatedRun;
  readonly order: RecordOrder;
  readonly options: BeginRecord['options'];
  readonly reflections: Reflections;
  /** Places of the judges that were not passed in. */
  readonly unknown: ReadonlySet<number>;
  /** Whether rules may be missing that the log of an earlier release does not name. */
  readonly isPartial: boolean;
  /** Places of the guards that judge actions. */
  readonly acting: ReadonlySet<number>;
  /** What each judge does about drift, by place: undefined for one that does not watch it. */
  readonly onDrift: readonly (Decision | undefined)[];
}

/** A decision as replayed. */
interface Outcome {
  decision: Decision;
  reason: string;
  rule: string;
  action: string | null;
}

class Replay {
  readonly result: Writable<AuditReplay> = {
    runs: 0,
    otherRuns: 0,
    decisions: 0,
    faults: 0,
    reactive: 0,
    drift: 0,
    missing: 0,
    difference: null,
  };
  /** The guard files that have rules, without drift, their reactions to it, and their hashes. */
  readonly #files: readonly GuardFile[];
  readonly #onDrift: readonly (Decision | undefined)[];
  readonly #hashes: readonly string[];
  /** The policies of the guard files. */
  readonly #policies: readonly Judge[];
  /** The judges that were passed in, which are no guards. */
  readonly #others: readonly Judge[];
  readonly #optional: readonly Judge[];
  /** Whether all judges of a run must be known, because some were passed in. */
  readonly #knowsAll: boolean;
  /** Null for a run of other guard files. */
  readonly #runs = new Map<string, Run | null>();
  /** Runs that have ended, with what is left of them; null for runs of another guard file. */
  readonly #ended = new Map<string, Pick<Run, 'options' | 'order'> | null>();
  /** Guards of ended runs, for reuse by later ones. */
  readonly #idle: (readonly Guard[])[] = [];

  constructor(file: GuardFile | null, { beside = [], rules, judges, optional = [] }: ReplayAuditOptions) {
    const given = [...(file === null ? [] : [file]), ...beside];
    this.#policies = given.flatMap(({ drift: _, ...others }) => createGuard(others).policies ?? []);
    const files = given.filter(({ rules: own }) => own.length > 0);
    this.#files = files.map(({ drift: _, ...others }) => others);
    this.#onDrift = files.map(({ drift }) => drift?.onDrift);
    this.#idle.push(this.#files.map(createGuard));
    this.#hashes = files.map(hashOf);
    this.#knowsAll = rules !== undefined || judges !== undefined;
    this.#others = [...(judges ?? []), ...(rules ?? [])].map(judgeOf);
    this.#optional = optional.map(judgeOf);
  }

  take(record: RunRecord, line: number): void {
    if (record.kind === 'begin') {
      this.#end(record.run);
      this.#ended.delete(record.run);
      const run = this.#begin(record);
      this.result[run === null ? 'otherRuns' : 'runs']++;
      this.#runs.set(record.run, run);
      if (run !== null) this.#differs(record, line, unknownOptions(record));
    } else {
      const run = this.#runs.get(record.run);
      const ended = this.#ended.get(record.run);
      if (run === undefined && ended !== undefined) {
        if (ended === null) return;
        if (record.kind === 'decision') this.#compareLate(record, ended.options.shadow, line);
        this.#inOrder(record, ended, line, false);
        return;
      }
      if (run === undefined) {
        throw new InvalidArgumentError(
          `line ${line} belongs to run ${record.run}, which does not begin before it: the file is not one that sessions wrote`,
        );
      }
      if (run !== null && !this.#inOrder(record, run, line, isAgain(record, run))) return;
      if (record.kind === 'end') this.#end(record.run);
      if (run === null || record.kind === 'end') return;
      if (record.kind === 'decision') this.#compareBeside(record, run, line);
      const judged = run.repeated.take(record).map((one, i) => (run.unknown.has(i) ? null : one));
      if (record.kind === 'observation') this.#compareObservation(record, judged, line);
      else if (record.kind === 'resume') this.#compareResumed(record, run, line);
      else if (record.kind === 'decision') this.#compare(record, run, judged, line);
    }
  }

  /** The judges of a run that begins; null if it is one of other guard files. */
  #begin(begin: BeginRecord): Run | null {
    const recorded = [begin.guard, ...(begin.beside ?? [])];
    // Logs of earlier releases name guards alone.
    const isEarlier = begin.guard.name === undefined;
    const isGuard = ({ specification }: RecordedJudge) => isEarlier || specification !== undefined;
    const guardsOf = recorded.filter(isGuard).map(({ file }) => file);
    if (begin.guard.file === STAND_IN || guardsOf.join() !== this.#hashes.join()) return null;
    const others = this.#others;
    const known = [...this.#policies.map(judgeOf), ...others, ...this.#optional];
    if (this.#policies.some(({ hash }) => recorded.every(({ file }) => file !== hash))) return null;
    const found = recorded.map((one) =>
      isGuard(one) ? null : (known.find(({ hash }) => hash === one.file) ?? UNKNOWN),
    );
    if (this.#knowsAll && found.includes(UNKNOWN)) return null;
    const places = [...found, ...(isEarlier ? others : [])];
    const guards = this.#idle.pop() ?? this.#files.map(createGuard);
    const [waiting, onDrift] = [[...guards], [...this.#onDrift]];
    const acts = this.#files.map(({ actions }) => actions !== undefined);
    const judges = new Judges(
      places.map((one) => one ?? guardJudge(waiting.shift() as Guard)),
      { id: begin.run, isSafe: () => false, mayQuote: false },
    );
    return {
      guards,
      judges,
      repeated: new RepeatedRun(judges, begin),
      order: new RecordOrder(begin.options),
      options: begin.options,
      reflections: new Reflections(begin.options),
      unknown: new Set(places.flatMap((one, i) => (one === UNKNOWN ? [i] : []))),
      isPartial: !this.#knowsAll && isEarlier,
      acting: new Set(places.flatMap((one, i) => (one === null && acts.shift() ? [i] : []))),
      onDrift: places.map((one) => (one === null ? onDrift.shift() : undefined)),
    };
  }

  #end(name: string): void {
    const run = this.#runs.get(name);
    if (run === undefined) return;
    if (run !== null) {
      run.judges.end();
      this.#idle.push(run.guards);
    }
    this.#ended.set(name, run && { options: run.options, order: run.order });
    this.#runs.delete(name);
  }

  /** Whether the record can stand where it does, by those before it. */
  #inOrder(record: RunRecord, { order }: Pick<Run, 'order'>, line: number, isAgain: boolean): boolean {
    const before = order.missing;
    this.#differs(record, line, order.take(record, isAgain));
    this.result.missing += order.missing - before;
    return this.result.difference === null;
  }

  #compare(record: DecisionRecord, run: Run, judged: readonly (Judged | null)[], line: number): void {
    const { options, onDrift, unknown } = run;
    const isPartial = unknown.size > 0 || (run.isPartial && record.reactive !== undefined);
    const fault = isEnforcementFault(record.reason);
    const at = mostSevereAt(judged, options.onFault);
    // A replay does not know drift: the record says that it decided.
    const drifted = record.reason === 'drift' ? onDrift.findIndex((one) => one !== undefined) : -1;
    const isDrift = drifted >= 0 && judged[drifted] !== null;
    const counts = at < 0 ? null : (judged[isDrift ? drifted : at] as Judged);
    const numbers = isDrift ? (counts as Judgement) : guardsAnswer(judged);
    const risk = counts instanceof JudgeFault ? undefined : counts?.risk;
    let expected: Partial<Record<keyof DecisionRecord, unknown>> =
      numbers === null && isPartial ? {} : numbersOf(numbers?.step ?? null, risk);
    if (fault) {
      this.result.faults++;
      expected.wouldDecide = safeDecision(record, options.onFault, counts);
    } else {
      const outcome = this.#decide(record, run, counts, isDrift ? onDrift[drifted] : undefined);
      const isOther = outcome === null || outcome.reason !== record.reason || outcome.rule !== record.rule;
      if (isOther && isPartial) this.result.reactive++;
      else if (outcome === null) expected.reason = 'a fault, for the guard was not asked';
      else {
        const { decision, ...others } = outcome;
        expected = { ...expected, wouldDecide: decision, ...others };
        this.result[outcome.reason === 'drift' ? 'drift' : 'decisions']++;
      }
    }
    // In shadow mode, a decision that would withhold the call is recorded as `report`.
    const taken = options.shadow ? record.wouldDecide : record.decision;
    const decided = (expected.wouldDecide ??
      atLeast(taken, at < 0 ? null : judged[at], options.onFault)) as Decision;
    const withheld = severity[decided] > severity.report;
    expected.decision = options.shadow && withheld ? 'report' : decided;
    expected.wouldDecide = wouldDecide(judged, decided);
    const told = fault || options.shadow || !withheld ? {} : toldAgain(record, counts);
    this.#expect({ ...expected, told: told.told }, record, line);
  }

  /** Compares which calls were running when the run was interrupted. */
  #compareResumed(record: ResumeRecord, { judges }: Run, line: number): void {
    const byNumber = (numbers: readonly number[]): number[] => [...numbers].sort((a, b) => a - b);
    const expected = byNumber(judges.unsettled.map(({ number }) => number));
    const recorded = byNumber(record.unsettled);
    if (recorded.join() !== expected.join())
      this.#differ(record, line, { field: 'unsettled', recorded, replayed: expected });
  }

  /** Compares whether the guards that judge actions did so beside the calls that were running when the run was interrupted. */
  #compareBeside(
    { observed, beside = [], ...record }: DecisionRecord,
    { judges, acting }: Run,
    line: number,
  ): void {
    for (const [i, step] of [observed, ...beside.map((one) => one.observed)].entries()) {
      if (step === null || !acting.has(i)) continue;
      const expected = judges.seats[i].unsettled.flatMap(({ read }) => actionIn(read) ?? []);
      const recorded = step.pending.slice(0, expected.length);
      if (JSON.stringify(recorded) === JSON.stringify(expected)) continue;
      this.#differ(record, line, { field: 'pending', recorded, replayed: expected });
      return;
    }
  }

  #differs(record: RunRecord, line: number, found: OutOfOrder | null): void {
    if (found !== null) this.#differ(record, line, found);
  }

  #differ(
    record: { readonly run: string; readonly number?: number },
    line: number,
    difference: Pick<ReplayDifference, 'field' | 'recorded' | 'replayed'>,
  ): void {
    this.result.difference ??= { line, run: record.run, number: record.number ?? -1, ...difference };
  }

  /** Compares a judge's decision between calls, except for drift, which a replay does not know. */
  #compareObservation(record: ObservationRecord, judged: readonly (Judged | null)[], line: number): void {
    const found = judged.find((one) => one !== null);
    if (found === undefined || record.reason === 'drift') return;
    if (found instanceof JudgeFault) {
      const { observed: recorded } = record;
      this.#differ(record, line, { field: 'observed', recorded, replayed: found.words });
      return;
    }
    const { decision, reason = 'judged' } = found;
    this.#expect({ decision, reason, rule: ruleOf(found, record) }, record, line);
  }

  /** A call after the end of its run was refused without asking anyone. */
  #compareLate(record: DecisionRecord, shadow: boolean, line: number): void {
    this.result.faults++;
    const refused = { reason: 'run-over', decision: shadow ? 'report' : 'stop', wouldDecide: 'stop' };
    this.#expect({ ...numbersOf(null), ...refused, observed: null }, record, line);
  }

  #expect<R extends DecisionRecord | ObservationRecord>(
    expected: Partial<Record<keyof R, unknown>>,
    record: R,
    line: number,
  ): void {
    for (const [field, replayed] of Object.entries(expected)) {
      const recorded = record[field as keyof R];
      if (recorded === replayed || (isObject(recorded) && isObject(replayed) && isSame(recorded, replayed)))
        continue;
      this.#differ(record, line, { field, recorded, replayed });
      return;
    }
  }

  /** Decides as sessions do, by what the most severe judge says; null if no judge was asked. @param onDrift the decision that drift came to, if it did */
  #decide(
    record: DecisionRecord,
    { reflections }: Run,
    counts: Judged | null,
    onDrift: Decision | undefined,
  ): Outcome | null {
    if (counts === null) return null;
    if (counts instanceof JudgeFault)
      return { decision: 'stop', reason: 'rule-failed', rule: '', action: null };
    const { decision, reason = 'judged', action = null } = counts;
    const outcome: Outcome = { decision, reason, rule: ruleOf(counts, record), action };
    if (onDrift !== undefined && severity[onDrift] > severity[decision])
      Object.assign(outcome, { decision: onDrift, reason: 'drift', action: null });
    if (!isIdle(record)) outcome.decision = reflections.take(counts, outcome.decision, isSibling(record));
    return outcome;
  }
}

/** Whether a judge has only read its last step again. */
const isAgain = (record: RunRecord, { repeated }: Run): boolean =>
  record.kind === 'observation' && repeated.isAgain(record);

function isSame(recorded: object, replayed: object): boolean {
  return canonicalJson(recorded) === canonicalJson(replayed);
}

/** What was decided where judges were not passed in: it is no less severe than what the others say. */
function atLeast(decided: Decision, known: Judged | null, onFault: 'stop' | 'block'): Decision {
  if (known === null) return decided;
  return moreSevere(decided, known instanceof JudgeFault ? onFault : known.decision);
}

/** What the rule that decided says for itself, filled in from what the log has of the call. */
function toldAgain(record: DecisionRecord, counts: Judged | null): Pick<DecisionRecord, 'told'> {
  if (counts === null || counts instanceof JudgeFault || record.reason !== counts.reason) return {};
  const { name, arguments: given } = record.call;
  const call = { name: isIdle(record) ? null : name, arguments: given };
  return toldOf(counts.says?.(call) ?? null, record.decision);
}

/** The rule to compare: logs of releases before `onUntried` and `onUnreadable` name the rule whose strategy was taken where none decided. */
function ruleOf(
  { rule = '', step }: Judgement,
  record: Pick<DecisionRecord | ObservationRecord, 'rule'>,
): string {
  return rule === '' && record.rule === step?.ruleOfStrategy ? record.rule : rule;
}

/** The decision after a fault: by the session's option, or, if a judge's replacement cannot run, by the judge. */
function safeDecision(
  { reason, action }: DecisionRecord,
  onFault: 'stop' | 'block',
  counts: Judged | null,
): Decision {
  if (reason === 'run-over') return 'stop';
  if (reason === 'calls-running' || reason === 'too-early' || reason === 'repeated-call') return 'block';
  const ofRule = reason === 'replacement-failed' && action === null && !(counts instanceof JudgeFault);
  return afterFault[(ofRule && counts?.decision === 'replace' ? counts.onFailure : undefined) ?? onFault];
}

/** Stands for a judge that was not passed in. */
const UNKNOWN: Judge = {
  name: 'unknown',
  hash: '',
  decisions: [],
  begin: () => ({ propose: () => NOT_KNOWN, decideAgain: () => NOT_KNOWN }),
};

const NOT_KNOWN: Judgement = Object.freeze({ decision: 'allow', read: null });
