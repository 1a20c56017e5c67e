import { NotSupportedError } from '../../../base/errors.js';
import { type Alternatives, type Clause, conjunction, weakest } from '../alternatives.js';
import { FALSE_TERM, type LtlTerms, type Term, TRUE_TERM } from './terms.js';

/** A disjunction of clauses: all terms of some clause must hold from the next position on. */
export type Clauses = Alternatives;

export const TRUTH: Clauses = [[]];
export const FALSITY: Clauses = [];

/** Every pair of clauses is compared, so twice as many take four times as long. */
const MAX_CLAUSES = 1024;

/** Disjunctive normal forms over terms: the monotone Boolean functions of the remaining obligations. */
export class ClauseAlgebra {
  readonly #terms: LtlTerms;
  constructor(terms: LtlTerms) {
    this.#terms = terms;
  }

  /** Converts a term that must hold from the next position on to clauses. */
  of(term: Term): Clauses {
    if (term === FALSE_TERM) return FALSITY;
    if (term === TRUE_TERM) return this.#terms.readsAhead ? [[TRUE_TERM]] : TRUTH;
    const node = this.#terms.node(term);
    const { propositional, suspendable } = this.#terms.traitsOf(term);
    if (propositional || suspendable || (node.kind !== 'and' && node.kind !== 'or')) return [[term]];
    const parts = node.operands.map((operand) => this.of(operand));
    return node.kind === 'and'
      ? parts.reduce((all, part) => this.and(all, part))
      : parts.reduce((all, part) => this.or(all, part));
  }

  /** Converts clauses back to a term. */
  term(clauses: Clauses): Term {
    return this.#terms.or(clauses.map((clause) => this.#terms.and(clause)));
  }

  or(left: Clauses, right: Clauses): Clauses {
    if (left.length === 0) return right;
    if (right.length === 0) return left;
    return this.#weakest([...left, ...right]);
  }

  and(left: Clauses, right: Clauses): Clauses {
    if (left === TRUTH) return right;
    if (right === TRUTH) return left;
    if (left.length * right.length > MAX_CLAUSES ** 2) tooMany();
    return this.#weakest(left.flatMap((a) => right.map((b) => conjunction(a, b, this.#implies))));
  }

  #weakest(clauses: readonly Clause[]): Clauses {
    return weakest(clauses, this.#implies, MAX_CLAUSES) ?? tooMany();
  }

  /** Whether a term implies another at the same position, and becomes known to hold no earlier than the other. */
  readonly #implies = (strong: Term, weak: Term): boolean => {
    if (strong === weak || weak === TRUE_TERM) return true;
    const a = this.#terms.node(strong);
    const b = this.#terms.node(weak);
    if (b.kind === 'until' && b.right === strong) return true;
    if (a.kind === 'release' && a.right === weak) return true;
    if (a.kind === 'until' && b.kind === 'until')
      return a.left === b.left && a.right === b.right && reaches(b.to, a.to);
    if (a.kind === 'release' && b.kind === 'release')
      return a.left === b.left && a.right === b.right && reaches(a.to, b.to);
    return false;
  };
}

function reaches(far: number | null, near: number | null): boolean {
  return far === null || (near !== null && far >= near);
}

function tooMany(): never {
  throw new NotSupportedError(
    `a state of the automaton of this path formula has more than ${MAX_CLAUSES} alternatives: split it into smaller formulas`,
  );
}
