import { PairTable } from '../../base/pairTable.js';
import { aligned } from './aligned.js';
import type { Automaton } from './automaton.js';
import { Combination, DecisionDiagram, type Effortful, leaf } from './decisionDiagram.js';

/** The number of the empty list. */
const EMPTY = 0;

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
  #diagram!: DecisionDiagram;
  #append!: Combination;
  #roots!: readonly (readonly number[])[];
  #most = 0;

  constructor(automata: readonly Automaton[], effort: Effortful | null = null) {
    this.#automata = automata;
    this.#effort = effort;
    this.variables = [...new Set(automata.flatMap(({ predicates }) => predicates))];
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
    this.#roots = this.#automata.map((automaton) => aligned(automaton, this.variables, diagram));
    this.#append = new Combination(diagram, (list, state) => this.#lists.with(list, state));
    this.#most = 2 * (diagram.nodes.length / 3) + SPARE_NODES;
  }
}

/** Numbers lists of numbers: a list is the pair of its prefix without the last member, and that member. */
class ListNumbers {
  readonly #pairs = new PairTable();

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
