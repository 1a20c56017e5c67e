import { PairTable } from '../../base/pairTable.js';
import { aligned } from './aligned.js';
import type { Automaton } from './automaton.js';
import { Combination, DecisionDiagram, type Effortful, leaf, Substitution } from './decisionDiagram.js';

/** The number of the empty list. */
const EMPTY = 0;

/** The number that stands for all tuples with a state that was said to be lost. */
export const LOST = 1;

/** Number of nodes beyond those of the automata themselves after which a diagram is given up for a new one. */
const SPARE_NODES = 50_000;

/**
 * The successors of tuples of states, one of each automaton, when all read the same valuation, as functions of the valuation. Tuples are numbered; numbers stay
 * when diagrams are given up.
 */
export class TupleSuccessors {
  /** The predicates of all automata, in the order of the diagrams' variables. */
  readonly variables: readonly string[];
  readonly #automata: readonly Automaton[];
  readonly #effort: Effortful | null;
  readonly #lists = new ListNumbers();
  readonly #isLost: (place: number, state: number) => boolean;
  #diagram!: DecisionDiagram;
  #append!: Combination;
  #roots!: readonly (readonly number[])[];
  #most = 0;

  /**
   * @param variables an order of the predicates of all automata; default: as they come
   * @param isLost whether a state of the automaton at a place makes a tuple uninteresting; all such tuples are `LOST`, and cost nothing. Default: never
   */
  constructor(
    automata: readonly Automaton[],
    effort: Effortful | null = null,
    variables: readonly string[] = [...new Set(automata.flatMap(({ predicates }) => predicates))],
    isLost: (place: number, state: number) => boolean = () => false,
  ) {
    this.#isLost = isLost;
    this.#automata = automata;
    this.#effort = effort;
    this.variables = variables;
    this.#renew();
  }

  /** The function whose leaves are the numbers of the tuples that follow; `nodes` is laid out as in `Automaton.nodes`. */
  of(tuple: readonly number[]): { readonly nodes: ArrayLike<number>; readonly root: number } {
    // Combinations are rarely reused across many tuples, so they are discarded when they have grown; only the lists are kept.
    if (this.#diagram.nodes.length > 3 * this.#most) this.#renew();
    const root = tuple.reduce(
      (all, state, place) => this.#append.of(all, this.#roots[place][state]),
      leaf(EMPTY),
    );
    return { nodes: this.#diagram.nodes, root };
  }

  /** The tuple of a number. */
  members(tuple: number): readonly number[] {
    return this.#lists.members(tuple);
  }

  #renew(): void {
    const diagram = new DecisionDiagram(this.#effort);
    this.#diagram = diagram;
    this.#roots = this.#automata.map((automaton, place) => {
      const marked = new Substitution(diagram, diagram, (state) =>
        this.#isLost(place, state) ? 0 : state + 1,
      );
      return aligned(automaton, this.variables, diagram).map((root) => marked.of(root));
    });
    // A leaf holds 0 for a lost state, and otherwise the state's number plus 1.
    this.#append = new Combination(diagram, (list, state) =>
      list === LOST || state === 0 ? LOST : this.#lists.with(list, state - 1),
    );
    this.#most = 2 * (diagram.nodes.length / 3) + SPARE_NODES;
  }
}

/** Numbers lists of numbers: a list is the pair of its prefix without the last member, and that member. */
class ListNumbers {
  readonly #pairs = new PairTable();

  constructor() {
    // No list is this pair, whose number is `LOST`.
    this.#pairs.add(-1, -1);
  }

  with(list: number, member: number): number {
    return this.#pairs.add(list, member) + 1;
  }

  members(list: number): number[] {
    const members: number[] = [];
    for (let rest = list; rest !== EMPTY; rest = this.#pairs.first(rest - 1))
      members.unshift(this.#pairs.second(rest - 1));
    return members;
  }
}
