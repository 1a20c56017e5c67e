import type { Decision, RecordedStep } from '../guard/index.js';

/**
 * One line of what happened in a run, as sessions hand it to a log: plain JSON, with everything a decision depends on, so that the same guard
 * file reproduces it. `time` is in milliseconds since 1970; where fields are named for redaction, they are hidden already.
 */
export type RunRecord =
  | BeginRecord
  | DecisionRecord
  | QuestionRecord
  | OutcomeRecord
  | ObservationRecord
  | EndRecord;

/** A run begins, under which guard. */
export interface BeginRecord {
  readonly kind: 'begin';
  readonly run: string;
  readonly time: number;
  /** SHA-256 of the guard file's canonical JSON, and its own hashes. */
  readonly guard: { readonly file: string; readonly specification: string; readonly model: string };
  /** What the session was told that its decisions depend on. */
  readonly options: {
    readonly onFault: 'stop' | 'block';
    readonly shadow: boolean;
    readonly maxReflections: number;
  };
  /** At random; tells the run from others of its name, whose questions to people are others. */
  readonly mark?: string;
}

/** A decision on a call. */
export interface DecisionRecord {
  readonly kind: 'decision';
  readonly run: string;
  readonly time: number;
  /** Which decision of the run, from 0. */
  readonly number: number;
  readonly call: { readonly id: string; readonly name: string; readonly arguments?: unknown };
  /** SHA-256 of the canonical JSON of state and call; null where they have none (cyclic, too large). */
  readonly inputs: string | null;
  /** What the guard read; null where it was not asked. */
  readonly observed: RecordedStep | null;
  /** What it read when it was then asked about the replacement. */
  readonly replacement?: RecordedStep;
  /** What the predicates of reactive rules said, in the order in which the session has the rules; null of rules that failed. */
  readonly reactive?: readonly (Readonly<Record<string, boolean>> | null)[];
  readonly state: number;
  readonly risk: number | null;
  readonly lower: number | null;
  readonly upper: number | null;
  readonly rule: string;
  /** Strategy as decided; with `report`, what enforcement would have done is `wouldDecide`. */
  readonly decision: Decision;
  readonly reason: string;
  readonly wouldDecide: Decision;
  /** The safe action, where the decision is `replace`. */
  readonly action: string | null;
}

/** A person is about to be asked by a framework that hands answers out by their place in a list: where the answer will be. */
export interface QuestionRecord {
  readonly kind: 'question';
  readonly run: string;
  readonly time: number;
  /** The decision that asks. */
  readonly number: number;
  /** Id of the inspection. */
  readonly id: string;
  /** SHA-256 of the canonical JSON of the call's id, name and arguments, as `inputs`; null where they have none. */
  readonly call: string | null;
  /** The framework's name of the list. */
  readonly list: string;
  /** From 0. */
  readonly place: number;
}

/** The world after a call, where other calls of the same turn are still to run. */
export interface ObservationRecord {
  readonly kind: 'observation';
  readonly run: string;
  readonly time: number;
  readonly inputs: string | null;
  readonly observed: RecordedStep;
  /** What the guard found: nothing can be done about it between calls, but to stop the run. */
  readonly decision: Decision;
  readonly reason: string;
  readonly rule: string;
}

/** What became of a call: it ran, failed, was withheld, or a person answered. */
export interface OutcomeRecord {
  readonly kind: 'outcome';
  readonly run: string;
  readonly time: number;
  /** The decision it belongs to. */
  readonly number: number;
  readonly outcome: 'ran' | 'failed' | 'withheld' | 'approved' | 'refused' | 'no-answer';
  readonly by?: string;
  /** What the guard read of a call that a person approved, where predicates read actions: by then it had read others. */
  readonly observed?: RecordedStep;
  /** An approval that did not count: what the guard read for it, when the world was observed again, was no step. */
  readonly unread?: true;
  /** The run was stopped by it: nobody answered, say. */
  readonly ends?: true;
}

/** A run is over. */
export interface EndRecord {
  readonly kind: 'end';
  readonly run: string;
  readonly time: number;
  readonly decisions: number;
}

/**
 * Where records go, in order. `append` returns once the record is as safe as the log promises; it throws, or rejects, where it cannot be kept, and then
 * nothing that it records happens.
 */
export interface RunLog {
  /** Keeps a record, or throws. */
  append(record: RunRecord): void | Promise<void>;
}
