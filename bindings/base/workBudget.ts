import { InvalidArgumentError } from './errors.js';

/** How long work reports, and how it is stopped from outside. */
interface Watch<Progress> {
  readonly onProgress?: (progress: Progress) => void;
  readonly signal?: AbortSignal;
}

interface Allowance {
  /** Work between two reports of progress, each with a look at the signal. Default: neither is done. */
  readonly slice?: number;
  /** Work that is allowed. Default: any amount. */
  readonly limit?: number;
  /** The error where more is charged. */
  readonly refuse?: () => Error;
}

/** Counts work, in a unit of its owner's: reports progress after each slice of it, and stops it beyond a limit or once it is aborted. */
export class WorkBudget<Progress = never> {
  #spent = 0;
  #reportAt: number;
  readonly #slice: number;
  readonly #limit: number;
  readonly #refuse: Allowance['refuse'];
  readonly #watch: Watch<Progress>;

  /** @throws InvalidArgumentError for callbacks that cannot be called; the signal's reason if it is aborted already. */
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

  /** @throws what `refuse` returns beyond the limit; the signal's reason if it was aborted by the end of a slice. */
  charge(work: number, progress?: (spent: number) => Progress): void {
    this.#spent += work;
    if (!(this.#spent <= this.#limit)) throw this.#refuse?.();
    if (this.#spent < this.#reportAt) return;
    this.#reportAt = this.#spent + this.#slice;
    if (progress) this.#watch.onProgress?.(progress(this.#spent));
    this.#watch.signal?.throwIfAborted();
  }
}

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
