import { InvalidArgumentError, NotSupportedError } from '../../../base/errors.js';
import { WorkBudget } from '../../../base/workBudget.js';
import { type Automaton, SATISFIED, VIOLATED } from '../automaton.js';
import { contentOf } from '../decisionDiagram.js';
import { lightestPaths } from '../lightestPaths.js';
import { LOST, TupleSuccessors } from '../tupleSuccessors.js';

/** An automaton that is to accept a run, or to reject it. */
export interface Demand {
  readonly automaton: Automaton;
  readonly accepts: boolean;
}

/** A step from one tuple of states to another, by a valuation with the fewest true predicates that leads there. */
export interface Edge {
  readonly from: number;
  readonly to: number;
  /** The true predicates, by their places in `variables`. */
  readonly trues: readonly number[];
}

/** The vertex before the first step. It is no other vertex's successor, and never the end of a run, since a run has a step. */
export const START = 0;

const MAX_TUPLES = 100_000;

/** The cost of a tuple that is acceptable, in the units that requests for nodes of a decision diagram are charged in. */
const WORK_PER_TUPLE = 400;

/** The cost of an edge, in the same units. */
const WORK_PER_EDGE = 30;

/**
 * The graph of the tuples of states that automata reach when all read the same word, built as far as it is asked for. Tuples from which no run meets the
 * demands, by the verdict of one of them, are left out.
 */
export class TupleGraph {
  readonly variables: readonly string[];
  readonly #demands: readonly Demand[];
  readonly #successors: TupleSuccessors;
  readonly #budget: WorkBudget;
  readonly #most: number;
  /** The tuple of each vertex. */
  readonly #tuples: (readonly number[])[];
  /** The vertex of each tuple's number; -1 if it is left out. */
  readonly #vertices = new Map<number, number>();
  readonly #edges: (readonly Edge[] | undefined)[] = [];

  /** @throws InvalidArgumentError if `maxTuples` is no positive whole number */
  constructor(demands: readonly Demand[], maxTuples = MAX_TUPLES) {
    if (!Number.isSafeInteger(maxTuples) || maxTuples < 1)
      throw new InvalidArgumentError(`maxTuples is ${maxTuples}; expected a whole number from 1 up`);
    this.#demands = demands;
    this.#most = maxTuples;
    this.#budget = new WorkBudget({ limit: WORK_PER_TUPLE * maxTuples, refuse: () => this.#refusal('took') });
    const automata = demands.map(({ automaton }) => automaton);
    this.#tuples = [automata.map(({ initial }) => initial)];
    this.#successors = new TupleSuccessors(
      automata,
      { spend: (work) => this.#budget.charge(work) },
      undefined,
      (place, state) => automata[place].verdict[state] === (demands[place].accepts ? VIOLATED : SATISFIED),
    );
    this.variables = this.#successors.variables;
  }

  /** Number of vertices that were reached so far. */
  get size(): number {
    return this.#tuples.length;
  }

  /** Whether a run that ends here meets all demands. */
  isEnd(vertex: number): boolean {
    return (
      vertex !== START &&
      this.#demands.every(
        ({ automaton, accepts }, i) => (automaton.accepting[this.#tuples[vertex][i]] === 1) === accepts,
      )
    );
  }

  /** @throws NotSupportedError if there are more tuples, or takes more work, than is allowed */
  edges(vertex: number): readonly Edge[] {
    return (this.#edges[vertex] ??= this.#edgesOf(vertex));
  }

  #edgesOf(from: number): readonly Edge[] {
    const { nodes, root } = this.#successors.of(this.#tuples[from]);
    const edges: Edge[] = [];
    for (const [reached, trues] of lightestPaths(nodes, root, this.#budget)) {
      const to = this.#vertexOf(contentOf(reached));
      if (to < 0) continue;
      this.#budget.charge(WORK_PER_EDGE);
      edges.push({ from, to, trues });
    }
    return edges;
  }

  #vertexOf(number: number): number {
    let vertex = this.#vertices.get(number);
    if (vertex !== undefined) return vertex;
    vertex = number === LOST ? -1 : this.#tuples.push(this.#successors.members(number)) - 1;
    this.#vertices.set(number, vertex);
    if (this.#tuples.length > this.#most + 1) throw this.#refusal('has');
    return vertex;
  }

  #refusal(what: 'has' | 'took'): NotSupportedError {
    const found =
      what === 'has'
        ? `has more than ${this.#most} tuples of states`
        : `was given up at ${this.size} tuples of states: it takes more work than ${this.#most} should`;
    return new NotSupportedError(
      `the comparison of automata with ${this.#demands.map(({ automaton }) => automaton.states).join(', ')} states ${found}; ` +
        'shorten the windows of the rules, compare smaller rules or under fewer constraints, or raise maxTuples',
    );
  }
}
