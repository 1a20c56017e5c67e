import {
  type Automaton,
  bindAutomaton,
  OPEN,
  SATISFIED,
  statesAfterWords,
  VIOLATED,
} from '../automaton/index.js';
import { BitSet, type Csr } from '../kernel/index.js';

/** A chain over valuations of predicates, as learnt from traces. An empty row is a state without data. */
export interface ChainView extends Csr {
  /** States, `start` and `end` included. */
  readonly states: number;
  /** Virtual state before step 0: its row is the distribution of first states. */
  readonly start: number;
  /** Entered after the last step; absorbing, and not read by automata. */
  readonly end: number;
  /** Names in the order of their bits. */
  readonly predicates: readonly string[];
  /** 32-bit words of a valuation. */
  readonly words: number;
  /** Uint32Array(states * words): predicate i of state s is bit i & 31 of word s * words + (i >>> 5); unused at start and end. */
  readonly valuations: Uint32Array;
  /** How often each state was left in the data; 0 is unknown to a guard, also where smoothing gives it a row. */
  readonly draws: ArrayLike<number>;
}

/**
 * Chain × automaton: node (s, q) stands for chain state s after the automaton has read its valuation and come to q.
 *
 * Nodes are numbered by chain state, then automaton state, so that a row copies its chain row entry by entry, columns
 * ascending and no probabilities added up. In place of `end` there are two nodes: the run ended well, or in violation.
 */
export interface Product extends Csr {
  readonly chain: ChainView;
  readonly automaton: Automaton;
  readonly atEnd: 'strong' | 'weak';
  readonly nodes: number;
  /** Int32Array(chain.states * automaton.states): node of (s, q) at s * automaton.states + q; -1 is not in the product. */
  readonly nodeOf: Int32Array;
  /** Per node its chain state. */
  readonly chainState: Uint32Array;
  /** Per node its automaton state; 0 at the two end nodes, which have none. */
  readonly automatonState: Uint32Array;
  readonly violated: BitSet;
  readonly satisfied: BitSet;
  /** The two nodes in place of `end`; the second is also in `violated`. */
  readonly ended: { readonly well: number; readonly violated: number };
  /** Nodes of first states, by chain state; -1 where the start cannot lead there. */
  readonly first: Int32Array;
}

/**
 * Builds the product of a chain and a rule's automaton from all seeds a guard can look up: every chain state s with every q
 * that some word ending in the valuation of s leads to, since at run time an unseen transition can lead to any of them.
 * This set is closed under steps.
 *
 * Violated and satisfied nodes are absorbing. (s, q) → `end` is a violation iff q is open, `atEnd` is strong, and q does not
 * accept. Rows of states without data stay empty.
 *
 * @throws InvalidArgumentError where the chain lacks a predicate of the automaton
 */
export function buildProduct(chain: ChainView, automaton: Automaton, atEnd: 'strong' | 'weak'): Product {
  const { states, start, end, words, valuations } = chain;
  const stepper = bindAutomaton(automaton, chain.predicates);
  const width = automaton.states;
  const before = [...new Set([automaton.initial, ...statesAfterWords(automaton)])];
  const nodeOf = new Int32Array(states * width).fill(-1);
  const chainState: number[] = [];
  const automatonState: number[] = [];
  const ended = { well: -1, violated: -1 };
  for (let s = 0; s < states; s++) {
    if (s === start) continue;
    if (s === end) {
      ended.well = chainState.length;
      ended.violated = chainState.length + 1;
      chainState.push(end, end);
      automatonState.push(0, 0);
      continue;
    }
    const after = new Set(before.map((q) => stepper.step(q, valuations, s * words)));
    for (const q of [...after].sort((a, b) => a - b)) {
      nodeOf[s * width + q] = chainState.length;
      chainState.push(s);
      automatonState.push(q);
    }
  }
  const nodes = chainState.length;
  const isEnd = (node: number): boolean => node === ended.well || node === ended.violated;
  const hasVerdict = (node: number, verdict: number): boolean =>
    !isEnd(node) && automaton.verdict[automatonState[node]] === verdict;
  const violated = BitSet.where(nodes, (node) => node === ended.violated || hasVerdict(node, VIOLATED));
  const satisfied = BitSet.where(nodes, (node) => hasVerdict(node, SATISFIED));

  const successor = (t: number, q: number): number => {
    if (t !== end) return nodeOf[t * width + stepper.step(q, valuations, t * words)];
    const broken = atEnd === 'strong' && automaton.verdict[q] === OPEN && !automaton.accepting[q];
    return broken ? ended.violated : ended.well;
  };
  const rowStart = new Uint32Array(nodes + 1);
  const columns: number[] = [];
  const values: number[] = [];
  for (let node = 0; node < nodes; node++) {
    if (isEnd(node) || violated.has(node) || satisfied.has(node)) {
      columns.push(node);
      values.push(1);
    } else {
      const s = chainState[node];
      for (let i = chain.rowStart[s]; i < chain.rowStart[s + 1]; i++) {
        columns.push(successor(chain.columns[i], automatonState[node]));
        values.push(chain.values[i]);
      }
    }
    rowStart[node + 1] = columns.length;
  }
  const first = new Int32Array(states).fill(-1);
  for (let i = chain.rowStart[start]; i < chain.rowStart[start + 1]; i++) {
    first[chain.columns[i]] = successor(chain.columns[i], automaton.initial);
  }
  return {
    chain,
    automaton,
    atEnd,
    nodes,
    rowStart,
    columns: Uint32Array.from(columns),
    values: Float64Array.from(values),
    nodeOf,
    chainState: Uint32Array.from(chainState),
    automatonState: Uint32Array.from(automatonState),
    violated,
    satisfied,
    ended,
    first,
  };
}
