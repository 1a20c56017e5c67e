import type { Bounds } from '../../base/bounds.js';
import { NotConvergedError } from '../../base/errors.js';
import type { EngineChain, SystemInput, SystemProblem } from './engine.js';
import type { CheckedSolveOptions } from './options.js';
import type { Solution } from './types/index.js';
import { solveUntil } from './until.js';

/**
 * Solves a system of equations by the same methods as probabilities.
 *
 * @param read converts the solution, or the bounds reached when the solver gives up, to the requested values.
 */
export function solveSystem(
  chain: EngineChain,
  input: SystemInput,
  options: CheckedSolveOptions,
  read: (bounds: Bounds, problem: SystemProblem) => Bounds = (bounds) => bounds,
): Solution {
  const problem = chain.openSystem(input);
  try {
    const solution = solveUntil(problem, options);
    return { ...solution, ...read(solution, problem) };
  } catch (error) {
    if (!(error instanceof NotConvergedError)) throw error;
    throw new NotConvergedError(error.message, read(error, problem));
  } finally {
    problem.close();
  }
}
