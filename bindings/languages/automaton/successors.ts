import type { Automaton } from './automaton.js';
import { leaves } from './decisionDiagram.js';

/** States that one more valuation can lead to from state `q`, ascending. */
export function successors(automaton: Automaton, q: number): number[] {
  return leaves(automaton.nodes, automaton.roots[q]);
}

/** States that some word of at least one valuation leads to, ascending: the possible states of a monitor after its first step. */
export function statesAfterWords(automaton: Automaton): number[] {
  const reached = new Set(successors(automaton, automaton.initial));
  // Iteration of a set includes elements added during the loop.
  for (const q of reached) for (const next of successors(automaton, q)) reached.add(next);
  return [...reached].sort((a, b) => a - b);
}
