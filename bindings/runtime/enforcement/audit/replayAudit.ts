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
  type GuardProposal,
  messagesOf,
  severity,
} from '../../guard/index.js';
import { hashInputs } from '../inputs.js';
import { numbersOf, toldOf } from '../journal.js';
import { moreSevere } from '../pendingVerdict.js';
import type { BeginRecord, DecisionRecord, ObservationRecord, ResumeRecord, RunRecord } from '../record.js';
import { isIdle, RunningCalls } from '../runningCalls.js';
import type { EnforcementFault } from '../verdict.js';
import type { AuditEntry } from './entry.js';

/** Options of `replayAudit`: the sessions' settings beside the guard file. */
export interface ReplayAuditOptions {
  /** The files of the guards beside the first, in their order. Default: none. */
  readonly beside?: readonly GuardFile[];
  /** The sessions' reactive rules, in their order; default: decisions of such rules are counted, not compared. */
  readonly rules?: readonly ReactiveRules[];
  /** Called after every entry. */
  readonly onProgress?: (replay: AuditReplay) => void;
}

/** A decision that differs from the recorded one. */
export interface ReplayDifference {
  /** Line of the audit file, from 1. */
  readonly line: number;
  readonly run: string;
  /** Number of the decision within the run; -1 for an observation between two decisions, and for a run that goes on after an interruption. */
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
  /** Decisions of reactive rules that were not passed in; the guard's numbers were compared. */
  readonly reactive: number;
  /** Decisions for drift, whose evidence stems from all runs that a guard has followed; everything else was compared. */
  readonly drift: number;
  /** The first difference, at which the replay ends; null if there is none. */
  readonly difference: ReplayDifference | null;
}

/**
 * Repeats all decisions, run by run, from the guard's recorded readings, and compares them. Runs may be interleaved.
 *
 * @throws InvalidArgumentError if the guard file is invalid; any error of `entries`
 */
export async function replayAudit(
  entries: AsyncIterable<AuditEntry>,
  file: GuardFile,
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
  /** The run's guards; null for a run of other guard files. */
  readonly guards: readonly Guard[] | null;
  readonly options: BeginRecord['options'];
  /** Number of reflections that reactive rules have demanded since the last permitted call. */
  reflections: number;
  /** The same before the turn in which a call was judged last. */
  beforeTurn: number;
  /** Calls without an outcome. */
  readonly running: RunningCalls;
}

