import { fractionToDouble } from './fraction.js';

/** Largest decimal exponent: beyond it, a decimal would take minutes to expand, and is outside the range of doubles. */
const MAX_DECIMAL_EXPONENT = 10_000;

/** Integers below this limit are exact in doubles. */
const WHOLE_LIMIT = 2n ** 53n;

/** A fraction of integers with a positive denominator. The constructor does not reduce it to lowest terms, which would often cost more than it saves. */
export class Rational {
  static readonly ZERO = /* @__PURE__ */ new Rational(0n, 1n);
  static readonly ONE = /* @__PURE__ */ new Rational(1n, 1n);

  constructor(
    readonly numerator: bigint,
    readonly denominator: bigint,
  ) {}

  /** The exact value of a finite double, not the decimal that it prints as. */
  static fromDouble(value: number): Rational {
    const { numerator, exponent } = dyadic(value);
    return new Rational(numerator, 1n << BigInt(exponent));
  }

  /** Parses a number in PRISM's syntax: `3`, `0.25`, `1e-6`; undefined if the text is not a number. */
  static parse(text: string): Rational | undefined {
    const parts = /^(?<whole>\d*)(?:\.(?<decimals>\d*))?(?:[eE](?<exponent>[+-]?\d+))?$/.exec(text)?.groups;
    if (!parts || (!parts.whole && !parts.decimals)) return undefined;
    const decimals = parts.decimals ?? '';
    const exponent = Number(parts.exponent ?? 0) - decimals.length;
    if (Math.abs(exponent) > MAX_DECIMAL_EXPONENT) return undefined;
    const digits = BigInt(`${parts.whole}${decimals}`);
    return exponent >= 0
      ? new Rational(digits * 10n ** BigInt(exponent), 1n)
      : new Rational(digits, 10n ** BigInt(-exponent)).reduced();
  }

  /** An integer as a fraction; a double must be an integer. */
  static fromInteger(value: number | bigint): Rational {
    return new Rational(BigInt(value), 1n);
  }

  get isInteger(): boolean {
    return this.numerator % this.denominator === 0n;
  }

  /** The sum, in lowest terms. */
  plus(other: Rational): Rational {
    return new Rational(
      this.numerator * other.denominator + other.numerator * this.denominator,
      this.denominator * other.denominator,
    ).reduced();
  }

  /** The difference, in lowest terms. */
  minus(other: Rational): Rational {
    return this.plus(other.negated());
  }

  /** The negated number. */
  negated(): Rational {
    return new Rational(-this.numerator, this.denominator);
  }

  /** The product, in lowest terms. */
  times(other: Rational): Rational {
    return new Rational(this.numerator * other.numerator, this.denominator * other.denominator).reduced();
  }

  /** The quotient; `other` must not be 0. */
  dividedBy(other: Rational): Rational {
    const sign = other.numerator < 0n ? -1n : 1n;
    return new Rational(
      sign * this.numerator * other.denominator,
      sign * other.numerator * this.denominator,
    ).reduced();
  }

  /** The greatest integer that is not above this number. */
  floor(): bigint {
    const quotient = this.numerator / this.denominator;
    return this.numerator < 0n && !this.isInteger ? quotient - 1n : quotient;
  }

  /** The same number in lowest terms. */
  reduced(): Rational {
    const divisor = gcd(this.numerator < 0n ? -this.numerator : this.numerator, this.denominator);
    return divisor === 1n ? this : new Rational(this.numerator / divisor, this.denominator / divisor);
  }

  /** The nearest double. */
  toNumber(): number {
    return fractionToDouble(this.numerator, this.denominator);
  }

  /** Returns 1 - x, the probability of the complement. */
  complement(): Rational {
    return new Rational(this.denominator - this.numerator, this.denominator);
  }

  /** Returns -1, 0 or 1 if this number is below, equal to or above `other`. */
  compare(other: Rational): -1 | 0 | 1 {
    const difference = this.numerator * other.denominator - other.numerator * this.denominator;
    return difference < 0n ? -1 : difference > 0n ? 1 : 0;
  }

