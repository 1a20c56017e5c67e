import type { StepProblem } from './engine.js';
import { Slices } from './slices.js';
import type { Solution, SolveOptions } from './types.js';

/** Advances a problem by `steps` steps, or fewer where a step no longer moves any bound. `size`: states of the chain. */
export function solveSteps(
  problem: StepProblem,
  steps: number,
  size: number,
  method: string,
  options: Pick<SolveOptions, 'onProgress' | 'signal'>,
): Solution {
  const slices = new Slices(options);
  let done = 0;
  while (done < steps && problem.step()) {
    done++;
    slices.spend(size, () => ({ fraction: done / steps, gap: 0, iterations: done }));
  }
  return { ...problem.bounds(), accuracy: 'bounded', method, iterations: done };
}
