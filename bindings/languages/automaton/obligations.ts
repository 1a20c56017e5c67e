import { NotSupportedError } from '../../base/errors.js';
import { type Alternatives, type Clause, conjunction, covers, weakest } from './alternatives.js';
import { FALSE_TERM, type NormalForms, type Term, TRUE_TERM } from './normalForm.js';
import { SequenceTable } from './sequenceTable.js';

/** A condition that the rest of a trace must satisfy, by its number in `Obligations`. */
export type Obligation = number;

/** The obligation that cannot be met, and the one that is already met; their numbers equal the leaves of Boolean functions. */
export const IMPOSSIBLE: Obligation = 0;
export const NO_OBLIGATION: Obligation = 1;

/** The member of a clause that requires one more position. */
const MORE = -1;

const MAX_ALTERNATIVES = 1024;

/**
 * Monotone Boolean combinations of terms about the next position, each stored once. A term requires nothing if the trace ends before that
 * position; if the trace must continue, the clause contains `MORE`. Thus X p is `{MORE, p}`, WX p is `{p}`, and `{false}` requires the
 * trace to end here.
 */
export class Obligations {
  readonly #contents: Alternatives[] = [];
  readonly #numbers = new SequenceTable();
  readonly #weakOf: (Obligation | undefined)[] = [];
  readonly #more: Obligation;
  readonly #forms: NormalForms;

  constructor(forms: NormalForms) {
    this.#forms = forms;
    this.#intern([]);
    this.#intern([[]]);
    this.#more = this.#intern([[MORE]]);
  }

  /** The terms of each alternative. */
  termsOf(obligation: Obligation): readonly (readonly Term[])[] {
    return this.#contents[obligation].map((clause) => (clause[0] === MORE ? clause.slice(1) : clause));
  }

  /** Whether the obligation is met if the trace ends here. */
  metAtEnd(obligation: Obligation): boolean {
    return this.#contents[obligation].some((clause) => clause[0] !== MORE);
  }

  /** The obligation that a term holds at the next position, which must exist if `strong`. */
  next(term: Term, strong: boolean): Obligation {
    const weak = (this.#weakOf[term] ??= this.#weak(term));
    return strong ? this.and(this.#more, weak) : weak;
  }

  #weak(term: Term): Obligation {
    if (term === TRUE_TERM) return NO_OBLIGATION;
    const node = this.#forms.node(term);
    if (node.kind === 'and')
      return node.operands.map((part) => this.next(part, false)).reduce((a, b) => this.and(a, b));
    if (node.kind === 'or')
      return node.operands.map((part) => this.next(part, false)).reduce((a, b) => this.or(a, b));
    return this.#intern([[term]]);
  }

  and(a: Obligation, b: Obligation): Obligation {
    if (a === b || b === NO_OBLIGATION) return a;
    if (a === NO_OBLIGATION) return b;
    if (a === IMPOSSIBLE || b === IMPOSSIBLE) return IMPOSSIBLE;
    const others = this.#contents[b];
    const both = this.#contents[a].flatMap((one) =>
      others.map((other) => conjunction(one, other, this.#implies)),
    );
    // Members ascend: first MORE, then the constant false.
    return this.#reduced(both.filter((clause) => !(clause[0] === MORE && clause[1] === FALSE_TERM)));
  }

  or(a: Obligation, b: Obligation): Obligation {
    if (a === b || b === IMPOSSIBLE) return a;
    if (a === IMPOSSIBLE) return b;
    if (a === NO_OBLIGATION || b === NO_OBLIGATION) return NO_OBLIGATION;
    return this.#reduced([...this.#contents[a], ...this.#contents[b]]);
  }

  /** Whether `strong` implies `weak`, as far as comparing single terms shows. */
  entails(strong: Obligation, weak: Obligation): boolean {
    return this.#contents[strong].every((clause) =>
      this.#contents[weak].some((weaker) => covers(weaker, clause, this.#implies)),
    );
  }

  #reduced(clauses: readonly Clause[]): Obligation {
    const kept = weakest(clauses, this.#implies, MAX_ALTERNATIVES);
    if (kept !== null) {
      this.#forms.effort.met(kept.length);
      return this.#intern(kept);
    }
    throw new NotSupportedError(
      `a state of the rule's automaton has more than ${MAX_ALTERNATIVES} alternatives: shorten its windows, or split it into smaller rules`,
    );
  }

  readonly #implies = (strong: number, weak: number): boolean => {
    this.#forms.effort.spend(1);
    if (strong === weak) return true;
    if (strong === MORE || weak === MORE) return false;
    if (strong === FALSE_TERM) return true;
    const a = this.#forms.node(strong);
    const b = this.#forms.node(weak);
    if (b.kind === 'until' && b.right === strong && b.from === 0) return true;
    if (a.kind === 'release' && a.right === weak && a.from === 0) return true;
    if (!('left' in a) || !('left' in b) || a.kind !== b.kind || a.left !== b.left || a.right !== b.right)
      return false;
    // An event within a window is within any wider one; a condition that holds throughout a window holds throughout any narrower one.
    const [inner, outer] = a.kind === 'until' || a.kind === 'since' ? [a, b] : [b, a];
    return inner.from >= outer.from && (outer.to === null || (inner.to !== null && inner.to <= outer.to));
  };

  #intern(clauses: Alternatives): Obligation {
    const content = clauses.flatMap((clause) => [clause.length, ...clause]);
    this.#forms.effort.spend(2 * content.length);
    const number = this.#numbers.add(content);
    if (number === this.#contents.length) this.#contents.push(clauses);
    return number;
  }
}
