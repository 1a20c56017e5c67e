import type { Bounds } from '../../../../base/bounds.js';
import { BitSet, type SolveOptions } from '../../../kernel/index.js';
import { type Communicating, ScheduledChain } from './communicating.js';
import { keptRows } from './keptRows.js';
import { MeanSweep } from './meanSweep.js';
import { relativeValues } from './relativeValues.js';

export interface Means extends Bounds {
  /** Whether the graph decided all means. */
  readonly exact: boolean;
  readonly iterations: number;
  /** Whether all means reached the requested precision. */
  readonly finished: boolean;
}

/** Sweeps between two evaluations of the current scheduler. */
const SWEEPS = 32;
/** Evaluations without progress after which rounding is assumed to prevent any. */
const PATIENCE = 10;

/**
 * The greatest mean gain per step in the long run, for each component.
 *
 * For any values h of states, let d(s) be the best of gain + P h - h(s) over the rows of s. Along a run h cancels out: no
 * scheduler gains more per step than the greatest d of the component. The scheduler that takes the best rows by h gains, in
 * each set in which it stays, at least the least d there, and every such set can be reached. Any h is therefore valid, and only
 * d is rounded outward. h comes from value iteration, by half steps so that periods do no harm, and occasionally from the best
 * scheduler so far (Howard 1960): its gains beyond its own mean. Slow components need no more sweeps than others.
 *
 * @param closeEnough whether bounds on the mean of a component suffice
 * @see Puterman (1994), Markov decision processes, 8.5; Ashok, Chatterjee, Daca, Křetínský, Meggendorfer (2017),
 * doi:10.1007/978-3-319-63387-9_10
 */
export function componentMeans(
  problem: Communicating,
  closeEnough: (lower: number, upper: number) => boolean,
  { maxIterations = 10_000_000, signal }: Pick<SolveOptions, 'maxIterations' | 'signal'>,
): Means {
  const bounds = keptRows(problem);
  const { lower, upper } = bounds;
  const isOpen = (c: number) => !closeEnough(lower[c], upper[c]);
  const open = () => BitSet.where(problem.componentOf.length, (s) => isOpen(problem.componentOf[s]));
  let active = open();
  const exact = active.count() === 0;
  const sweep = new MeanSweep(problem);
  let iterations = 0;
  let narrowest = Number.POSITIVE_INFINITY;
  for (let patience = PATIENCE; active.count() > 0 && patience > 0 && iterations < maxIterations; ) {
    const members = [...active];
    const end = Math.min(iterations + SWEEPS, maxIterations);
    for (; iterations < end; iterations++) {
      signal?.throwIfAborted();
      sweep.run(members, bounds);
    }
    using chain = new ScheduledChain(problem, sweep.scheduler.slice());
    sweep.raise(members, chain.bottom, bounds);
    active = open();
    const width = lower.reduce((sum, low, c) => sum + (isOpen(c) ? upper[c] - low : 0), 0);
    patience = width < 0.9 * narrowest ? PATIENCE : patience - 1;
    narrowest = Math.min(narrowest, width);
    if (active.count() > 0) sweep.startFrom(relativeValues(problem, chain, active, signal));
  }
  return { lower, upper, exact, iterations, finished: active.count() === 0 };
}
