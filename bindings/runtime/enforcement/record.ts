import type { Decision, RecordedStep, Refusal, RuleMessage } from '../guard/index.js';
import type { RecordedDetected } from './detected.js';

/**
 * One line of a run's history, as sessions pass it to a log: plain JSON with everything a decision depends on, so that the same guard file reproduces it.
 * `time` is in milliseconds since 1970; fields named for redaction are already hidden.
 */
export type RunRecord =
  | BeginRecord
  | ResumeRecord
  | DecisionRecord
  | QuestionRecord
  | OutcomeRecord
  | ObservationRecord
  | AskedRecord
  | EndRecord;

/** The beginning of a run, with its guard. */
export interface BeginRecord {
  readonly kind: 'begin';
  readonly run: string;
  readonly time: number;
  /** The first judge. */
  readonly guard: RecordedJudge;
  /** The judges beside it, in their order; absent if there are none. */
  readonly beside?: readonly RecordedJudge[];
  /** The session options that decisions depend on. */
  readonly options: {
    readonly onFault: 'stop' | 'block';
    readonly shadow: boolean;
    readonly maxReflections: number;
  };
  /** Who is asking, with the hidden fields hidden; absent if the session was told nobody. */
  readonly principal?: unknown;
  /** Where something of the principal is hidden: SHA-256 of its canonical JSON, with the session's key if it has one. */
  readonly principalHash?: string | null;
  /** A random value that distinguishes the run from others of its name, whose questions to people are different questions. */
  readonly mark?: string;
}

/** A judge of a run. */
export interface RecordedJudge {
  /** Its name. Absent in logs of releases whose sessions knew guards and reactive rules alone: then it is a guard, and `reactive` has what rules read. */
  readonly name?: string;
  /** Its hash; of a guard, SHA-256 of the guard file's canonical JSON. */
  readonly file: string;
  /** The hashes in a guard file. */
  readonly specification?: string | null;
  readonly model?: string | null;
}

/** The run goes on after it was interrupted while calls were running. */
export interface ResumeRecord {
  readonly kind: 'resume';
  readonly run: string;
  readonly time: number;
  /** Numbers of the decisions on calls that were running, from this interruption and earlier ones: they have no outcome yet. */
  readonly unsettled: readonly number[];
}

/** A call as records have it. */
export interface RecordedCall {
  readonly name: string;
  /** With the named fields hidden. */
  readonly arguments?: unknown;
  /** The arguments were longer than records keep, and are not here as a whole. */
  readonly cut?: true;
  /** Some of the arguments are hidden. Logs of earlier versions never say so. */
  readonly hidden?: true;
}

/** A decision on a call. */
export interface DecisionRecord {
  readonly kind: 'decision';
  readonly run: string;
  readonly time: number;
  /** Number of the decision within the run, from 0. */
  readonly number: number;
  readonly call: { readonly id: string } & RecordedCall;
  /** The call that was let run in place of the proposed one. Absent if there is none, and in logs of earlier versions, which have its name in `action` alone. */
  readonly instead?: RecordedCall;
  /** What detectors answered about the arguments of the proposed call; absent if none was asked. */
  readonly detected?: RecordedDetected;
  /** SHA-256 of the canonical JSON of state and call; null if they have none (cyclic, too large). */
  readonly inputs: string | null;
  /** The first judge's reading, of a guard a `RecordedStep`; null if it was not asked, or failed (`rule-failed`, or a graver decision). */
  readonly observed: RecordedStep | null;
  /** Its reading when it then judged the replacement. */
  readonly replacement?: RecordedStep;
  /** The readings of the judges beside it, in their order, null for one that failed; absent if there are none, or they were not asked. */
  readonly beside?: readonly {
    readonly observed: RecordedStep | null;
    readonly replacement?: RecordedStep;
  }[];
  /** In logs of earlier releases: values of the predicates of reactive rules, in the session's order of the rules; null for rules that failed. */
  readonly reactive?: readonly (Readonly<Record<string, boolean>> | null)[];
  readonly state: number;
  readonly risk: number | null;
  readonly lower: number | null;
  readonly upper: number | null;
  readonly rule: string;
  /** The decision in effect; with `report`, `wouldDecide` is the decision that enforcement would have made. */
  readonly decision: Decision;
  readonly reason: string;
  readonly wouldDecide: Decision;
  /** The safe action, if the decision is `replace`. */
  readonly action: string | null;
  /** Another call of the agent's turn was refused before. Absent if not, or if the reading of a guard has it. */
  readonly sibling?: true;
  /** What the rule that decided said for itself: to people, if they were asked, and to the agent. Absent if it said nothing, as in logs of earlier releases. */
  readonly told?: RuleMessage;
}

