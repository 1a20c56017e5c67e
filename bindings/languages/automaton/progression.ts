import { Combination, type DecisionDiagram, leaf, Substitution } from './decisionDiagram.js';
import { EMPTY_MEMORY, History } from './history.js';
import type { NormalForms, Term } from './normalForm.js';
import { TRUE_TERM } from './normalForm.js';
import { IMPOSSIBLE, NO_OBLIGATION, type Obligation, Obligations } from './obligations.js';
import { SequenceTable } from './sequenceTable.js';
import { Tally } from './tally.js';
import type { Transitions } from './transitions.js';

/**
 * Builds the deterministic automaton of a term by progression. A state is an obligation together with the memories of past operators;
 * reading a valuation turns the obligation on the next position into the obligation on the position after it.
 *
 * @throws NotSupportedError if that takes more states, or more effort, than is allowed
 * @see Bacchus, Kabanza (1998), doi:10.1023/A:1018985923441; for the past Havelund, Roşu (2002), doi:10.1007/3-540-46002-0_24
 */
export function automatonOf(forms: NormalForms, term: Term): Transitions {
  return new Progression(forms, term).explore();
}

/** The cost of stepping one history, in addition to the nodes it requests, in comparisons of two obligations. */
const STEPS_PER_MEMORY = 800;

class Progression {
  readonly #diagram: DecisionDiagram;
  readonly #obligations: Obligations;
  readonly #both: Combination;
  readonly #either: Combination;
  /** One history for each past operator in the term, inner ones first. */
  readonly #histories: readonly (History | Tally)[];
  /** Whether a term reads the past, so that its value depends on the state as well as on the valuation. */
  readonly #readingPast = new Map<Term, boolean>();
  /** Values of past terms in the current state. */
  #current = new Map<Term, number>();
  readonly #values = new Map<Term, number>();
  /** For each state, its obligation, then a memory for each history. */
  readonly #states: (readonly number[])[] = [];
  readonly #numbers = new SequenceTable();
  readonly #forms: NormalForms;
  readonly #term: Term;

