import { type Automaton, OPEN, SATISFIED, VIOLATED } from './automaton.js';
import { isDecided, type Transitions } from './transitions.js';

/** A minimal automaton as data, with the verdict of each state. */
export function judged(predicates: readonly string[], automaton: Transitions): Automaton {
  return {
    predicates,
    states: automaton.roots.length,
    initial: 0,
    // In a minimal automaton all violated states are one state, which is never left; likewise all satisfied ones.
    verdict: automaton.roots.map((_, q) =>
      !isDecided(automaton, q) ? OPEN : automaton.accepting[q] === 1 ? SATISFIED : VIOLATED,
    ),
    accepting: Array.from(automaton.accepting),
    roots: automaton.roots,
    nodes: automaton.diagram.nodes,
  };
}
