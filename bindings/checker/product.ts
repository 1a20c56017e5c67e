import {
  type Automaton,
  bindAutomaton,
  OPEN,
  SATISFIED,
  statesAfterWords,
  VIOLATED,
} from '../automaton/index.js';
import { BitSet, type Csr, getKernel, type KernelChain, type LabelAutomaton } from '../kernel/index.js';

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
 * Nodes are numbered by chain state, then automaton state, so that a row copies its chain row entry by entry (the self-loop being
 * what the others leave of 1), columns ascending and no probabilities added up. In place of `end` there are two nodes: the run ended well, or in violation.
 */
export interface ProductNodes {
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

/** A product with its rows; those of states without data are empty. */
export interface Product extends ProductNodes, Csr {}

/** A product whose rows the kernel holds; those of states without data are self-loops there. Free it with `using`. */
export interface KernelHeldProduct extends ProductNodes, Disposable {
  readonly kernel: KernelChain;
  readonly withoutData: BitSet;
}

/**
 * Builds the product of a chain and a rule's automaton from all seeds a guard can look up: every chain state s with every q
 * that some word ending in the valuation of s leads to, since at run time an unseen transition can lead to any of them.
 * This set is closed under steps.
 *
 * Violated and satisfied nodes are absorbing. (s, q) → `end` is a violation iff q is open, `atEnd` is strong, and q does not
 * accept. Rows of states without data stay empty.
 *
 * @throws InvalidArgumentError where the chain lacks a predicate of the automaton; InvalidModelError where a row is neither empty
 * nor a distribution; KernelError where the product does not fit in memory
 */
export function buildProduct(chain: ChainView, automaton: Automaton, atEnd: 'strong' | 'weak'): Product {
  using product = multiply(chain, automaton, atEnd, true);
  const { kernel: _, withoutData, matrix, [Symbol.dispose]: __, ...nodes } = product;
  return { ...nodes, ...withoutRows(matrix as Csr, withoutData) };
}

/** The product as `buildProduct` defines it, built where it is solved. */
export function openProduct(
  chain: ChainView,
  automaton: Automaton,
  atEnd: 'strong' | 'weak',
): KernelHeldProduct {
  return multiply(chain, automaton, atEnd, false);
}

function multiply(
  chain: ChainView,
  automaton: Automaton,
  atEnd: 'strong' | 'weak',
  withMatrix: boolean,
): KernelHeldProduct & { readonly matrix: Csr | null } {
  const { states, start, end, words, valuations } = chain;
  const stepper = bindAutomaton(automaton, chain.predicates);
  const width = automaton.states;
  const [well, broken] = [width, width + 1];
  const ending = BitSet.of(states, [end]);
  const running = BitSet.of(states, [start, end]).complement();
  const product = getKernel().product(
    { ...chain, unread: ending, absorbing: ending },
    [judgedAtEnd(automaton, chain, atEnd)],
    [
      { states: running, from: [...new Set([automaton.initial, ...statesAfterWords(automaton)])] },
      { states: ending, from: [well, broken] },
    ],
    { withMatrix },
  );
  const { chainState } = product;
  const [automatonState] = product.automatonState;
  const nodeOf = new Int32Array(states * width).fill(-1);
  const nodes = chainState.length;
  const ended = { well: product.find(end, [well]), violated: product.find(end, [broken]) };
  for (let node = 0; node < nodes; node++) {
    if (chainState[node] === end) automatonState[node] = 0;
    else nodeOf[chainState[node] * width + automatonState[node]] = node;
  }
  const hasVerdict = (verdict: number): BitSet =>
    BitSet.where(
      nodes,
      (node) => chainState[node] !== end && automaton.verdict[automatonState[node]] === verdict,
    );
  const violated = hasVerdict(VIOLATED);
  violated.add(ended.violated);
  const satisfied = hasVerdict(SATISFIED);
  const withoutData = BitSet.where(nodes, (node) => {
    const s = chainState[node];
    return (
      s !== end && chain.rowStart[s] === chain.rowStart[s + 1] && !violated.has(node) && !satisfied.has(node)
    );
  });
  const first = new Int32Array(states).fill(-1);
  for (let i = chain.rowStart[start]; i < chain.rowStart[start + 1]; i++) {
    const t = chain.columns[i];
    first[t] =
      t !== end
        ? nodeOf[t * width + stepper.step(automaton.initial, valuations, t * words)]
        : breaksAtEnd(automaton, automaton.initial, atEnd)
          ? ended.violated
          : ended.well;
  }
  return {
    chain,
    automaton,
    atEnd,
    nodes,
    nodeOf,
    chainState,
    automatonState,
    violated,
    satisfied,
    ended,
    first,
    kernel: product.chain,
    withoutData,
    matrix: product.matrix,
    [Symbol.dispose]: () => product.free(),
  };
}

/** Whether a run that ends while the automaton is in state q breaks the rule. */
function breaksAtEnd({ verdict, accepting }: Automaton, q: number, atEnd: 'strong' | 'weak'): boolean {
  return atEnd === 'strong' && verdict[q] === OPEN && !accepting[q];
}

/** The automaton as the kernel reads it, with two more states for runs that ended: well, and then in violation. */
function judgedAtEnd(
  automaton: Automaton,
  { predicates }: ChainView,
  atEnd: 'strong' | 'weak',
): LabelAutomaton {
  const { states, roots, nodes, verdict } = automaton;
  const [well, broken] = [states, states + 1];
  const all = Array.from({ length: states }, (_, q) => q);
  return {
    states: states + 2,
    roots: [...all.map((q) => roots[q]), -well - 1, -broken - 1],
    nodes,
    bits: automaton.predicates.map((name) => predicates.indexOf(name)),
    passes: [...all.map((q) => (breaksAtEnd(automaton, q, atEnd) ? broken : well)), well, broken],
    absorbing: [...all.map((q) => (verdict[q] === OPEN ? 0 : 2)), 2, 2],
  };
}

/** The rows of a chain, those of the states of a set left empty; they have one entry each. */
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
