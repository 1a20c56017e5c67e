import { NotConvergedError } from '../errors.js';
import type { RobustProblem } from './engine.js';
import type { CheckedSolveOptions } from './options.js';
import { SLICE, Slices } from './slices.js';
import type { Solution } from './types.js';

/** How often all components are gone through, with smaller shares of the precision each time. */
const PASSES = 4;

/**
 * Solves a problem component by component, successors first, as `solveUntil` does: each component of more
 * than one state may widen the gap that it inherits by an equal share of the precision (a single state is a closed form), and
 * where the sum came out too wide, another pass goes on with smaller shares.
 */
export function solveRobust(problem: RobustProblem, options: CheckedSolveOptions): Solution {
  const { precision, relative, maxIterations } = options;
  const { componentStart } = problem;
  const components = componentStart.length - 1;
  const slices = new Slices(options);
  let iterations = 0;
  if (components === 0) return { ...problem.bounds(), accuracy: 'exact', method: 'graph', iterations };

  /** Whether the gap of a component came down to `allowedGap`; false if sweeps were not enough or rounding stops them. */
  function iterate(component: number, allowedGap: number): boolean {
    const size = componentStart[component + 1] - componentStart[component];
    const gapNow = () => problem.widestGap(component, component + 1, relative);
    let gap = gapNow();
    for (let done = 0; !(gap <= allowedGap) && done < maxIterations; ) {
      problem.findEndComponents(component);
      const count = Math.min(1 + (done >>> 3), Math.ceil(SLICE / size), maxIterations - done);
      const moving = problem.sweeps(component, done, count);
      done += moving;
      iterations += moving;
      gap = gapNow();
      if (moving === 0) break;
      slices.spend(count * size, () => ({
        fraction: componentStart[component] / componentStart[components],
        gap,
        iterations,
      }));
    }
    return gap <= allowedGap;
  }

  let gap = Number.POSITIVE_INFINITY;
  let iterated = 0;
  for (let component = 0; component < components; component++) {
    if (componentStart[component + 1] - componentStart[component] > 1) iterated++;
  }
  let share = precision / Math.max(1, iterated);
  for (let pass = 0, previousGap = gap; pass < PASSES; pass++, share /= 16, previousGap = gap) {
    let finished = true;
    for (let component = 0; component < components; component++) {
      if (!iterate(component, problem.inheritedGap(component, relative) + share)) finished = false;
    }
    gap = problem.widestGap(0, components, relative);
    if (gap <= 2 * precision) {
      return { ...problem.bounds(), accuracy: 'bounded', method: 'robust-interval-iteration', iterations };
    }
    if (!finished || !(gap < previousGap)) break;
  }
  throw new NotConvergedError(
    `bounds are ${gap} apart${relative ? ' relative to the lower one' : ''} after ${iterations} sweeps, where precision ` +
      `${precision} was asked for: ask for less, or allow more sweeps than maxIterations = ${maxIterations}`,
    problem.bounds(),
  );
}