/** A decision as replayed: the guard's, or that of reactive rules beside it. */
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
    difference: null,
  };
  /** The guard files, without drift, their reactions to it, and their hashes. */
  readonly #files: readonly GuardFile[];
  readonly #onDrift: readonly (Decision | undefined)[];
  readonly #hashes: string;
  readonly #options: ReplayAuditOptions;
  readonly #runs = new Map<string, Run>();
  /** Runs that have ended, and whether they were in shadow mode; null for runs of another guard file. */
  readonly #ended = new Map<string, boolean | null>();
  /** Guards of ended runs, for reuse by later ones. */
  readonly #idle: (readonly Guard[])[] = [];

  constructor(file: GuardFile, options: ReplayAuditOptions) {
    const files = [file, ...(options.beside ?? [])];
    this.#files = files.map(({ drift: _, ...others }) => others);
    this.#onDrift = files.map(({ drift }) => drift?.onDrift);
    this.#idle.push(this.#files.map(createGuard));
    this.#hashes = files.map((one) => hashInputs(one, { maxLength: Number.POSITIVE_INFINITY })).join();
    this.#options = options;
  }

  take(record: RunRecord, line: number): void {
    if (record.kind === 'begin') {
      this.#end(record.run);
      this.#ended.delete(record.run);
      const known = [record.guard, ...(record.beside ?? [])].map((one) => one.file).join() === this.#hashes;
      this.result[known ? 'runs' : 'otherRuns']++;
      const guards = known ? this.#newGuards() : null;
      const { options } = record;
      const running = new RunningCalls(this.#files.length, options.shadow);
      this.#runs.set(record.run, { guards, options, reflections: 0, beforeTurn: 0, running });
    } else if (record.kind === 'end') this.#end(record.run);
    else {
      const run = this.#runs.get(record.run);
      const shadow = this.#ended.get(record.run);
      if (run === undefined && shadow !== undefined) {
        if (shadow !== null && record.kind === 'decision') this.#compareLate(record, shadow, line);
        return;
      }
      if (run === undefined) {
        throw new InvalidArgumentError(
          `line ${line} belongs to run ${record.run}, which does not begin before it: the file is not one that sessions wrote`,
        );
      }
      if (run.guards === null) return;
      if (record.kind === 'observation')
        this.#compareObservation(record, run.guards[record.judge ?? 0], line);
      else if (record.kind === 'outcome') {
        run.running.came(record);
        if (record.observed === undefined) return;
        for (const [i, step] of [record.observed, ...(record.beside ?? [])].entries())
          run.guards[i].decideAgain(step);
        for (const guard of run.guards) guard.excuse(record.excused ?? []);
      } else if (record.kind === 'resume') this.#compareResumed(record, run, line);
      else if (record.kind === 'decision') {
        this.#compareBeside(record, run, line);
        this.#compare(record, run, run.guards, line);
        run.running.decided(record);
      }
    }
  }

  #newGuards(): readonly Guard[] {
    const guards = this.#idle.pop() ?? this.#files.map(createGuard);
    for (const guard of guards) guard.reset();
    return guards;
  }

  #end(name: string): void {
    const run = this.#runs.get(name);
    if (run === undefined) return;
    if (run.guards) this.#idle.push(run.guards);
    this.#ended.set(name, run.guards && run.options.shadow);
    this.#runs.delete(name);
  }

  #compare(record: DecisionRecord, run: Run, guards: readonly Guard[], line: number): void {
    const fault = Object.hasOwn(FAULTS, record.reason);
    const { observed, replacement, beside = [] } = record;
    const proposals: GuardProposal[] = [];
    for (const [i, one] of [{ observed, replacement }, ...beside].entries()) {
      if (one.observed !== null) proposals.push(guards[i].decideAgain(one.observed));
      if (one.replacement !== undefined) guards[i].decideAgain(one.replacement);
    }
    // A replay does not know drift: the record says that it decided.
    const drifted = record.reason === 'drift' ? this.#onDrift.findIndex((one) => one !== undefined) : -1;
    const at = drifted < 0 || drifted >= proposals.length ? mostSevereAt(proposals) : drifted;
    const proposal = at < 0 ? null : proposals[at];
    const guard = guards[Math.max(0, at)];
    const onDrift = this.#onDrift[Math.max(0, at)];
    let expected: Partial<Record<keyof DecisionRecord, unknown>> = numbersOf(proposal);
    if (fault) {
      this.result.faults++;
      expected.wouldDecide = safeDecision(record, run, guard, proposal);
    } else if (proposal === null) expected.reason = 'a fault, for the guard was not asked';
    else if (record.reason === 'reactive-rule' && this.#options.rules === undefined) this.result.reactive++;
    else {
      const { decision, ...outcome } = this.#decide(record, run, proposal, onDrift);
      expected = { ...expected, wouldDecide: decision, ...outcome };
      this.result[outcome.reason === 'drift' ? 'drift' : 'decisions']++;
    }
    // In shadow mode, a decision that would withhold the call is recorded as `report`.
    const taken = run.options.shadow ? record.wouldDecide : record.decision;
    const decided = (expected.wouldDecide ?? taken) as Decision;
    const withheld = severity[decided] > severity.report;
    expected.decision = run.options.shadow && withheld ? 'report' : decided;
    expected.wouldDecide = proposals.map((one) => one.wouldDecide).reduce(moreSevere, decided);
    const told = fault || run.options.shadow || !withheld ? {} : this.#told(record, guard, proposal);
    this.#expect({ ...expected, told: told.told }, record, line);
  }

  /** What the rule that decided says for itself, filled in from what the log has of the call. */
  #told(
    record: DecisionRecord,
    { file }: Guard,
    proposal: GuardProposal | null,
  ): Pick<DecisionRecord, 'told'> {
    if (proposal === null || record.reason === 'reactive-rule' || record.reason !== proposal.reason)
      return {};
    const { name, arguments: given } = record.call;
    const call = { name: isIdle(record) ? null : name, arguments: given };
    return toldOf(
      messagesOf(file, proposal, () => call),
      record.decision,
    );
  }

  /** Compares which calls were running when the run was interrupted. */
  #compareResumed(record: ResumeRecord, { running }: Run, line: number): void {
    const byNumber = (numbers: readonly number[]): number[] => [...numbers].sort((a, b) => a - b);
    const expected = byNumber(running.cut());
    const recorded = byNumber(record.unsettled);
    if (recorded.join() !== expected.join())
      this.#differ(record, line, { field: 'unsettled', recorded, replayed: expected });
  }

  /** Compares whether the guards that judge actions did so beside the calls that were running when the run was interrupted. */
  #compareBeside({ observed, beside = [], ...record }: DecisionRecord, run: Run, line: number): void {
    for (const [i, step] of [observed, ...beside.map((one) => one.observed)].entries()) {
      if (step === null || this.#files[i]?.actions === undefined) continue;
      const expected = run.running.unsettled(i);
      const recorded = step.pending.slice(0, expected.length);
      if (JSON.stringify(recorded) === JSON.stringify(expected)) continue;
      this.#differ(record, line, { field: 'pending', recorded, replayed: expected });
      return;
    }
  }

  #differ(
    record: { readonly run: string; readonly number?: number },
    line: number,
    difference: Pick<ReplayDifference, 'field' | 'recorded' | 'replayed'>,
  ): void {
    this.result.difference ??= { line, run: record.run, number: record.number ?? -1, ...difference };
  }

  /** Compares the guard's decision between calls, except for drift, which a replay does not know. */
  #compareObservation(record: ObservationRecord, guard: Guard, line: number): void {
    const found = guard.decideAgain(record.observed);
    const { decision, reason } = found;
    const rule = ruleOf(found, record);
    if (record.reason !== 'drift') this.#expect({ decision, reason, rule }, record, line);
    guard.excuse(record.excused ?? []);
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

  /** Decides as sessions do: the most severe of the guard and the reactive rules, the first among equals. */
  #decide(record: DecisionRecord, run: Run, proposal: GuardProposal, onDrift: Decision | undefined): Outcome {
    const { decision, reason, action } = proposal;
    const rule = ruleOf(proposal, record);
    const outcome: Outcome = { decision, reason, rule, action };
    if (record.reason === 'drift' && onDrift !== undefined && severity[onDrift] > severity[decision])
      Object.assign(outcome, { decision: onDrift, reason: 'drift', action: null });
    const { reactive = [], call } = record;
    const { rules = [] } = this.#options;
    for (const [i, one] of rules.entries()) {
      const values = reactive[i];
      // The session did not ask the rules, for example because nothing was proposed.
      if (values === undefined) return outcome;
      if (values === null) continue;
      const { strategy, rule } = one.decideOn(values, call.name);
      if (strategy === null || severity[strategy.kind] <= severity[outcome.decision]) continue;
      const action = strategy.kind === 'replace' ? strategy.action : null;
      Object.assign(outcome, { decision: strategy.kind, reason: 'reactive-rule', rule, action });
    }
    if (severity[outcome.decision] <= severity.report) run.reflections = 0;
    if (record.observed?.sibling !== true || run.reflections === 0) run.beforeTurn = run.reflections;
    if (outcome.reason !== 'reactive-rule' || outcome.decision !== 'reflect') return outcome;
    run.reflections = run.beforeTurn + 1;
    if (run.reflections > run.options.maxReflections) outcome.decision = 'stop';
    return outcome;
  }
}

