import { PairTable } from '../../base/pairTable.js';
import { Combination, DecisionDiagram, leaf } from './decisionDiagram.js';
import type { Effort } from './effort.js';
import { isDecided, type Transitions } from './transitions.js';

/**
 * The product automaton, which accepts the words that both automata accept (`and`) or that either accepts (`or`). Its states are the
 * reachable pairs; all pairs that one side decides are one state.
 */
export function conjoin(kind: 'and' | 'or', a: Transitions, b: Transitions, effort: Effort): Transitions {
  const diagram = new DecisionDiagram(effort);
  const pairs = new PairTable();
  const decisive = kind === 'and' ? 0 : 1;
  const decides = (side: Transitions, state: number): boolean =>
    side.accepting[state] === decisive && isDecided(side, state);
  const stateOf = (s: number, t: number): number => {
    // The pair -1, -1 represents all decided pairs.
    const decided = decides(a, s) || decides(b, t);
    const number = decided ? pairs.add(-1, -1) : pairs.add(s, t);
    effort.found(pairs.size);
    return number;
  };
  const successors = new Combination(diagram, stateOf, a.diagram, b.diagram);
  stateOf(0, 0);
  const roots: number[] = [];
  const accepting: number[] = [];
  for (let state = 0; state < pairs.size; state++) {
    const s = pairs.first(state);
    const t = pairs.second(state);
    const decided = s < 0;
    roots.push(decided ? leaf(state) : successors.of(a.roots[s], b.roots[t]));
    accepting.push(
      decided ? decisive : kind === 'and' ? a.accepting[s] & b.accepting[t] : a.accepting[s] | b.accepting[t],
    );
  }
  return { diagram, roots, accepting: Uint8Array.from(accepting) };
}
