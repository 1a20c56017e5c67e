import type { LearntView } from '../../estimation/learning/index.js';
import { Abstraction } from '../../observations/abstraction/index.js';
import type { GuardFile } from '../../runtime/guard/index.js';
import type { Dtmc, Mdp } from '../../solvers/model/index.js';
import { guardedWords, type Specification } from '../specification/index.js';

/**
 * Guard files and everything shown to users number states from the first one after `start`, which is -1 there; a guard is never in `start`
 * or `end`. Everything else uses the model's numbers. Only this file converts between the two.
 */
export const fileState = (state: number): number => state - 1;

export const modelState = (state: number): number => state + 1;

/** A state as shown to users. */
export interface NamedState {
  /** From 0 in order of discovery, as in the guard file; -1 is the start, before the first step. */
  readonly state: number;
  readonly description: string;
  /** The description in the words of the predicates; absent if none has words. */
  readonly inWords?: string;
}

/** The states of a learnt model, including `start` and `end`, as shown to users. */
export function namedStates(
  specification: Specification,
  { states, start, end, valuations, words }: LearntView<Dtmc | Mdp>,
): NamedState[] {
  const described = new Abstraction(specification.abstraction);
  const { words: said } = guardedWords(specification);
  return Array.from({ length: states }, (_, s) => {
    if (s === start || s === end) return { state: fileState(s), description: s === start ? 'start' : 'end' };
    return {
      state: fileState(s),
      description: described.describe(valuations, s * words),
      ...(said !== undefined && { inWords: described.describe(valuations, s * words, undefined, said) }),
    };
  });
}

/** A table with `width` entries per state, without the entries of `start` and `end`. */
export function fileEntries<T>(table: readonly T[], width: number): T[] {
  return table.slice(width, -width);
}

/** The states and the observed transitions between them, as in a guard file. */
export function fileStates({
  start,
  end,
  words,
  valuations,
  draws,
  rowStart,
  columns,
  counts,
}: LearntView): Pick<GuardFile, 'states' | 'seen'> {
  const seen = { rowStart: [0], columns: [] as number[] };
  for (let s = start + 1; s < end; s++) {
    for (let i = rowStart[s]; i < rowStart[s + 1]; i++) {
      if (counts[i] > 0 && columns[i] !== end) seen.columns.push(fileState(columns[i]));
    }
    seen.rowStart.push(seen.columns.length);
  }
  return {
    states: { words, valuations: fileEntries([...valuations], words), draws: fileEntries([...draws], 1) },
    seen,
  };
}
