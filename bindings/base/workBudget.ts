import { InvalidArgumentError } from './errors.js';

/** How long-running work reports progress, and how it is aborted. */
interface Watch<Progress> {
  readonly onProgress?: (progress: Progress) => void;
  readonly signal?: AbortSignal;
}

interface Allowance {
  /** Work between two progress reports, each of which also checks the signal. Default: no reports, and the signal is not checked. */
  readonly slice?: number;
  /** Largest amount of work. Default: unlimited. */
  readonly limit?: number;
  /** Creates the error if more is charged. */
  readonly refuse?: () => Error;
}

/** Counts work in units chosen by its owner: reports progress after each slice, and stops the work beyond a limit or when it is aborted. */
export class WorkBudget<Progress = never> {
  #spent = 0;
  #reportAt: number;
  readonly #slice: number;
  readonly #limit: number;
  readonly #refuse: Allowance['refuse'];
  readonly #watch: Watch<Progress>;

  /** @throws InvalidArgumentError for callbacks that are not functions; the signal's reason if it is already aborted. */
  constructor(
    { slice = Number.POSITIVE_INFINITY, limit = Number.POSITIVE_INFINITY, refuse }: Allowance,
    watch: Watch<Progress> = {},
  ) {
    checkNotAborted(watch);
    this.#slice = slice;
    this.#reportAt = slice;
    this.#limit = limit;
    this.#refuse = refuse;
    this.#watch = watch;
  }

  /** Charges work to the budget. @throws the error from `refuse` beyond the limit; the signal's reason if it was aborted by the end of a slice. */
  charge(work: number, progress?: (spent: number) => Progress): void {
    this.#spent += work;
    if (!(this.#spent <= this.#limit)) throw this.#refuse?.();
    if (this.#spent < this.#reportAt) return;
    this.#reportAt = this.#spent + this.#slice;
    if (progress) this.#watch.onProgress?.(progress(this.#spent));
    this.#watch.signal?.throwIfAborted();
  }
}

/** @throws InvalidArgumentError for callbacks that are not functions; the signal's reason if it is already aborted. */
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
