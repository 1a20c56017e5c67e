import type { BitSet } from '../bitSet.js';
import type { Csr, KernelChain } from './chain.js';

/**
 * A chain whose states are read by automata. A row may be empty: its state has no known successors, and absorbs in a product.
 */
export interface LabelledChain extends Csr {
  /** 32-bit words of a valuation, at least 1. */
  readonly words: number;
  /** Uint32Array(states * words): bit b of state s is bit b & 31 of word s * words + (b >>> 5). */
  readonly valuations: Uint32Array;
  /** States that automata do not read: there they move by `passes`. Default none. */
  readonly unread?: BitSet;
  /** States that a product never leaves. Default those whose row is empty, which are always among them. */
  readonly absorbing?: BitSet;
}

/**
 * A deterministic automaton that reads one valuation a step, through a decision diagram that its states share.
 *
 * `roots[q]` is where state q starts; a reference r >= 0 is node r, and r < 0 is the leaf "go to state -r - 1". Node n is the
 * triple nodes[3n] = variable, nodes[3n + 1] = reference if it is false, nodes[3n + 2] = reference if it is true. Variables
 * ascend strictly along every path.
 */
export interface LabelAutomaton {
  readonly states: number;
  readonly roots: ArrayLike<number>;
  readonly nodes: ArrayLike<number>;
  /** The bit of a valuation that each variable is. */
  readonly bits: ArrayLike<number>;
  /** Where each state goes on entering an unread chain state. Default: it stays. */
  readonly passes?: ArrayLike<number>;
  /**
   * Per state: 1 where a product state absorbs as soon as any of its automata is in such a state, 2 where it does once every
   * automaton is in a state with 1 or 2, 0 where the product goes on. Default 0 everywhere.
   */
  readonly absorbing?: ArrayLike<number>;
}

/** Where a product starts: in each of `states`, after each tuple of automaton states in `from` has read (or passed) it. */
export interface ProductSeeds {
  /** Chain states. */
  readonly states: BitSet;
  /** Tuples one after the other, one entry per automaton. */
  readonly from: ArrayLike<number>;
}

/** How far a product is built, and what is copied out of it. */
export interface ProductOptions {
  /** Also copy the rows of the product out, as `matrix`. Default false. */
  withMatrix?: boolean;
  /** Give up with a KernelError when the product has more states. Default: whatever memory holds. */
  maxStates?: number;
  /** Called between slices of work with what was found so far; `followed` of the `states` have had their successors found. */
  onProgress?: (progress: { states: number; followed: number; transitions: number }) => void;
  /** Checked between slices of work; an aborted signal throws its reason. */
  signal?: AbortSignal;
}

/**
 * Chain × automata: state (s, q1, q2, …) stands for chain state s after every automaton has read its valuation. Numbered by
 * chain state, then automaton states, whatever order they were found in. Absorbing states have a self-loop as their row.
 */
export interface KernelProduct extends Disposable {
  /** The product, held by the kernel. It is freed with the product. */
  readonly chain: KernelChain;
  /** Uint32Array(states): the chain state of each product state. */
  readonly chainState: Uint32Array;
  /** Per automaton a Uint32Array(states): its state in each product state. */
  readonly automatonState: readonly Uint32Array[];
  /** The rows of the product, if asked for with `withMatrix`, else null. */
  readonly matrix: Csr | null;
  /** The product state with these parts, -1 if there is none. Takes logarithmic time. */
  find(chainState: number, automatonStates: ArrayLike<number>): number;
  /** Gives its memory back, that of `chain` included; once. */
  free(): void;
}
