import {
  ForeguardError,
  InvalidArgumentError,
  InvalidModelError,
  KernelError,
  NotConvergedError,
} from '../../../base/errors.js';
import type { CheckedSolveOptions } from '../options.js';
import type { Csr, Solution, SolveOptions } from '../types/index.js';

type Progress = Parameters<NonNullable<SolveOptions['onProgress']>>[0];

/** Everything a thread needs to take part in a solve, already shared or compiled. */
export interface Part {
  readonly module: WebAssembly.Module;
  readonly memory: WebAssembly.Memory;
  readonly index: number;
  readonly threads: number;
  /** Given to the first thread, which leads. */
  readonly problem?: Problem;
}

export interface Problem {
  /** Over shared memory. */
  readonly matrix: Csr;
  /** Words of the sets. */
  readonly remain: Uint32Array;
  readonly target: Uint32Array;
  readonly options: Omit<CheckedSolveOptions, 'onProgress' | 'signal'>;
  readonly leastStates: number;
  /** Over shared memory: set to 1 to abort the solve. */
  readonly abort: Int32Array;
}

/** Messages from threads. */
export type Report =
  | { readonly kind: 'ready' }
  | { readonly kind: 'progress'; readonly progress: Progress }
  | { readonly kind: 'solved'; readonly solution: Solution }
  | { readonly kind: 'aborted' }
  | { readonly kind: 'failed'; readonly failure: Failure };

/** An error in a form that can be sent: messages lose classes. */
interface Failure {
  readonly code: string;
  readonly message: string;
  readonly state?: number | undefined;
  readonly rowSum?: number | undefined;
  readonly lower?: Float64Array;
  readonly upper?: Float64Array;
}

export function failureOf(error: unknown): Failure {
  if (!(error instanceof ForeguardError)) return { code: 'unexpected', message: String(error) };
  const { code, message } = error;
  if (error instanceof InvalidModelError) return { code, message, state: error.state, rowSum: error.rowSum };
  if (error instanceof NotConvergedError) return { code, message, lower: error.lower, upper: error.upper };
  return { code, message };
}

export function errorOf({ code, message, state, rowSum, lower, upper }: Failure): ForeguardError {
  if (lower !== undefined && upper !== undefined) return new NotConvergedError(message, { lower, upper });
  if (code === 'invalid-model')
    return new InvalidModelError(message, {
      ...(state === undefined ? {} : { state }),
      ...(rowSum === undefined ? {} : { rowSum }),
    });
  return code === 'invalid-argument' ? new InvalidArgumentError(message) : new KernelError(message);
}
