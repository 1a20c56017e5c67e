import type { BitSet } from '../bitSet.js';
import type { Csr, KernelChain } from './chain.js';

/** A chain whose states automata read. A row may be empty: its state has no known successors and is absorbing in a product. */
export interface LabelledChain extends Csr {
  /** 32-bit words of a valuation, at least 1. */
  readonly words: number;
  /** Uint32Array(states * words): bit b of state s is bit b & 31 of word s * words + (b >>> 5). */
  readonly valuations: Uint32Array;
  /** States that automata do not read; on entering them they move by `passes`. Default: none. */
  readonly unread?: BitSet;
  /** States that a product never leaves. States with an empty row are always included. Default: those alone. */
  readonly absorbing?: BitSet;
}

/**
 * A deterministic automaton that reads one valuation per step, through a decision diagram shared by its states.
 *
 * `roots[q]` is the reference at which state q starts. A reference r >= 0 is node r, and r < 0 is the leaf "go to state -r -
 * 1". Node n is the triple nodes[3n] = variable, nodes[3n + 1] = reference if the variable is false, nodes[3n + 2] = reference
 * if it is true. Variables ascend strictly along every path.
 */
export interface LabelAutomaton {
  readonly states: number;
  readonly roots: ArrayLike<number>;
  readonly nodes: ArrayLike<number>;
  /** The valuation bit that each variable reads. */
  readonly bits: ArrayLike<number>;
  /** Successor of each state on entering an unread chain state. Default: the state itself. */
  readonly passes?: ArrayLike<number>;
  /**
   * Per state: 1 if a product state is absorbing as soon as any of its automata is in this state; 2 if it is absorbing once
   * every automaton is in a state with 1 or 2; 0 if the product goes on. Default 0 everywhere.
   */
  readonly absorbing?: ArrayLike<number>;
}

/** Start states of a product: each of `states`, after each tuple of automaton states in `from` has read (or passed) it. */
export interface ProductSeeds {
  /** Chain states. */
  readonly states: BitSet;
  /** Tuples one after the other, one entry per automaton. */
  readonly from: ArrayLike<number>;
}

/** Limits of a product's construction, and the parts to copy out of the kernel. */
export interface ProductOptions {
  /** Also copy out the rows of the product, as `matrix`. Default false. */
  withMatrix?: boolean;
  /** The largest number of states; beyond it a KernelError is thrown. Default: limited by memory only. */
  maxStates?: number;
  /**
   * Called between slices of work with the counts so far; `followed` is the number of `states` whose successors have been
   * found.
   */
  onProgress?: (progress: { states: number; followed: number; transitions: number }) => void;
  /** Checked between slices of work; an aborted signal throws its reason. */
  signal?: AbortSignal;
}

/**
 * Chain × automata: state (s, q1, q2, …) stands for chain state s after every automaton has read its valuation. States are
 * numbered by chain state, then automaton states, independently of the order of discovery. Absorbing states have a self-loop as
 * their row.
 */
export interface KernelProduct extends Disposable {
  /** The product chain, held by the kernel and freed with the product. */
  readonly chain: KernelChain;
  /** Uint32Array(states): the chain state of each product state. */
  readonly chainState: Uint32Array;
  /** Per automaton a Uint32Array(states): its state in each product state. */
  readonly automatonState: readonly Uint32Array[];
  /** The rows of the product with `withMatrix`, else null. */
  readonly matrix: Csr | null;
  /** Returns the product state with these parts, or -1 if it does not exist. Takes logarithmic time. */
  find(chainState: number, automatonStates: ArrayLike<number>): number;
  /** Frees its memory, including that of `chain`; call it once. */
  free(): void;
}
