import { NotSupportedError } from '../../errors.js';

/** About a second's work, in products of 64-bit digits. */
const DEFAULT_LIMIT = 4e8;

/** What an operation on small numbers costs, in the same unit. */
const OVERHEAD = 100;

/** Counts the work of exact arithmetic, whose numbers grow as it goes on, and stops it beyond a limit. */
export class WorkLimit {
  private left: number;

  constructor(private readonly limit = DEFAULT_LIMIT) {
    this.left = limit;
  }

  /**
   * Accounts for products of numbers of so many bits.
   * @throws NotSupportedError once the limit is exceeded
   */
  spend(products: number, bits: number, otherBits = 64): void {
    this.left -= products * (OVERHEAD + (bits / 64) * (otherBits / 64));
    if (!(this.left >= 0)) {
      throw new NotSupportedError(
        `exact arithmetic takes more than its ${this.limit} products of digits on this model; ask for bounds instead`,
      );
    }
  }

  /** Accounts for a greatest common divisor: a division for every other bit. */
  spendGcd(bits: number): void {
    this.spend(bits / 2, bits);
  }
}
