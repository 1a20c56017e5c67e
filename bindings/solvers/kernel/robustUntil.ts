import { NotConvergedError } from '../../base/errors.js';
import { WorkBudget } from '../../base/workBudget.js';
import type { RobustProblem } from './engine.js';
import { type CheckedSolveOptions, SLICE } from './options.js';
import type { Solution } from './types/index.js';

/** The number of passes over all components, with smaller shares of the precision each time. */
const PASSES = 4;

/** Sweeps over tentative upper bounds before and after their first doubling; more after each failure. */
const SWEEPS_BEFORE_TRIAL = 8;

/**
 * Solves a problem component by component, successors first, as `solveUntil` does: each component of more
 * than one state may widen the gap that it inherits by an equal share of the precision (a single state is a closed form), and
 * if the sum is too wide, another pass continues with smaller shares.
 *
 * @param most for rewards, the largest reward of a row. A gap then counts relative to 1 + the lower bound, as in `optimise`,
 *   and upper bounds are found by trial, with this much added to every step.
 */
export function solveRobust(problem: RobustProblem, options: CheckedSolveOptions, most?: number): Solution {
  const { precision, relative, maxIterations } = options;
  const { componentStart } = problem;
  const components = componentStart.length - 1;
  const budget = new WorkBudget({ slice: SLICE }, options);
  const rewarded = most !== undefined;
  const [offset, slope] = [relative ? 0 : 1, relative || rewarded ? 1 : 0];
  const allowed = rewarded && !relative ? precision : 2 * precision;
  let iterations = 0;
  let sweptOut = false;
  if (components === 0) return { ...problem.bounds(), accuracy: 'exact', method: 'graph', iterations };

  const sizeOf = (component: number) => componentStart[component + 1] - componentStart[component];
  const spend = (component: number, count: number, gap: number) =>
    budget.charge(count * sizeOf(component), () => ({
      fraction: componentStart[component] / componentStart[components],
      gap,
      iterations,
    }));

  /**
   * Finds upper bounds of rewards, those of a model in which every step earns more: iterates from below, doubles the result,
   * and tries until a sweep verifies it; false if the sweeps ran out.
   */
  function boundAbove(component: number, more: number): boolean {
    problem.scaleTrial(component, 0, 0);
    for (let tries = SWEEPS_BEFORE_TRIAL, done = 0; done < maxIterations; tries *= 2) {
      for (const factor of [2, 0.5]) {
        for (let i = 0; i < tries && done < maxIterations; i++, done++, iterations++) {
          if (problem.trialSweep(component, more)) return true;
          spend(component, 1, Number.POSITIVE_INFINITY);
        }
        problem.scaleTrial(component, factor, 0);
      }
    }
    problem.scaleTrial(component, 0, Number.POSITIVE_INFINITY);
    sweptOut = true;
    return false;
  }

  /** Narrows a component's gap to `allowedGap`; false if the sweeps ran out or rounding stops progress. */
  function iterate(component: number, allowedGap: number): boolean {
    const size = sizeOf(component);
    const gapNow = () => problem.widestGap(component, component + 1, offset, slope);
    let gap = gapNow();
    for (let done = 0; !(gap <= allowedGap) && done < maxIterations; ) {
      problem.findEndComponents(component);
      const count = Math.min(1 + (done >>> 3), Math.ceil(SLICE / size), maxIterations - done);
      const moving = problem.sweeps(component, done, count);
      done += moving;
      iterations += moving;
      gap = gapNow();
      if (moving === 0) break;
      if (done >= maxIterations) sweptOut = true;
      spend(component, count, gap);
    }
    return gap <= allowedGap;
  }

  let gap = Number.POSITIVE_INFINITY;
  let iterated = 0;
  for (let component = 0; component < components; component++) if (sizeOf(component) > 1) iterated++;
  let share = allowed / 2 / Math.max(1, iterated);
  for (let pass = 0, previousGap = gap; pass < PASSES; pass++, share /= 16, previousGap = gap) {
    let finished = true;
    for (let component = 0; component < components; component++) {
      // Predecessors of a component without upper bounds have none either.
      if (rewarded && pass === 0 && !boundAbove(component, most)) {
        finished = false;
        break;
      }
      if (!iterate(component, problem.inheritedGap(component, offset, slope) + share)) finished = false;
    }
    gap = problem.widestGap(0, components, offset, slope);
    if (gap <= allowed) {
      return { ...problem.bounds(), accuracy: 'bounded', method: 'robust-interval-iteration', iterations };
    }
    if (!finished || !(gap < previousGap)) break;
  }
  const advice = sweptOut
    ? `ask for less, or allow more sweeps than maxIterations = ${maxIterations}`
    : 'rounding does not let bounds come closer: ask for less';
  throw new NotConvergedError(
    `bounds are ${gap} apart${slope ? ' relative to the lower one' : ''} after ${iterations} sweeps, where precision ` +
      `${precision} was asked for: ${advice}`,
    problem.bounds(),
  );
}
