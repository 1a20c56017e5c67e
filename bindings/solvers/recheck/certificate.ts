import type { Expression } from '../../languages/expression/index.js';

/** A statement about an input, which holds or does not. */
export type Claim =
  /** The value of an expression is one of these. */
  | { readonly kind: 'is'; readonly values: readonly ('true' | 'false' | 'none')[]; readonly of: Expression }
  | { readonly kind: 'and' | 'or'; readonly of: readonly Claim[] }
  | { readonly kind: 'not'; readonly of: Claim };

/**
 * Why no input fulfils a claim, as plain data: what the predicates over each input can be together, and how that was found. That no choice of these fulfils the
 * claim is for the reader to see.
 */
export interface Certificate {
  /** Together they cover all inputs. */
  readonly cases: readonly CaseCertificate[];
}

/** A certificate where some inputs, of few values each, have these. */
export interface CaseCertificate {
  readonly given: Readonly<Record<string, string | number | boolean | null>>;
  readonly inputs: readonly InputCertificate[];
}

/** What predicates over one input, or over an element of a list, can be together. */
export interface InputCertificate {
  /** The input; of elements `(element)`. */
  readonly input: string;
  /** The predicates, printed. */
  readonly atoms: readonly string[];
  /** All that they can be together, in their order: 1 is false, 2 is true, 4 is without a value. */
  readonly vectors: readonly (readonly number[])[];
  /** Of texts. */
  readonly text?: TextCertificate;
  /** Of lists: what the predicates in the bodies of quantifiers and counts can be of one element. */
  readonly elements?: InputCertificate;
}

/** Automata of which the product gives all vectors. */
export interface TextCertificate {
  /** The code points that begin intervals, ascending from 0, and the class of each interval. */
  readonly starts: readonly number[];
  readonly classes: readonly number[];
  readonly machines: readonly MachineCertificate[];
}

/** A deterministic automaton over the classes, with what predicates may be in each state. State 0 is the first. */
export interface MachineCertificate {
  /** The predicates, by their place in `atoms`. */
  readonly atoms: readonly number[];
  /** The successor of state s under class c, at `s * (number of classes) + c`. */
  readonly next: readonly number[];
  /** For each state the place in `possible` of what its predicates may be. */
  readonly outcomes: readonly number[];
  readonly possible: readonly (readonly (readonly number[])[])[];
  /** States of texts of which the function `through` may have no value, so that no predicate that reads through it has. */
  readonly doubts: readonly number[];
  readonly through: string | null;
  /** Length in code points from which that is so of all texts; null: never. */
  readonly exactBelow: number | null;
}

/** How many numbers a certificate has, about: its size as JSON is a few bytes for each. */
export function sizeOfCertificate({ cases }: Certificate): number {
  const sizeOf = ({ vectors, atoms, text, elements }: InputCertificate): number =>
    vectors.length * atoms.length +
    (text === undefined
      ? 0
      : text.machines.reduce((sum, { next }) => sum + next.length, text.starts.length)) +
    (elements === undefined ? 0 : sizeOf(elements));
  return cases.reduce((sum, { inputs }) => sum + inputs.reduce((all, one) => all + sizeOf(one), 1), 0);
}
