import type { JointProduct } from './jointProduct.js';

/**
 * Int32Array(chain.states * automaton.states) for a product with one automaton: the node of (s, q) at s * automaton.states + q,
 * or -1.
 */
export function nodesByState({ chain, rules, nodes, chainState, automatonState }: JointProduct): Int32Array {
  const width = rules[0].automaton.states;
  const nodeOf = new Int32Array(chain.states * width).fill(-1);
  for (let node = 0; node < nodes; node++) {
    if (chainState[node] !== chain.end) nodeOf[chainState[node] * width + automatonState[0][node]] = node;
  }
  return nodeOf;
}
