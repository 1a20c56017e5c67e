import { NotSupportedError } from '../../errors.js';
import { FALSE, type LtlTerms, type Term, TRUE } from './terms.js';

/** Formulas that are all to hold from the next position on; ascending. */
export type Clause = readonly Term[];

/** A disjunction of clauses, none implied by another: `[[]]` is true, `[]` is false. */
export type Clauses = readonly Clause[];

export const TRUTH: Clauses = [[]];
export const FALSITY: Clauses = [];

/** Each is compared with each, so that twice as many take four times as long. */
const MAX_CLAUSES = 1024;

/** Disjunctive normal forms over terms, the monotone Boolean functions of what is left to be shown. */
export class ClauseAlgebra {
  constructor(private readonly terms: LtlTerms) {}

  /** A term as what has to hold from the next position on. */
  of(term: Term): Clauses {
    if (term === FALSE) return FALSITY;
    if (term === TRUE) return this.terms.readsAhead ? [[TRUE]] : TRUTH;
    const node = this.terms.node(term);
    const { propositional, suspendable } = this.terms.traitsOf(term);
    if (propositional || suspendable || (node.kind !== 'and' && node.kind !== 'or')) return [[term]];
    const parts = node.operands.map((operand) => this.of(operand));
    return node.kind === 'and'
      ? parts.reduce((all, part) => this.and(all, part))
      : parts.reduce((all, part) => this.or(all, part));
  }

  /** Back to a term. */
  term(clauses: Clauses): Term {
    return this.terms.or(clauses.map((clause) => this.terms.and(clause)));
  }

  or(left: Clauses, right: Clauses): Clauses {
    if (left.length === 0) return right;
    if (right.length === 0) return left;
    return this.weakest([...left, ...right]);
  }

  and(left: Clauses, right: Clauses): Clauses {
    if (left === TRUTH) return right;
    if (right === TRUTH) return left;
    if (left.length * right.length > MAX_CLAUSES ** 2) tooMany();
    return this.weakest(left.flatMap((a) => right.map((b) => this.conjunction(a, b))));
  }

  private conjunction(a: Clause, b: Clause): Clause {
    const all = [...new Set([...a, ...b])].sort((x, y) => x - y);
    return all.filter((term) => !all.some((other) => other !== term && this.implies(other, term)));
  }

  /** Clauses that no other one is implied by; of equal ones the first. */
  private weakest(clauses: readonly Clause[]): Clauses {
    let kept: Clause[] = [];
    for (const clause of clauses.toSorted((a, b) => a.length - b.length)) {
      if (kept.some((weaker) => this.covers(weaker, clause))) continue;
      kept = kept.filter((stronger) => !this.covers(clause, stronger));
      kept.push(clause);
      if (kept.length > MAX_CLAUSES) tooMany();
    }
    return kept.sort(compare);
  }

  /** Whether whatever satisfies `strong` satisfies `weak`, as far as single terms tell. */
  private covers(weak: Clause, strong: Clause): boolean {
    return weak.every((term) => strong.includes(term) || strong.some((other) => this.implies(other, term)));
  }

  /** Whether a term implies another at the same position, and is known to hold no earlier. */
  private implies(strong: Term, weak: Term): boolean {
    if (strong === weak || weak === TRUE) return true;
    const a = this.terms.node(strong);
    const b = this.terms.node(weak);
    if (b.kind === 'until' && b.right === strong) return true;
    if (a.kind === 'release' && a.right === weak) return true;
    if (a.kind === 'until' && b.kind === 'until')
      return a.left === b.left && a.right === b.right && reaches(b.to, a.to);
    if (a.kind === 'release' && b.kind === 'release')
      return a.left === b.left && a.right === b.right && reaches(a.to, b.to);
    return false;
  }
}

function reaches(far: number | null, near: number | null): boolean {
  return far === null || (near !== null && far >= near);
}

function compare(a: Clause, b: Clause): number {
  for (let i = 0; i < a.length && i < b.length; i++) if (a[i] !== b[i]) return a[i] - b[i];
  return a.length - b.length;
}

function tooMany(): never {
  throw new NotSupportedError(
    `a state of the automaton of this path formula has more than ${MAX_CLAUSES} alternatives: split it into smaller formulas`,
  );
}
