import { InvalidArgumentError } from '../../base/errors.js';

/**
 * What a learner forgets, for agents that change. With `window` only the last so many count: traces; draws of each state (so that
 * states that are seldom visited keep theirs); or what began within so many seconds. With `halfLife` what was seen counts half
 * after so many further traces, draws of the same state, or seconds; counts are real weights then.
 *
 * Draws that are kept or weighted by their age are no longer what the certificates are stated for, so they are refused.
 */
export type Forgetting =
  | { readonly window: number; readonly of: 'traces' | 'draws' | 'seconds' }
  | { readonly halfLife: number; readonly of: 'traces' | 'draws' | 'seconds' };

/** What still counts of a tally. */
export interface Memory {
  readonly forgetting: Forgetting;
  /** How much an entry counts: 0 is forgotten. */
  count(entry: number): number;
}

/** A memory that is told what is counted. Entries and rows are those of the tally. */
export interface LearnersMemory extends Memory {
  /** A draw was counted; one from OUTSIDE begins a run. */
  drawn(from: number, entry: number): void;
  /** Time is `seconds` now. */
  advance(seconds: number): void;
  /** Whether a state is still among the chain's. */
  isKept(state: number): boolean;
  /** All that `load` needs, as JSON. */
  save(): unknown;
  load(saved: unknown): void;
}

/** @throws InvalidArgumentError if a length is no positive number, or one of whole things is not whole */
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
