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

/** States that one more valuation can lead to from state `q`, ascending, if the predicates have these values; undefined is either. */
export function successorsUnder(
  automaton: Automaton,
  q: number,
  value: (predicate: number) => boolean | undefined,
): number[] {
  const { nodes, roots } = automaton;
  const found = new Set<number>();
  const visited = new Set<number>();
  const visit = (reference: number): void => {
    if (reference < 0) {
      found.add(-reference - 1);
      return;
    }
    if (visited.has(reference)) return;
    visited.add(reference);
    const known = value(nodes[3 * reference]);
    if (known !== true) visit(nodes[3 * reference + 1]);
    if (known !== false) visit(nodes[3 * reference + 2]);
  };
  visit(roots[q]);
  return [...found].sort((a, b) => a - b);
}