  constructor(forms: NormalForms, term: Term) {
    this.#forms = forms;
    this.#term = term;
    this.#diagram = forms.diagram;
    this.#obligations = new Obligations(forms);
    this.#both = new Combination(this.#diagram, (a, b) => this.#obligations.and(a, b));
    this.#either = new Combination(this.#diagram, (a, b) => this.#obligations.or(a, b));
    this.#histories = [...this.#partsOf(term)]
      .sort((a, b) => a - b)
      .flatMap((part): (History | Tally)[] => {
        const node = forms.node(part);
        if (node.kind === 'count') return [new Tally(part, node, this.#diagram, forms.effort)];
        return node.kind === 'since' || node.kind === 'trigger'
          ? [new History(part, node, this.#obligations, this.#diagram)]
          : [];
      });
  }

  explore(): Transitions {
    this.#stateOf([this.#beforeTrace(this.#term), ...this.#histories.map(() => EMPTY_MEMORY)]);
    const toState =
      this.#histories.length === 0
        ? new Substitution(this.#diagram, this.#diagram, (obligation) => this.#stateOf([obligation]))
        : null;
    const roots: number[] = [];
    for (let q = 0; q < this.#states.length; q++) {
      roots.push(
        toState === null ? this.#withPast(this.#states[q]) : toState.of(this.#progress(this.#states[q][0])),
      );
    }
    const accepting = Uint8Array.from(this.#states, ([obligation]) =>
      Number(this.#obligations.metAtEnd(obligation)),
    );
    return { diagram: this.#diagram, roots, accepting };
  }

  /** Successors with past operators: first their memories after this position, then the values that depend on them. */
  #withPast([obligation, ...memories]: readonly number[]): number {
    this.#forms.effort.spend(STEPS_PER_MEMORY * memories.length);
    this.#current = new Map();
    const after = this.#histories.map((history, i) => {
      const memory = history.step(
        memories[i],
        (term) => this.#value(term),
        (left) => this.#progress(left),
      );
      this.#current.set(history.term, history.value(memory));
      return memory;
    });
    // A list of numbers grows by one entry at a time until it is a state.
    const lists: (readonly number[])[] = [];
    const append = (list: readonly number[], number: number): number => lists.push([...list, number]) - 1;
    const first = new Substitution(this.#diagram, this.#diagram, (left) => append([], left)).of(
      this.#progress(obligation),
    );
    const tuple = after.reduce(
      (all, memory) =>
        new Combination(this.#diagram, (list, number) => append(lists[list], number)).of(all, memory),
      first,
    );
    return new Substitution(this.#diagram, this.#diagram, (list) => this.#stateOf(lists[list])).of(tuple);
  }

  /** The remainder of an obligation about the position being read, as a function of the valuation. */
  #progress(obligation: Obligation): number {
    return this.#obligations
      .termsOf(obligation)
      .map((terms) => terms.reduce((all, term) => this.#both.of(all, this.#value(term)), leaf(NO_OBLIGATION)))
      .reduce((all, one) => this.#either.of(all, one), leaf(IMPOSSIBLE));
  }

  /** The obligation of a term at the position being read, as a function of the valuation. */
  #value(term: Term): number {
    const known = this.#readsPast(term) ? this.#current : this.#values;
    let result = known.get(term);
    if (result === undefined) {
      result = this.#compute(term);
      known.set(term, result);
    }
    return result;
  }

  #compute(term: Term): number {
    const node = this.#forms.node(term);
    switch (node.kind) {
      // Leaves of Boolean functions and obligations agree: 0 is false and impossible, 1 is true and met.
      case 'guard':
        return node.root;
      case 'and':
        return node.operands.map((part) => this.#value(part)).reduce((a, b) => this.#both.of(a, b));
      case 'or':
        return node.operands.map((part) => this.#value(part)).reduce((a, b) => this.#either.of(a, b));
      case 'next':
        return leaf(this.#obligations.next(node.operand, node.strong));
      case 'since':
      case 'trigger':
      case 'count':
        throw new Error('a past operator is valued by its history');
      default: {
        const { kind, left, right, from, to } = node;
        const strong = kind === 'until';
        const rest = this.#forms.modality(kind, left, right, {
          from: Math.max(from - 1, 0),
          to: to === null ? null : to - 1,
        });
        const later = leaf(this.#obligations.next(rest, strong));
        const meanwhile = strong
          ? this.#both.of(this.#value(left), later)
          : this.#either.of(this.#value(left), later);
        if (from > 0) return meanwhile;
        return strong
          ? this.#either.of(this.#value(right), meanwhile)
          : this.#both.of(this.#value(right), meanwhile);
      }
    }
  }

  /** The obligation before anything has been read; the trace may be empty. */
  #beforeTrace(term: Term): Obligation {
    const node = this.#forms.node(term);
    switch (node.kind) {
      case 'and':
        return node.operands
          .map((part) => this.#beforeTrace(part))
          .reduce((a, b) => this.#obligations.and(a, b));
      case 'or':
        return node.operands
          .map((part) => this.#beforeTrace(part))
          .reduce((a, b) => this.#obligations.or(a, b));
      case 'next':
        return this.#obligations.next(term, node.strong);
      case 'guard':
        return term === TRUE_TERM ? NO_OBLIGATION : this.#obligations.next(term, true);
      case 'count':
        return this.#obligations.next(term, node.least > 0 !== node.negated);
      default:
        return this.#obligations.next(term, node.kind === 'until' || node.kind === 'since');
    }
  }

  #partsOf(term: Term, found = new Set<Term>()): Set<Term> {
    if (!found.has(term)) {
      found.add(term);
      for (const part of this.#forms.partsOf(term)) this.#partsOf(part, found);
    }
    return found;
  }

  #readsPast(term: Term): boolean {
    let result = this.#readingPast.get(term);
    if (result === undefined) {
      const { kind } = this.#forms.node(term);
      result =
        kind === 'count' ||
        kind === 'since' ||
        kind === 'trigger' ||
        this.#forms.partsOf(term).some((part) => this.#readsPast(part));
      this.#readingPast.set(term, result);
    }
    return result;
  }

  #stateOf(content: readonly number[]): number {
    // Memories no longer matter once the verdict is decided.
    const decided = content[0] === IMPOSSIBLE || content[0] === NO_OBLIGATION;
    const number = this.#numbers.add(decided ? content.slice(0, 1) : content);
    if (number === this.#states.length) this.#forms.effort.found(this.#states.push(content));
    return number;
  }
}
