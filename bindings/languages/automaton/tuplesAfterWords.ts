import { PairTable } from '../../base/pairTable.js';
import type { Automaton } from './automaton.js';
import { Combination, contentOf, DecisionDiagram, leaf, leaves } from './decisionDiagram.js';

/**
 * Enumerates the tuples of states that automata reach when all read the same word: the tuple of initial states, then those after some word
 * of at least one valuation. Tuples for which `isFinal` holds are not expanded.
 *
 * @param most Largest number of tuples; null is returned beyond it.
 * @returns Tuples, one entry per automaton, the initial tuple first; it occurs again if a word leads back to it.
 */
export function tuplesAfterWords(
  automata: readonly Automaton[],
  isFinal: (tuple: readonly number[]) => boolean,
  most: number,
): (readonly number[])[] | null {
  const variables = [...new Set(automata.flatMap(({ predicates }) => predicates))];
  const lists = new ListNumbers();
  const tuples: (readonly number[])[] = [automata.map(({ initial }) => initial)];
  const entered = new Set<number>();
  let successorsOf = combined(automata, variables, lists);
  for (let i = 0; i < tuples.length; i++) {
    const tuple = tuples[i];
    if (isFinal(tuple)) continue;
    // Combinations are rarely reused across tuples, so they are discarded after each batch; only the lists are kept.
    if (i % BATCH === BATCH - 1) successorsOf = combined(automata, variables, lists);
    for (const list of successorsOf(tuple)) {
      if (entered.has(list)) continue;
      if (tuples.length > most) return null;
      entered.add(list);
      tuples.push(lists.members(list));
    }
  }
  return tuples;
}

/** Number of tuples that share a decision diagram. */
const BATCH = 4096;

/** Computes the lists of states that one valuation can lead a tuple to, automaton by automaton: each list so far is extended by a state. */
function combined(
  automata: readonly Automaton[],
  variables: readonly string[],
  lists: ListNumbers,
): (tuple: readonly number[]) => number[] {
  const diagram = new DecisionDiagram();
  const append = new Combination(diagram, (list, state) => lists.with(list, state));
  const roots = automata.map((automaton) => aligned(automaton, variables, diagram));
  return (tuple) => {
    const next = tuple.reduce((all, state, place) => append.of(all, roots[place][state]), leaf(EMPTY));
    return leaves(diagram.nodes, next);
  };
}

/** The number of the empty list. */
const EMPTY = 0;

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

/** Converts an automaton's roots to a diagram whose variables are numbered as in `variables`, regardless of the automaton's own order. */
function aligned(
  { predicates, nodes, roots }: Automaton,
  variables: readonly string[],
  diagram: DecisionDiagram,
): number[] {
  const numbers = predicates.map((name) => variables.indexOf(name));
  const branches = new PairTable();
  const both = new Combination(diagram, (low, high) => branches.add(low, high));
  const choose = new Combination(diagram, (bit, branch) =>
    bit === 1 ? branches.second(branch) : branches.first(branch),
  );
  const done: (number | undefined)[] = [];
  const of = (reference: number): number => {
    if (reference < 0) return leaf(contentOf(reference));
    return (done[reference] ??= choose.of(
      diagram.node(numbers[nodes[3 * reference]], leaf(0), leaf(1)),
      both.of(of(nodes[3 * reference + 1]), of(nodes[3 * reference + 2])),
    ));
  };
  return Array.from(roots, of);
}