function isSame(recorded: object, replayed: object): boolean {
  return canonicalJson(recorded) === canonicalJson(replayed);
}

/** The rule to compare: logs of releases before `onUntried` and `onUnreadable` name the rule whose strategy was taken where none decided. */
function ruleOf(
  { rule, ruleOfStrategy }: GuardProposal,
  record: Pick<DecisionRecord | ObservationRecord, 'rule'>,
): string {
  return rule === '' && record.rule === ruleOfStrategy ? ruleOfStrategy : rule;
}

/** The place of the most severe answer, the first among equals; -1 if there is none. */
function mostSevereAt(proposals: readonly GuardProposal[]): number {
  return proposals.reduce(
    (worst, { decision }, i) =>
      worst < 0 || severity[decision] > severity[proposals[worst].decision] ? i : worst,
    -1,
  );
}

/** The decision after a fault: by the session's option, or, if a rule's replacement cannot run, by the rule. */
function safeDecision(
  { reason, action }: DecisionRecord,
  { options }: Run,
  guard: Guard,
  proposal: GuardProposal | null,
): Decision {
  if (reason === 'run-over') return 'stop';
  if (reason === 'calls-running' || reason === 'too-early' || reason === 'repeated-call') return 'block';
  const ofRule = reason === 'replacement-failed' && proposal?.decision === 'replace' && action === null;
  return afterFault[ofRule ? guard.failed(proposal).decision : options.onFault];
}

const FAULTS: Readonly<Record<EnforcementFault, true>> = {
  'unknown-tool': true,
  'tool-changed': true,
  'invalid-arguments': true,
  'state-failed': true,
  'rule-failed': true,
  'replacement-failed': true,
  refused: true,
  'no-answer': true,
  'log-failed': true,
  'run-over': true,
  'calls-running': true,
  'too-early': true,
  'repeated-call': true,
};
