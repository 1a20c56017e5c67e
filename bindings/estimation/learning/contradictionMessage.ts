import { EvaluationError } from '../../base/errors.js';
import { type Abstraction, adviceOnAbsent, notRecordedField } from '../../observations/abstraction/index.js';
import type { Trace } from '../../observations/trace/index.js';
import type { Contradiction, LearningReport } from './report.js';

/** Packed valuations at and before a step that contradicts a constraint, from an offset on. */
interface Place {
  readonly valuations: Uint32Array;
  readonly offset: number;
  /** Offset of the step before, if a transition is to blame. */
  readonly before: number;
}

/** Describes in words a behaviour that a constraint forbids. */
export function contradictionMessage(
  abstraction: Abstraction,
  { kind, trace, step }: Omit<Contradiction, 'message'>,
  { valuations, offset, before }: Place,
): string {
  const describe = (at: number): string => `{ ${abstraction.describe(valuations, at)} }`;
  const what = {
    state: () => `the state ${describe(offset)} is forbidden`,
    transition: () => `the transition from ${describe(before)} to ${describe(offset)} is forbidden`,
    end: () => `the run ends in ${describe(offset)}, which is forbidden`,
  }[kind]();
  return `trace "${trace}", step ${step}: ${what} by constraints.${kind}: ${abstraction.definition.constraints?.[kind]}`;
}

/** Advice for a contradiction that ends learning. */
export const CONTRADICTION_ADVICE =
  'correct the constraint or the data, or set learning.onContradiction to dropTrace or accept';

/** Explains in words why there is nothing to learn from. */
export function nothingCounted({
  empty,
  skipped,
  dropped,
}: Pick<LearningReport, 'empty' | 'skipped' | 'dropped'>): string {
  const left = [
    [empty, 'had no step'],
    [skipped.count, 'were skipped because a predicate failed or time was irregular'],
    [dropped, 'were dropped because they contradict a constraint'],
  ].filter(([count]) => count !== 0);
  const why = left.map(([count, what]) => `${count} ${what}`).join(', ');
  return `there are no traces to learn from${why && ` (${why})`}; give at least one trace with a step`;
}

/** The failure of a predicate, with its trace and step. */
export function placed(
  cause: EvaluationError,
  trace: string,
  step: number,
  notRecorded?: Trace['notRecorded'],
): EvaluationError {
  const { predicate, missingField, message } = cause;
  const field = notRecordedField(cause, notRecorded);
  const why =
    field === undefined ? adviceOnAbsent(cause) : `; the recording does not tell it: ${notRecorded?.[field]}`;
  return new EvaluationError(`trace "${trace}", step ${step}: ${message}${why}`, {
    ...(predicate !== undefined && { predicate }),
    ...(missingField !== undefined && { missingField }),
    cause,
  });
}
