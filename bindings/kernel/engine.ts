import type { BitSet } from './bitSet.js';
import type { Status } from './status.js';
import type { Components, Csr, Kernel } from './types.js';

/**
 * What a backend supplies: the work on states and rows, without any choice. `chain.ts` checks arguments and ownership, and
 * `until.ts` and `steps.ts` decide what is computed when, for all backends alike.
 */
export interface Engine {
  readonly backend: Kernel['backend'];
  /** Copies a matrix whose arrays have the right lengths, or says what is wrong with which state. */
  load(matrix: Csr): EngineChain | { readonly status: Status; readonly state: number };
  memoryBytes(): number;
}

export interface EngineChain {
  reachableFrom(seeds: BitSet): BitSet;
  canReach(remain: BitSet, target: BitSet): BitSet;
  prob0(remain: BitSet, target: BitSet): BitSet;
  prob1(remain: BitSet, target: BitSet): BitSet;
  components(): Components;
  openUntil(remain: BitSet, target: BitSet): UntilProblem;
  openSteps(active: BitSet, target: BitSet): StepProblem;
  free(): void;
}

/** Certified bounds of all states, copied. */
export interface Bounds {
  readonly lower: Float64Array;
  readonly upper: Float64Array;
}

/**
 * P(remain U target) with what the graph decides already decided, and the other states (the maybe states) divided into
 * components, successors first. All methods narrow the same bounds.
 */
export interface UntilProblem {
  /** Uint32Array(components + 1): how many maybe states lie in components before this one. */
  readonly componentStart: Uint32Array;
  /** Solves one-state components `first` (included) to `last` (excluded). */
  solveSingletons(first: number, last: number): void;
  /** Up to `count` sweeps of interval iteration after `from` earlier ones; returns how many moved a bound. */
  intervalSweeps(component: number, from: number, count: number): number;
  /** One sweep of value iteration; returns the largest change. */
  valueSweep(component: number, relative: boolean): number;
  /** Direct elimination of a component, to be advanced in slices. */
  openElimination(component: number): Elimination;
  /** The widest gap between the bounds of components `first` (included) to `last` (excluded). */
  widestGap(first: number, last: number, relative: boolean): number;
  /** The widest gap among the successors outside a component. */
  inheritedGap(component: number, relative: boolean): number;
  bounds(): Bounds;
  close(): void;
}

export interface Elimination {
  /** Censors the `count` states below `from`. */
  eliminate(from: number, count: number): Status;
  /** Solves backwards and narrows the bounds of the component. */
  substitute(): Status;
  close(): void;
}

/** Bounds after 0, 1, 2, … steps; before the first, 1 in `target` and 0 elsewhere. */
export interface StepProblem {
  /** One more step for the active states; returns whether any bound moved. */
  step(): boolean;
  bounds(): Bounds;
  close(): void;
}
