import type { Automaton } from './automaton.js';
import { leaves } from './decisionDiagram.js';

/** States that one more valuation can lead to from state `q`, ascending. */
export function successors(automaton: Automaton, q: number): number[] {
  return leaves(automaton.nodes, automaton.roots[q]);
}

/** States that some word of at least one valuation leads to, ascending: where a monitor can be after its first step. */
export function statesAfterWords(automaton: Automaton): number[] {
  const reached = new Set(successors(automaton, automaton.initial));
  // A set is iterated in order of insertion, additions during the loop included.
  for (const q of reached) for (const next of successors(automaton, q)) reached.add(next);
  return [...reached].sort((a, b) => a - b);
}
