import type { Bounds } from '../../base/bounds.js';
import { NotConvergedError } from '../../base/errors.js';
import type { EngineChain, SystemInput, SystemProblem } from './engine.js';
import type { CheckedSolveOptions } from './options.js';
import type { Solution } from './types/index.js';
import { solveUntil } from './until.js';

/**
 * Solves a system of equations as probabilities are solved.
 *
 * @param read what the solution, or as far as it is known when the solver gives up, says about what was asked for.
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
