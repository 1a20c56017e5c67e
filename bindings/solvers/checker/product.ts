import type { AtEnd, Automaton } from '../../languages/automaton/index.js';
import { BitSet, type Csr } from '../kernel/index.js';
import type { ChainView } from '../model/index.js';
import { type JointProduct, openJointProduct } from './jointProduct.js';

/**
 * Chain × automaton: node (s, q) stands for chain state s after the automaton has read its valuation and reached q.
 *
 * Nodes are numbered by chain state, then automaton state, so that a row copies its chain row entry by entry (the self-loop is
 * 1 minus the others), columns ascending, without adding up probabilities. Two nodes replace `end`: the run ended well, or in
 * violation.
 */
export interface ProductNodes {
  readonly chain: ChainView;
  readonly automaton: Automaton;
  readonly atEnd: AtEnd;
  readonly nodes: number;
  /** Int32Array(chain.states * automaton.states): node of (s, q) at s * automaton.states + q; -1 if it is not in the product. */
  readonly nodeOf: Int32Array;
  /** The chain state of each node. */
  readonly chainState: Uint32Array;
  /** The automaton state of each node; 0 at the two end nodes, which have none. */
  readonly automatonState: Uint32Array;
  readonly violated: BitSet;
  readonly satisfied: BitSet;
  /** The two nodes that replace `end`; the second is also in `violated`. */
  readonly ended: { readonly well: number; readonly violated: number };
  /** Nodes of first states, by chain state; -1 for states that the start cannot lead to. */
  readonly first: Int32Array;
}

/** A product with its rows; those of states without data are empty. */
export interface Product extends ProductNodes, Csr {}

/**
 * Builds the product of a chain and a rule's automaton from all seeds that a guard can look up: every chain state s with every
 * q that some word ending in the valuation of s leads to, because at run time an unseen transition can lead to any of them.
 * This set is closed under steps.
 *
 * Violated and satisfied nodes are absorbing. (s, q) → `end` is a violation iff q is open, `atEnd` is strong, and q does not
 * accept. Rows of states without data stay empty.
 *
 * @throws InvalidArgumentError if the chain lacks a predicate of the automaton; InvalidModelError if a row is neither empty nor
 * a distribution; KernelError if the product does not fit in memory
 */
export function buildProduct(chain: ChainView, automaton: Automaton, atEnd: AtEnd): Product {
  using product = openJointProduct(chain, [{ automaton, atEnd }], { withMatrix: true });
  const { nodes, chainState, violated, first, matrix, withoutData } = product;
  const ended = {
    well: product.find(chain.end, [automaton.states]),
    violated: product.find(chain.end, [automaton.states + 1]),
  };
  const satisfied = product.satisfied.difference(BitSet.of(nodes, [ended.well]));
  const automatonState = product.automatonState[0].map((q, node) => (chainState[node] === chain.end ? 0 : q));
  return {
    chain,
    automaton,
    atEnd,
    nodes,
    nodeOf: nodesByState(product),
    chainState,
    automatonState,
    violated,
    satisfied,
    ended,
    first,
    ...withoutRows(matrix as Csr, withoutData),
  };
}

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

/** The rows of a chain, with empty rows for the states of a set, whose rows had one entry each. */
function withoutRows({ rowStart, columns, values }: Csr, set: BitSet): Csr {
  if (set.count() === 0) return { rowStart, columns, values };
  const starts = new Uint32Array(rowStart.length);
  for (let s = 0; s < set.size; s++) {
    const entries = set.has(s) ? 0 : rowStart[s + 1] - rowStart[s];
    starts[s + 1] = starts[s] + entries;
  }
  const kept = new BitSet(columns.length).complement();
  for (const s of set) kept.delete(rowStart[s]);
  return {
    rowStart: starts,
    columns: columns.filter((_, e) => kept.has(e)),
    values: values.filter((_, e) => kept.has(e)),
  };
}
