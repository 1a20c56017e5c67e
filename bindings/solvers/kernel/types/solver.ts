import type { BitSet } from '../bitSet.js';
import type { Csr } from './chain.js';
import type { SolveOptions } from './options.js';
import type { Solution } from './solution.js';

/** New rows of some states; columns may name any state of the model. */
export interface RowUpdate extends Csr {
  /** Uint32Array: the states, ascending strictly. Row i of the matrix is the new row of state `rows[i]`. */
  readonly rows: Uint32Array;
}

/** States to add: row i is that of the i-th new state, `solver.states + i`. Columns may name new states too. */
export interface AddedStates extends Csr {
  /** New states that a path may pass before the target; a set over the new states alone. */
  readonly remain: BitSet;
  /** New states in the target; a set over the new states alone. */
  readonly target: BitSet;
}

/** The work done by an update. */
export interface Resolved {
  /** States whose components were solved. */
  readonly states: number;
  /** Components solved. */
  readonly components: number;
  /** Whether everything was solved anew, because bounds would have become too wide or an earlier update was not finished. */
  readonly anew: boolean;
  /** Sweeps over components; 0 if none was iterated. */
  readonly iterations: number;
  readonly seconds: number;
}

/**
 * P(remain U target) of a chain that can be changed: after each update the bounds bracket the exact values of the changed chain,
 * as narrowly as those of `until`, but only components that the change reaches are solved again. The solver holds a copy of its
 * own; the original chain does not change. Free it once, with `free()` or `using`.
 *
 * An update with bad rows changes nothing. An update that is aborted or does not converge leaves the chain changed and the
 * bounds unknown: reading them throws InvalidArgumentError until the next update or `solve` has solved everything anew.
 */
export interface KernelSolver extends Disposable {
  readonly states: number;
  /** The lower bound of one state. */
  lower(state: number): number;
  /** The upper bound of one state. */
  upper(state: number): number;
  /** Copies the bounds of all states, in linear time. */
  solution(): Solution;
  /**
   * Replaces the rows of some states; transitions may be added or removed.
   *
   * Takes time linear in the part that is solved and, if transitions change reachability, in the transitions of all states from
   * which a changed row can be reached. Occasionally memory is reorganised, in time linear in the model.
   * @throws InvalidModelError as `Kernel.chain`, KernelError if memory does not suffice; in both cases nothing was changed.
   * @throws NotConvergedError if the precision cannot be reached, with the bounds of all states so far.
   */
  replaceRows(update: RowUpdate, options?: Pick<SolveOptions, 'onProgress' | 'signal'>): Resolved;
  /** Adds states, to which rows replaced later may lead. @throws as `replaceRows`. */
  addStates(added: AddedStates, options?: Pick<SolveOptions, 'onProgress' | 'signal'>): Resolved;
  /** Solves everything anew. @throws NotConvergedError as `until`. */
  solve(options?: Pick<SolveOptions, 'onProgress' | 'signal'>): Resolved;
  /** Frees its memory; call it once. */
  free(): void;
}
