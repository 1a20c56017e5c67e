import { NotSupportedError } from '../../../base/errors.js';
import { WorkBudget } from '../../../base/workBudget.js';
import { type Automaton, VIOLATED } from '../automaton.js';
import { contentOf } from '../decisionDiagram.js';
import { lightestPaths } from '../lightestPaths.js';
import { LOST, TupleSuccessors } from '../tupleSuccessors.js';
import type { GameOptions } from './lostPlays.js';

/** A choice of the agent after a move of its environment. */
export interface Choice {
  /** The vertex that it leads to; -1 if it breaks a rule. */
  readonly to: number;
  /** The rules that it breaks, by their places. */
  readonly broken: readonly number[];
  /** The agent's predicates that are true. */
  readonly trues: readonly string[];
}

/** What the environment may do at a step, and all that the agent can do then. At least one choice. */
export interface Move {
  readonly trues: readonly string[];
  readonly choices: readonly Choice[];
}

/** The cost of a tuple, in the units that requests for nodes of a decision diagram are charged in. */
const WORK_PER_TUPLE = 400;

/**
 * The graph of a game: at each step the environment chooses its predicates first, then the agent its own. Vertices are the tuples of states that the automata
 * reach as long as no rule is broken; 0 is the first.
 */
export class Arena {
  readonly moves: (readonly Move[])[] = [];
  /** For each vertex, the number of steps to it. */
  readonly depth: number[] = [0];
  readonly #tuples: (readonly number[])[];
  readonly #vertices = new Map<string, number>();

  /**
   * @param rules automata of which the agent must keep none violated
   * @throws NotSupportedError if there are more than `maxTuples` tuples, or they take more work than that many should
   */
  constructor(
    rules: readonly Automaton[],
    { assumed, agent, maxTuples, foresee = () => [], beginsUnbroken = false }: GameOptions,
  ) {
    const refuse = (): NotSupportedError =>
      new NotSupportedError(
        `the game of automata with ${[...rules, ...assumed].map(({ states }) => states).join(', ')} states was given up at ${this.moves.length} tuples of states, of ` +
          `${maxTuples} that are allowed; shorten the windows of the rules, check fewer rules together, or raise maxTuples`,
      );
    const budget = new WorkBudget({ limit: WORK_PER_TUPLE * maxTuples, refuse });
    // What is assumed comes first, because it leaves little of the rest.
    const automata = [...assumed, ...rules];
    const names = [...new Set(automata.flatMap(({ predicates }) => predicates))];
    const ofEnvironment = names.filter((name) => !agent.has(name));
    const variables = [...ofEnvironment, ...names.filter((name) => agent.has(name))];
    const isLost = (place: number, state: number): boolean =>
      place < assumed.length && automata[place].verdict[state] === VIOLATED;
    const effort = { spend: (work: number) => budget.charge(work) };
    const successors = new TupleSuccessors(automata, effort, variables, isLost);
    const named = (trues: readonly number[]): string[] => trues.map((variable) => variables[variable]);
    const start = automata.map(({ initial }) => initial);
    this.#tuples = [start];
    // Where a play may not begin broken, the same tuple later is another vertex: there all moves count.
    if (!beginsUnbroken) this.#vertices.set(`${start}`, 0);
    for (let vertex = 0; vertex < this.#tuples.length; vertex++) {
      if (vertex >= maxTuples) throw refuse();
      const { nodes, root } = successors.of(this.#tuples[vertex]);
      const isAgents = (reference: number): boolean =>
        reference < 0 || nodes[3 * reference] >= ofEnvironment.length;
      const moves: Move[] = [];
      for (const [after, trues] of lightestPaths(nodes, root, budget, isAgents)) {
        const choices: Choice[] = [];
        let isBroken = true;
        for (const [reached, own] of lightestPaths(nodes, after, budget)) {
          if (contentOf(reached) === LOST) continue;
          const tuple = successors.members(contentOf(reached));
          budget.charge(WORK_PER_TUPLE / 10);
          const now = rules.flatMap(({ verdict }, i) =>
            verdict[tuple[assumed.length + i]] === VIOLATED ? [i] : [],
          );
          if (now.length === 0) isBroken = false;
          const ahead = now.length > 0 ? [] : foresee(named(trues), named(own), tuple.slice(assumed.length));
          const broken = [...now, ...ahead];
          const to = broken.length > 0 ? -1 : this.#vertexOf(tuple, this.depth[vertex] + 1);
          choices.push({ to, broken, trues: named(own) });
        }
        const isNoBeginning = beginsUnbroken && vertex === 0 && isBroken;
        if (choices.length > 0 && !isNoBeginning) moves.push({ trues: named(trues), choices });
      }
      this.moves.push(moves.sort((a, b) => a.trues.length - b.trues.length));
    }
  }

  #vertexOf(tuple: readonly number[], depth: number): number {
    const key = `${tuple}`;
    let vertex = this.#vertices.get(key);
    if (vertex === undefined) {
      vertex = this.#tuples.push(tuple) - 1;
      this.#vertices.set(key, vertex);
      this.depth.push(depth);
    }
    return vertex;
  }
}
