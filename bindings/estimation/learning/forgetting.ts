import { InvalidArgumentError } from '../../base/errors.js';

/**
 * How a learner forgets, for agents that change. With `window` only the most recent data count: a number of traces; a number of draws of
 * each state (so that rarely visited states keep theirs); or traces that began within a number of seconds. With `halfLife` the weight of
 * data halves after a number of further traces, draws of the same state, or seconds; counts are then real weights.
 *
 * The certificates do not hold for draws kept or weighted by their age, so such models are refused.
 */
export type Forgetting =
  | { readonly window: number; readonly of: 'traces' | 'draws' | 'seconds' }
  | { readonly halfLife: number; readonly of: 'traces' | 'draws' | 'seconds' };

/** The part of a tally that still counts. */
export interface Memory {
  readonly forgetting: Forgetting;
  /** The weight of an entry; 0 means forgotten. */
  count(entry: number): number;
}

/** A memory that follows the counting. Entries and rows are those of the tally. */
export interface LearnersMemory extends Memory {
  /** A draw was counted; one from OUTSIDE begins a run. */
  drawn(from: number, entry: number): void;
  /** Sets the time to `seconds`. */
  advance(seconds: number): void;
  /** Whether a state is still part of the chain. */
  isKept(state: number): boolean;
  /** Everything that `load` needs, as JSON. */
  save(): unknown;
  load(saved: unknown): void;
}

/** @throws InvalidArgumentError if a length is not a positive number, or is not whole although it counts traces or draws */
export function checkForgetting(forgetting: Forgetting): void {
  const { of } = forgetting;
  const [name, length] =
    'window' in forgetting
      ? (['window', forgetting.window] as const)
      : (['halfLife', forgetting.halfLife] as const);
  if (!['traces', 'draws', 'seconds'].includes(of)) {
    throw new InvalidArgumentError(`forgetting.of is "${of}"; expected traces, draws or seconds`);
  }
  const whole = name === 'window' && of !== 'seconds';
  if (length > 0 && length < Infinity && (!whole || Number.isSafeInteger(length))) return;
  throw new InvalidArgumentError(
    `forgetting.${name} is ${length}; expected a ${whole ? 'whole' : 'positive'} number of ${of}${whole ? ', at least 1' : ''}`,
  );
}
