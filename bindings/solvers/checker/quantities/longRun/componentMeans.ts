import type { Bounds } from '../../../../base/bounds.js';
import { BitSet, type SolveOptions } from '../../../kernel/index.js';
import { type Communicating, ScheduledChain } from './communicating.js';
import { keptRows } from './keptRows.js';
import { MeanSweep } from './meanSweep.js';
import { relativeValues } from './relativeValues.js';

export interface Means extends Bounds {
  /** Whether the graph decided all of them. */
  readonly exact: boolean;
  readonly iterations: number;
  /** Whether all came as close as was asked for. */
  readonly finished: boolean;
}

/** Sweeps between two evaluations of the scheduler that they have come to. */
const SWEEPS = 32;
/** Evaluations that come no closer before rounding is taken to be in the way. */
const PATIENCE = 10;

/**
 * The greatest mean gain a step in the long run, for each component.
 *
 * For any values h of states, let d(s) be the best of gain + P h - h(s) over the rows of s. Along a run h cancels out, so that nobody
 * gains more a step than the greatest d of the component; and who takes the rows that are best by h gains, wherever they stay,
 * no less than the least d there, and any such place can be reached. So h may come from anywhere, and only d is rounded outward. It
 * comes from value iteration, half a step at a time so that periods do no harm, and now and then from the scheduler that is best by
 * then (Howard 1960): what it gains beyond its own mean. Slow components need no more sweeps than others.
 *
 * @param closeEnough Whether bounds on the mean of a component will do
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
