import type { BitSet } from '../bitSet.js';
import type { Solution } from './solution.js';

/** The solvers for components of more than one state, by name. */
export const SOLVE_METHODS = ['auto', 'elimination', 'interval-iteration', 'value-iteration'] as const;

/** Which solver for components of more than one state: `auto` chooses by size. */
export type SolveMethod = (typeof SOLVE_METHODS)[number];

/** How closely, by which method and for how long a kernel solves. */
export interface SolveOptions {
  /** Half the width allowed between the bounds: `upper - lower <= 2 * precision`. Default 1e-6. */
  precision?: number;
  /** Read `precision` relative to `lower`: `upper - lower <= 2 * precision * lower`. Default false. */
  relative?: boolean;
  /** Default `auto`: elimination for small components; for others, interval iteration and elimination by turns. */
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

/**
 * Of what is computed step by step, in a number of steps that is known. Takes time linear in that number, or in the number of steps
 * after which none moves any bound, where that is less: on models that are left slowly, abort from `onProgress`.
 */
export interface StepOptions extends Pick<SolveOptions, 'onProgress' | 'signal'> {
  /**
   * Return the values for every number of steps from 0 to that asked for: `lower` and `upper` are then
   * Float64Array((steps + 1) * states), entry j * states + s for j steps. Default false.
   */
  everyStep?: boolean;
}

/** Of until within a window of steps. */
export interface WindowOptions extends StepOptions {
  /** The first step of the window; 0 for values of every step. Default 0. */
  from?: number;
}

/** Which states take values back, and what the others have. */
export interface BackOptions extends StepOptions {
  /** States that take the mean over their successors in each step. Default: all. */
  active?: BitSet;
  /** Values that the other states have after each step. Default: those before the first. */
  others?: Pick<Solution, 'lower' | 'upper'>;
}
