import type { CharacterSet } from './characterSet.js';

/** The truth values that a predicate may have of a text, as bits: it may also have none, as a function on texts that reads no such text. */
export const FALSE = 1;
export const TRUE = 2;
export const NONE = 4;

/**
 * A predicate over texts as a deterministic automaton that reads code points, with truth values at its states (a Moore machine). States are made as they are
 * reached; `tabulate` makes them all.
 */
export interface Machine<S extends number | string = number | string> {
  /** Code points that are in the same of these sets are read alike in every state. */
  readonly sets: readonly CharacterSet[];
  readonly start: S;
  next(state: S, codePoint: number): S;
  /** The truth values of texts that end in the state, as bits; several where the machine knows no better. */
  outcomes(state: S): number;
  /**
   * The partial function through which the predicate reads its text, such as `domainOf`; absent if it reads the text itself. Predicates that read through the
   * same function have no value of the same texts.
   */
  readonly through?: string;
  /** Whether the function may have no value of texts that end in the state, for a reason that the machine does not follow. Default: no. */
  doubts?(state: S): boolean;
  /** Length in code points from which the function may have no value for a reason that the machine does not follow. Default: infinite. */
  readonly exactBelow?: number;
  /** Whether few states say the same, so that looking for them is not worth the time. Default: no. */
  readonly isSmall?: boolean;
  /** If the machine tells the values of several predicates: its outcomes are numbers of its own, and this says what the predicates can be together. */
  readonly together?: Together;
}

/** Several predicates of one machine. */
export interface Together {
  readonly predicates: number;
  /** The values that the predicates, in order, may have in states of this outcome. */
  of(outcome: number): readonly (readonly number[])[];
}
