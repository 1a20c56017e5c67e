import type { Automaton } from './automaton.js';
import { leaves } from './decisionDiagram.js';
import { TupleSuccessors } from './tupleSuccessors.js';

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
  const successors = new TupleSuccessors(automata);
  const tuples: (readonly number[])[] = [automata.map(({ initial }) => initial)];
  const entered = new Set<number>();
  for (let i = 0; i < tuples.length; i++) {
    const tuple = tuples[i];
    if (isFinal(tuple)) continue;
    const { nodes, root } = successors.of(tuple);
    for (const list of leaves(nodes, root)) {
      if (entered.has(list)) continue;
      if (tuples.length > most) return null;
      entered.add(list);
      tuples.push(successors.members(list));
    }
  }
  return tuples;
}
