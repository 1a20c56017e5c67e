/** A fraction of whole numbers in lowest terms, its denominator positive. Every double is one, exactly. */
export class Rational {
  static readonly ZERO = new Rational(0n);
  static readonly ONE = new Rational(1n);

  readonly numerator: bigint;
  readonly denominator: bigint;

  constructor(numerator: bigint, denominator = 1n) {
    if (denominator === 0n) throw new RangeError(`${numerator}/0 is not a number`);
    const divisor = gcd(numerator, denominator) * (denominator < 0n ? -1n : 1n);
    this.numerator = numerator / divisor;
    this.denominator = denominator / divisor;
  }

  /** The number that a double is, not the decimal that prints like it. */
  static fromDouble(value: number): Rational {
    if (!Number.isFinite(value)) throw new RangeError(`${value} is not a rational number`);
    let numerator = value;
    let denominator = 1n;
    while (!Number.isInteger(numerator)) {
      numerator *= 2;
      denominator *= 2n;
    }
    return new Rational(BigInt(numerator), denominator);
  }

  /** `7`, `1/6` or `0.25`. */
  static parse(text: string): Rational {
    const [numerator, denominator = '1'] = text.split('/');
    const [whole, decimals = ''] = numerator.trim().split('.');
    return new Rational(
      BigInt(whole + decimals),
      BigInt(denominator.trim()) * 10n ** BigInt(decimals.length),
    );
  }

  plus(other: Rational): Rational {
    return new Rational(
      this.numerator * other.denominator + other.numerator * this.denominator,
      this.denominator * other.denominator,
    );
  }

  minus(other: Rational): Rational {
    return this.plus(new Rational(-other.numerator, other.denominator));
  }

  times(other: Rational): Rational {
    return new Rational(this.numerator * other.numerator, this.denominator * other.denominator);
  }

  dividedBy(other: Rational): Rational {
    return new Rational(this.numerator * other.denominator, this.denominator * other.numerator);
  }

  /** Negative, zero or positive as this number is below, equal to or above `other`; a double counts as what it is. */
  compare(other: Rational | number): number {
    const that = typeof other === 'number' ? Rational.fromDouble(other) : other;
    const difference = this.numerator * that.denominator - that.numerator * this.denominator;
    return difference < 0n ? -1 : difference > 0n ? 1 : 0;
  }

  toString(): string {
    return this.denominator === 1n ? `${this.numerator}` : `${this.numerator}/${this.denominator}`;
  }
}

export function max(a: Rational, b: Rational): Rational {
  return a.compare(b) >= 0 ? a : b;
}

function gcd(a: bigint, b: bigint): bigint {
  let [x, y] = [a < 0n ? -a : a, b < 0n ? -b : b];
  // Denominators of doubles are powers of two, where Euclid would be slow.
  if ((y & (y - 1n)) === 0n) return x === 0n || (x & -x) > y ? y : x & -x;
  while (y !== 0n) [x, y] = [y, x % y];
  return x;
}
