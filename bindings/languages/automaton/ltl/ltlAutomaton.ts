import { NotSupportedError } from '../../../base/errors.js';
import { ClauseAlgebra, type Clauses, FALSITY, TRUTH } from './clauses.js';
import { FALSE_TERM, type LtlTerms, type Term, TRUE_TERM } from './terms.js';

/** Letters of a word: 0 to `count - 1`, each with its own set of atoms. */
export interface Letters {
  readonly count: number;
  /** Whether an atom holds in a letter. */
  holds(letter: number, atom: number): boolean;
}

const DEFAULT_MAX_STATES = 100_000;

/**
 * The deterministic automaton of the remaining obligations of a formula, built on demand. Its states are formulas: a word that begins with
 * letter a satisfies state q iff the rest of the word satisfies `step(q, a)`. A co-safe formula holds iff a prefix leads to `TRUE_STATE`, a
 * safe one fails iff one leads to `FALSE_STATE`.
 *
 * @see Bacchus, Kabanza (1998), doi:10.1023/A:1018985923441; Esparza, Křetínský, Sickert (2018), doi:10.1145/3209108.3209161
 */
export class LtlAutomaton {
  static readonly TRUE_STATE = 0;
  static readonly FALSE_STATE = 1;

  readonly #algebra: ClauseAlgebra;
  readonly #contents: Clauses[] = [];
  readonly #numbers = new Map<string, number>();
  /** For each state, the successor under each letter; -1 if not yet computed. */
  readonly #next: (Int32Array | undefined)[] = [];
  /** The remaining obligation of each term after a letter, by term * letters + letter. */
  readonly #expansions = new Map<number, Clauses>();
  readonly #maxStates: number;

  constructor(
    readonly terms: LtlTerms,
    readonly letters: Letters,
    maxStates = DEFAULT_MAX_STATES,
  ) {
    this.#maxStates = maxStates;
    this.#algebra = new ClauseAlgebra(terms);
    this.#intern(TRUTH);
    this.#intern(FALSITY);
  }

  /** States found so far. */
  get states(): number {
    return this.#contents.length;
  }

  /**
   * The state of a term before any letter is read.
   * @throws NotSupportedError if there are too many states, or too many alternatives in a state, here and in `step`
   */
  stateOf(term: Term): number {
    return this.#intern(this.#algebra.of(term));
  }

  /** The term that a state represents. */
  termOf(state: number): Term {
    return this.#algebra.term(this.#contents[state]);
  }

  /** The state after a letter, created on first request. */
  step(state: number, letter: number): number {
    this.#next[state] ??= new Int32Array(this.letters.count).fill(-1);
    const successors = this.#next[state];
    if (successors[letter] < 0) successors[letter] = this.#successor(state, letter);
    return successors[letter];
  }

  #successor(state: number, letter: number): number {
    let result = FALSITY;
    for (const clause of this.#contents[state]) {
      let left = TRUTH;
      for (const term of clause) {
        left = this.#algebra.and(left, this.#expand(term, letter));
        if (left.length === 0) break;
      }
      result = this.#algebra.or(result, left);
    }
    return this.#intern(result);
  }

  /** The obligation that a term leaves for the next position after a letter is read. */
  #expand(term: Term, letter: number): Clauses {
    if (term === TRUE_TERM) return TRUTH;
    if (term === FALSE_TERM) return FALSITY;
    const key = term * this.letters.count + letter;
    const known = this.#expansions.get(key);
    if (known !== undefined) return known;
    const expansion = this.#expandNew(term, letter);
    this.#expansions.set(key, expansion);
    return expansion;
  }

  #expandNew(term: Term, letter: number): Clauses {
    const { terms } = this;
    const algebra = this.#algebra;
    // A suspendable term holds here iff it holds from the next position on.
    if (terms.traitsOf(term).suspendable) return algebra.of(term);
    const node = terms.node(term);
    switch (node.kind) {
      case 'true':
        return TRUTH;
      case 'false':
        return FALSITY;
      case 'literal':
        return this.letters.holds(letter, node.atom) === node.positive ? TRUTH : FALSITY;
      case 'and':
        return node.operands.reduce<Clauses>(
          (all, part) => (all.length === 0 ? all : algebra.and(all, this.#expand(part, letter))),
          TRUTH,
        );
      case 'or':
        return node.operands.reduce<Clauses>(
          (all, part) => algebra.or(all, this.#expand(part, letter)),
          FALSITY,
        );
      case 'delay':
        return algebra.of(terms.delay(node.steps - 1, node.operand));
      default: {
        const { kind, left, right, to } = node;
        const shorter = to === null ? null : to - 1;
        const now = this.#expand(right, letter);
        const meanwhile = this.#expand(left, letter);
        // The window is not empty: `terms` replaces an until with an empty window by its right side.
        return kind === 'until'
          ? algebra.or(now, algebra.and(meanwhile, algebra.of(terms.until(left, right, shorter))))
          : algebra.and(now, algebra.or(meanwhile, algebra.of(terms.release(left, right, shorter))));
      }
    }
  }

  #intern(clauses: Clauses): number {
    const key = clauses.map((clause) => clause.join()).join(';') + (clauses.length === 0 ? '-' : '');
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const state = this.#contents.length;
    if (state >= this.#maxStates) {
      throw new NotSupportedError(
        `the automaton of this path formula has more than ${this.#maxStates} states: shorten its bounds, or split it into smaller formulas`,
      );
    }
    this.#contents.push(clauses);
    this.#numbers.set(key, state);
    return state;
  }
}