  /** The fraction in lowest terms, as in `1/6`. */
  toString(): string {
    const { numerator, denominator } = this.reduced();
    return `${numerator}${denominator === 1n ? '' : `/${denominator}`}`;
  }
}

/** A finite double as numerator / 2^exponent, with the least exponent that is not negative. */
export function dyadic(value: number): { numerator: bigint; exponent: number } {
  let exponent = 0;
  for (; !Number.isInteger(value); value *= 2) exponent++;
  return { numerator: BigInt(value), exponent };
}

/** Greatest common divisor of two integers of any sign; gcd(a, 0) is |a|. */
export function gcd(one: bigint, other: bigint): bigint {
  const [a, b] = [one < 0n ? -one : one, other < 0n ? -other : other];
  if (a === 0n || b === 0n) return a + b;
  // Divide out powers of two first: most denominators are such powers, and Euclid's algorithm is slow on them.
  const twos = trailingZeros(a | b);
  let [x, y] = [a >> trailingZeros(a), b >> trailingZeros(b)];
  if (x < y) [x, y] = [y, x];
  for (let digits = leadingDigits(x); y >= WHOLE_LIMIT; digits = leadingDigits(x, digits)) {
    const step = euclideanSteps(x, y, digits.shift);
    [x, y] = step === undefined ? [y, x % y] : [step[0] * x + step[1] * y, step[2] * x + step[3] * y];
  }
  if (y === 0n) return x << twos;
  let [m, n] = [Number(y), Number(x % y)];
  while (n !== 0) [m, n] = [n, m % n];
  return BigInt(m) << twos;
}

/** How far to shift a number to the right so that about 50 bits remain, or all bits if it has no more. */
export interface LeadingDigits {
  readonly shift: number;
}

/** Computes the leading digits of a number. @param before those of a number that was at least as long; they save counting the bits. */
export function leadingDigits(value: bigint, before?: LeadingDigits): LeadingDigits {
  let shift = before?.shift ?? Math.max(0, bitLength(value) - 52);
  for (;;) {
    const leading = Number(value >> BigInt(shift));
    if (shift === 0 || leading >= 2 ** 46) return { shift };
    shift = Math.max(0, shift - (51 - Math.ceil(Math.log2(leading + 1))));
  }
}

/**
 * Combines the steps of Euclid's algorithm for a >= b that leading digits decide: the pair becomes (A a + B b, C a + D b). Undefined if
 * they do not decide a single step.
 *
 * @see Knuth 1997, The art of computer programming 2, algorithm 4.5.2L (Lehmer)
 */
export function euclideanSteps(
  a: bigint,
  b: bigint,
  shift: number,
): readonly [bigint, bigint, bigint, bigint] | undefined {
  let x = Number(a >> BigInt(shift));
  let y = Number(b >> BigInt(shift));
  let [A, B, C, D] = [1, 0, 0, 1];
  // The quotient must not depend on the digits that were cut off.
  while (y + C > 0 && y + D > 0) {
    const quotient = Math.floor((x + A) / (y + C));
    if (quotient !== Math.floor((x + B) / (y + D))) break;
    [A, C] = [C, A - quotient * C];
    [B, D] = [D, B - quotient * D];
    [x, y] = [y, x - quotient * y];
  }
  return B === 0 ? undefined : [BigInt(A), BigInt(B), BigInt(C), BigInt(D)];
}

export function leastCommonMultiple(numbers: Iterable<bigint>): bigint {
  let multiple = 1n;
  for (const number of new Set(numbers)) multiple *= number / gcd(multiple, number);
  return multiple;
}

/** Number of bits of a natural number, rounded up to a multiple of 4. */
export function bitLength(value: bigint): number {
  return 4 * value.toString(16).length;
}

function trailingZeros(value: bigint): bigint {
  const low = Number(BigInt.asUintN(31, value));
  if (low !== 0) return BigInt(31 - Math.clz32(low & -low));
  return BigInt((value & -value).toString(2).length - 1);
}
