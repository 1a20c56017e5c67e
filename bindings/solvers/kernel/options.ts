import { InvalidArgumentError } from '../../base/errors.js';
import { nearestName } from '../../base/suggest.js';
import { SOLVE_METHODS, type SolveMethod, type SolveOptions } from './types/index.js';

const NAMES = ['precision', 'relative', 'method', 'maxIterations', 'onProgress', 'signal'];

/** Row evaluations, or products of an elimination, between two checks of the signal: some milliseconds. */
export const SLICE = 1 << 20;

/** The progress report of a solver. */
export type SolveProgress = Parameters<NonNullable<SolveOptions['onProgress']>>[0];

/** Options with defaults filled in. */
export interface CheckedSolveOptions extends Pick<SolveOptions, 'onProgress' | 'signal'> {
  readonly precision: number;
  readonly relative: boolean;
  readonly method: SolveMethod;
  readonly maxIterations: number;
}

export function checkSolveOptions(options: SolveOptions): CheckedSolveOptions {
  if (typeof options !== 'object' || options === null) {
    throw new InvalidArgumentError(`the options are ${String(options)}: they are an object, or left out`);
  }
  refuseMisspelt(options);
  const { precision = 1e-6, relative = false, method = 'auto', maxIterations = 10_000_000 } = options;
  if (!(precision > 0 && precision < 1)) {
    throw new InvalidArgumentError(`precision is ${precision}: it lies strictly between 0 and 1, e.g. 1e-6`);
  }
  if (!SOLVE_METHODS.includes(method)) {
    throw new InvalidArgumentError(`method is '${method}': it is one of ${SOLVE_METHODS.join(', ')}`);
  }
  if (!Number.isSafeInteger(maxIterations) || maxIterations < 1) {
    throw new InvalidArgumentError(`maxIterations is ${maxIterations}: it is a whole number, at least 1`);
  }
  return { ...options, precision, relative, method, maxIterations };
}

/** Refuses misspelt options. Callers may pass their own options along: only names close to a known option are refused. */
function refuseMisspelt(options: object): void {
  for (const name of Object.keys(options)) {
    const nearest = nearestName(name, NAMES);
    if (nearest === undefined) continue;
    throw new InvalidArgumentError(`there is no option ${name} of a solver; did you mean ${nearest}?`);
  }
}