/** The place of a coming answer: a framework that hands answers out by their place in a list is about to ask a person. */
export interface QuestionRecord {
  readonly kind: 'question';
  readonly run: string;
  readonly time: number;
  /** The decision that asks. */
  readonly number: number;
  /** Id of the inspection. */
  readonly id: string;
  /** SHA-256 of the canonical JSON of the call's id, name and arguments, as `inputs`; null if they have none. */
  readonly call: string | null;
  /** The framework's name of the list. */
  readonly list: string;
  /** From 0. */
  readonly place: number;
  /** The rules against the call that the person is told about. Absent in logs of earlier versions: no yes is known to cover anything. */
  readonly shown?: readonly Refusal[];
}

/** The world after a call, while other calls of the same turn are still running. */
export interface ObservationRecord {
  readonly kind: 'observation';
  readonly run: string;
  readonly time: number;
  /** Which judge of the run, from 1 for the first of those beside; absent for the first. */
  readonly judge?: number;
  /** The judge has read its last step again: it decided on nothing. In logs of earlier releases, where `call` of the reading is `approve`. */
  readonly again?: true;
  readonly inputs: string | null;
  readonly observed: RecordedStep;
  /** The judge's decision: between calls it has no effect, except that it may stop the run. */
  readonly decision: Decision;
  readonly reason: string;
  readonly rule: string;
  /** The rules that the approved call of this step breaks in it: it is excused here, too, after the decision. Absent if there are none. */
  readonly excused?: readonly string[];
}

/** The outcome of a call: it ran, failed, was withheld, or a person answered. */
export interface OutcomeRecord {
  readonly kind: 'outcome';
  readonly run: string;
  readonly time: number;
  /** The decision that it belongs to. */
  readonly number: number;
  readonly outcome: 'ran' | 'failed' | 'withheld' | 'approved' | 'refused' | 'no-answer';
  /** Of `failed`: nobody waits for the call any more, and it may have run to its end all the same. Absent if it has failed. */
  readonly mayHaveRun?: true;
  /** When the call came back, in seconds of the session's clock; absent if it has none. */
  readonly at?: number;
  /** What detectors answered about the result; absent if none was asked. */
  readonly detected?: RecordedDetected;
  readonly by?: string;
  /** The first judge's reading of a call that a person approved. */
  readonly observed?: RecordedStep | null;
  /** The same of the judges beside it. */
  readonly beside?: readonly (RecordedStep | null)[];
  /** The rules that the approved call breaks, or whose violation people were shown: it is excused. Absent if there are none. */
  readonly excused?: readonly string[];
  /** The arguments with which the call runs, if the person changed them, and the hash of its inputs as in the decision. `observed` is the reading of this call. */
  readonly edited?: { readonly arguments: unknown; readonly inputs: string | null };
  /** An approval that did not count: the judges' reading for it, when the world was observed again, was not a step. */
  readonly unread?: true;
  /** The outcome stopped the run, for example because nobody answered. */
  readonly ends?: true;
}

/** The readings of a step: bit `i & 31` of word `i >>> 5`, of which those in `known` could be read. */
export interface AskedReading {
  readonly valuation: readonly number[];
  readonly known: readonly number[];
}

/** A question about the rules, and its answer. Nothing in the run depends on it. */
export interface AskedRecord {
  readonly kind: 'asked';
  readonly run: string;
  readonly time: number;
  /** Hash of the specification that the question was about. */
  readonly specification: string;
  /** The kind of the question: `may`, `whyNot`, `question`, … */
  readonly question: string;
  /** What was asked about: text, a call, or null. `[redacted]` if the session hides fields. */
  readonly about: unknown;
  /** The kind of the answer, and `yes`, `no`, … where it has one. */
  readonly answer: string;
  /** The answer as it was given. `[redacted]` if the session hides fields; then it cannot be given again. */
  readonly text: string;
  /** What was said of the run before the answer, such as which calls are running; `text` has it too. Absent if nothing. */
  readonly said?: readonly string[];
  /** What was read of the step at hand, in the order of the specification's predicates. */
  readonly read: AskedReading;
  /** What was read of the step at hand with calls, where that is more than what the state and the call alone say; by the calls in one line. */
  readonly calls?: Readonly<Record<string, AskedReading>>;
  /** What the session would have decided on calls, by the calls in one line. */
  readonly decided?: Readonly<Record<string, unknown>>;
  /** How much a search might look at. */
  readonly limits: Readonly<Record<string, number>>;
}

/** The end of a run. */
export interface EndRecord {
  readonly kind: 'end';
  readonly run: string;
  readonly time: number;
  readonly decisions: number;
}

/**
 * Receives records in order. `append` returns once the record is as safe as the log promises; if it cannot keep the record, it throws or rejects, and the
 * recorded event does not happen.
 */
export interface RunLog {
  /** Stores a record, or throws. */
  append(record: RunRecord): void | Promise<void>;
}

/** The readings of a run's judges as an outcome records them. */
export function readingsOf(reads: readonly unknown[]): Pick<OutcomeRecord, 'observed' | 'beside'> {
  if (reads.length === 0) return {};
  const [observed, ...beside] = reads as readonly (RecordedStep | null)[];
  return { observed, ...(beside.length > 0 && { beside }) };
}
