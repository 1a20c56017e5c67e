import type { BitSet } from '../bitSet.js';
import type { Solution } from './solution.js';

/** The solvers for components of more than one state, by name. */
export const SOLVE_METHODS = ['auto', 'elimination', 'interval-iteration', 'value-iteration'] as const;

/** A solver for components of more than one state; `auto` chooses by size. */
export type SolveMethod = (typeof SOLVE_METHODS)[number];

/** Precision, method and limits of a kernel's solve. */
export interface SolveOptions {
  /** Half the allowed width of the bounds: `upper - lower <= 2 * precision`. Default 1e-6. */
  precision?: number;
  /** Read `precision` relative to `lower`: `upper - lower <= 2 * precision * lower`. Default false. */
  relative?: boolean;
  /** Default `auto`: elimination for small components; interval iteration and elimination in turns for others. */
  method?: SolveMethod;
  /** Sweeps over one component before giving up with NotConvergedError. Default 10,000,000. */
  maxIterations?: number;
  /** Called between slices of work with the fraction of states solved and the widest remaining gap in the current component. */
  onProgress?: (progress: { fraction: number; gap: number; iterations: number }) => void;
  /**
   * Checked between slices of work; an aborted signal throws its reason. A solve does not yield to timers: abort from
   * `onProgress`.
   */
  signal?: AbortSignal;
}

/**
 * Options for computations over a known number of steps. They take time linear in that number, or in the number of steps after
 * which no bound moves, if that is smaller. On models that are left slowly, abort from `onProgress`.
 */
export interface StepOptions extends Pick<SolveOptions, 'onProgress' | 'signal'> {
  /**
   * Return the values for every number of steps from 0 to the requested one: `lower` and `upper` are then Float64Array((steps +
   * 1) * states), entry j * states + s for j steps. Default false.
   */
  everyStep?: boolean;
}

/** Options for until within a window of steps. */
export interface WindowOptions extends StepOptions {
  /** The first step of the window; must be 0 with `everyStep`. Default 0. */
  from?: number;
}

/** Options of `stepBack`: which states move, and the values of the others. */
export interface BackOptions extends StepOptions {
  /** States that take the mean over their successors in each step. Default: all. */
  active?: BitSet;
  /** Values of the other states after each step. Default: their values before the first step. */
  others?: Pick<Solution, 'lower' | 'upper'>;
}
