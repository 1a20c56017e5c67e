import type { BitSet } from './bitSet.js';

/**
 * A square sparse matrix in compressed sparse rows: row `r` holds entries `rowStart[r]` (included) to
 * `rowStart[r + 1]` (excluded) of `columns` and `values`; columns ascend strictly within a row.
 */
export interface Csr {
  /** Uint32Array(rows + 1), starting at 0, never descending. */
  readonly rowStart: Uint32Array;
  /** Uint32Array(nnz), each below the number of rows. */
  readonly columns: Uint32Array;
  /** Float64Array(nnz). */
  readonly values: Float64Array;
}

/**
 * How a number was obtained: `exact` is decided on the graph or by rational arithmetic alone; `bounded` lies between its
 * bounds; `estimated` promises nothing.
 */
export type Accuracy = 'exact' | 'bounded' | 'estimated';

/** Certified values of all states at once: `lower[s] <= true value of s <= upper[s]`. */
export interface Solution {
  /** Float64Array(states). */
  readonly lower: Float64Array;
  /** Float64Array(states). */
  readonly upper: Float64Array;
  readonly accuracy: Accuracy;
  /** What computed it, e.g. `topological`, `interval-iteration`. */
  readonly method: string;
  /** Sweeps over all components together; 0 where none was iterated. */
  readonly iterations: number;
}

/** Which solver for components of more than one state: `auto` chooses by size. */
export type SolveMethod = 'auto' | 'elimination' | 'interval-iteration' | 'value-iteration';

export interface SolveOptions {
  /** Half the width allowed between the bounds: `upper - lower <= 2 * precision`. Default 1e-6. */
  precision?: number;
  /** Read `precision` relative to `lower`: `upper - lower <= 2 * precision * lower`. Default false. */
  relative?: boolean;
  /** Default `auto`: elimination for small components, interval iteration for the rest. */
  method?: SolveMethod;
  /** Sweeps over one component before giving up with NotConvergedError. Default 10,000,000. */
  maxIterations?: number;
  /** Called between slices of work with the fraction of states solved and the widest gap left in the current component. */
  onProgress?: (progress: { fraction: number; gap: number; iterations: number }) => void;
  /**
   * Checked between slices of work; an aborted signal throws its reason. A solve does not yield to timers, so abort from
   * `onProgress`.
   */
  signal?: AbortSignal;
}

/** Strongly connected components, numbered successors first: every edge goes to the same or a lower number. */
export interface Components {
  readonly count: number;
  /** Uint32Array(states). */
  readonly componentOf: Uint32Array;
}

/**
 * A discrete-time Markov chain held by a kernel. Free it once, with `free()` or `using`; any use afterwards throws
 * InvalidArgumentError.
 */
export interface KernelChain extends Disposable {
  readonly states: number;
  readonly transitions: number;
  /** States reachable from `seeds`, `seeds` included. */
  reachableFrom(seeds: BitSet): BitSet;
  /** States with a path to `target` through `remain` only: `target` itself, and `remain` states before it. */
  canReach(remain: BitSet, target: BitSet): BitSet;
  /** States where P(remain U target) = 0. */
  prob0(remain: BitSet, target: BitSet): BitSet;
  /** States where P(remain U target) = 1. */
  prob1(remain: BitSet, target: BitSet): BitSet;
  components(): Components;
  /** P(remain U target) for every state. `remain` is the set of states the path may pass before `target`. */
  until(remain: BitSet, target: BitSet, options?: SolveOptions): Solution;
  /** P(remain U<=steps target) for every state. */
  boundedUntil(
    remain: BitSet,
    target: BitSet,
    steps: number,
    options?: Pick<SolveOptions, 'onProgress' | 'signal'>,
  ): Solution;
  /** P(X target) for every state. */
  next(target: BitSet): Solution;
  free(): void;
}

/** Numerical work on sparse models, by WebAssembly or by the readable reference in TypeScript. */
export interface Kernel {
  readonly backend: 'wasm' | 'reference';
  /**
   * Copies a chain in and checks it.
   * @throws InvalidModelError on a row that does not sum to 1 within 1e-9, entries above 1 or below 2^-500, unsorted,
   * duplicate or out-of-range columns, or an empty row.
   * @throws KernelError if there is not enough memory for it.
   */
  chain(matrix: Csr): KernelChain;
  /** Bytes of memory the kernel holds now. */
  memoryBytes(): number;
}
