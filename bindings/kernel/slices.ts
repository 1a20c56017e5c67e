import { InvalidArgumentError } from '../errors.js';
import type { SolveOptions } from './types/index.js';

/** Row evaluations, or products of an elimination, between two looks at the signal: some milliseconds. */
export const SLICE = 1 << 20;

/** @throws InvalidArgumentError for callbacks that cannot be called; the signal's reason if it is aborted already. */
export function checkNotAborted({
  onProgress,
  signal,
}: {
  onProgress?: unknown;
  signal?: AbortSignal;
}): void {
  if (onProgress !== undefined && typeof onProgress !== 'function') {
    throw new InvalidArgumentError(`onProgress is ${String(onProgress)}: it is a function`);
  }
  if (signal !== undefined && typeof signal?.throwIfAborted !== 'function') {
    throw new InvalidArgumentError(`signal is ${String(signal)}: it is an AbortSignal`);
  }
  signal?.throwIfAborted();
}

/** Counts work, and after each slice of it looks at the signal and reports progress. */
export class Slices {
  #work = 0;
  readonly #options: Pick<SolveOptions, 'onProgress' | 'signal'>;

  constructor(options: Pick<SolveOptions, 'onProgress' | 'signal'>) {
    checkNotAborted(options);
    this.#options = options;
  }

  /** @throws the signal's reason if it was aborted by the end of a slice. */
  spend(work: number, progress: () => { fraction: number; gap: number; iterations: number }): void {
    this.#work += work;
    if (this.#work < SLICE) return;
    this.#work = 0;
    this.#options.onProgress?.(progress());
    this.#options.signal?.throwIfAborted();
  }
}
