import { PairTable } from '../../base/pairTable.js';
import type { Automaton } from './automaton.js';
import { Combination, contentOf, DecisionDiagram, leaf, leaves } from './decisionDiagram.js';

/**
 * The tuples of states that automata come to together, all reading the same word: the tuple of initial states, then those after some
 * word of at least one valuation. From tuples for which `isFinal` nothing more is read.
 *
 * @param most Tuples to be found; beyond that null.
 * @returns Tuples, one entry per automaton, the initial one first; it is there again if a word leads back to it.
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
    // What was combined for some tuples is hardly used by others; only their lists are kept.
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

/** Tuples for which one decision diagram is used. */
const BATCH = 4096;

/** Lists of the automaton states that one valuation can lead a tuple to: one automaton after the other, the list so far and one state more. */
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

/** The number of the list without members. */
const EMPTY = 0;

/** Numbers lists of numbers: a list is a pair of the list before its last member, and that member. */
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

/** An automaton's roots in a diagram whose variables are numbered as in `variables`, whatever order its own have. */
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
