import { NotSupportedError } from '../../../base/errors.js';
import { WorkBudget } from '../../../base/workBudget.js';
import type { ExactOptions } from './exactQuantities.js';

/** About a second of work, in products of 64-bit digits. */
const SECOND = 4e8;

/** The cost of an operation on small numbers, in the same unit. */
const OVERHEAD = 100;

/** Work between calls of `onProgress` and checks of `signal`. */
const SLICE = SECOND / 20;

/** Exact arithmetic would take longer than it is allowed to. */
export class TooMuchWorkError extends NotSupportedError {}

/** Counts the work of exact arithmetic, whose numbers grow over time, and stops it beyond a limit. */
export class WorkLimit {
  readonly #budget: WorkBudget<{ readonly work: number }>;

  constructor(limit = SECOND, watch: Pick<ExactOptions, 'onProgress' | 'signal'> = {}) {
    const refuse = () =>
      new TooMuchWorkError(
        `exact arithmetic takes more than its ${limit} products of digits on this model; ask for bounds instead`,
      );
    this.#budget = new WorkBudget({ slice: SLICE, limit, refuse }, watch);
  }

  /** Creates a limit from options; without `workLimit` there is none. */
  static of({ workLimit = Number.POSITIVE_INFINITY, ...watch }: ExactOptions): WorkLimit {
    return new WorkLimit(workLimit, watch);
  }

  /**
   * Accounts for `products` products of numbers of `bits` and `otherBits` bits.
   * @throws NotSupportedError once the limit is exceeded, the reason of an aborted signal
   */
  spend(products: number, bits: number, otherBits = 64): void {
    const work = products * (OVERHEAD + Math.ceil(bits / 64) * Math.ceil(otherBits / 64));
    this.#budget.charge(work, (spent) => ({ work: spent }));
  }

  /** Accounts for a greatest common divisor: a division for every other bit. */
  spendGcd(bits: number): void {
    this.spend(bits / 2, bits);
  }
}
