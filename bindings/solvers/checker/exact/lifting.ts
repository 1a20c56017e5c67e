import { bitLength, euclideanSteps, leadingDigits } from '../../../base/rational.js';
import type { Equation } from './exactElimination.js';
import { ModularFactors } from './modularFactors.js';
import type { WorkLimit } from './workLimit.js';

/** Primes are below this, so that products of two residues are exact in doubles. */
const PRIME_LIMIT = 2 ** 26;

/** Whole numbers below this are exact in doubles. */
const WHOLE_LIMIT = 2 ** 53;

/** Bits of a digit. */
const DIGIT_BITS = 25;

/** Bits by which a fraction must be shorter than its residue, to exclude agreement by chance. */
const SURPLUS_BITS = 34;

interface Solved {
  readonly numerators: bigint[];
  readonly denominator: bigint;
}

/**
 * Solves a nonsingular system modulo powers of a prime p, digit by digit: with the factors of the matrix modulo p, one solve
 * gives a digit of all unknowns, and the remaining right-hand side is divided by p. Once there are enough digits, fractions
 * that agree with them are reconstructed and checked in the equations, in whole numbers; only a solution of all equations is
 * returned. The time therefore depends on the actual length of the solution, not on its largest possible length.
 *
 * @returns unknown i is `numerators[i] / denominator`, with the least common denominator.
 * @throws NotSupportedError beyond the work allowed
 * @see Dixon 1982, doi:10.1007/BF01459082
 */
export function solveByLifting(equations: readonly Equation[], work: WorkLimit): Solved {
  for (let prime = primeBelow(PRIME_LIMIT); ; prime = primeBelow(prime)) {
    const factors = ModularFactors.of(equations, prime, work);
    if (factors) return new Lifting(equations, factors, work).run();
  }
}

class Lifting {
  readonly #size: number;
  /** digits[k][i]: digit k of unknown i. */
  readonly #digits: Uint32Array[] = [];
  #residual: readonly bigint[];
  /** The residual in doubles, once it is small enough. */
  #small: Float64Array | undefined;
  /** The equations in doubles, if those are exact. */
  readonly #doubles: SmallEquations | undefined;
  readonly #prime: number;
  /** Powers of the prime. */
  readonly #powers = new Map<number, bigint>();
  readonly #equations: readonly Equation[];
  readonly #factors: ModularFactors;
  readonly #work: WorkLimit;

  constructor(equations: readonly Equation[], factors: ModularFactors, work: WorkLimit) {
    this.#equations = equations;
    this.#factors = factors;
    this.#work = work;
    this.#size = equations.length;
    this.#prime = factors.prime;
    this.#residual = equations.map(({ constant }) => constant);
    this.#doubles = SmallEquations.of(equations, factors.prime);
  }

  run(): Solved {
    const samples = [0, this.#size >>> 1, this.#size - 1];
    // An even number of digits, half as many again each time.
    for (let count = 8; ; count = 2 * Math.ceil(0.75 * count)) {
      while (this.#digits.length < count) this.#addDigit();
      const modulus = this.#power(count);
      const enough = samples.every(
        (i) => reconstruct(this.#number(i, count), modulus, this.#work) !== undefined,
      );
      const candidate = enough ? this.#fractions(count) : undefined;
      if (candidate && this.#satisfies(candidate)) return candidate;
    }
  }

  #addDigit(): void {
    const prime = this.#prime;
    const size = this.#size;
    const whole = BigInt(prime);
    const values = new Float64Array(size);
    for (let i = 0; i < size; i++) {
      const rest = this.#small ? this.#small[i] % prime : Number(this.#residual[i] % whole);
      values[i] = rest < 0 ? rest + prime : rest;
    }
    this.#work.spend(this.#factors.size / 16 + size / 4, 64);
    this.#factors.solve(values);
    this.#digits.push(Uint32Array.from(values));
    if (this.#small) {
      this.#doubles?.subtract(values, this.#small);
      return;
    }
    const x = Array.from(values, BigInt);
    this.#residual = this.#equations.map(({ diagonal, coupling }, i) => {
      let rest = this.#residual[i] - diagonal * x[i];
      for (const [j, value] of coupling) rest += value * x[j];
      this.#work.spend(coupling.size + 2, 64);
      return rest / whole;
    });
    if (this.#doubles?.hold(this.#residual)) this.#small = Float64Array.from(this.#residual, Number);
  }

  /** An unknown modulo the prime to some even number of digits. */
  #number(unknown: number, count: number): bigint {
    const digits = this.#digits;
    const prime = this.#prime;
    this.#work.spend(count, count * 26);
    let parts: bigint[] = [];
    for (let k = 0; k < count; k += 2)
      parts.push(BigInt(digits[k][unknown] + prime * digits[k + 1][unknown]));
    for (let width = 2; parts.length > 1; width *= 2) {
      const base = this.#power(width);
      const pairs: bigint[] = [];
      for (let k = 0; k < parts.length; k += 2) pairs.push(parts[k] + base * (parts[k + 1] ?? 0n));
      parts = pairs;
    }
    return parts[0];
  }

  /** Fractions that agree with `count` digits of all unknowns; undefined if none are short enough. */
  #fractions(count: number): Solved | undefined {
    const numerators: bigint[] = [];
    const factors: bigint[] = [];
    let denominator = 1n;
    let longest = 1n;
    for (let i = 0; i < this.#size; i++) {
      // Unknowns normally share their denominator and have numerators of similar length: that many digits suffice.
      const few = bitLength(longest) + bitLength(denominator) + 2 * SURPLUS_BITS;
      const fraction =
        this.#fraction(i, denominator, Math.min(count, 2 * Math.ceil(few / (2 * DIGIT_BITS)))) ??
        this.#fraction(i, denominator, count) ??
        reconstruct(
          (this.#number(i, count) * denominator) % this.#power(count),
          this.#power(count),
          this.#work,
        );
      if (fraction === undefined) return undefined;
      const [numerator, factor] = fraction;
      denominator *= factor;
      if (numerator > longest) longest = numerator;
      numerators.push(numerator);
      factors.push(factor);
    }
    // Earlier numerators lack the factors by which the denominator grew later.
    let later = 1n;
    for (let i = this.#size - 1; i >= 0; i--) {
      numerators[i] *= later;
      later *= factors[i];
    }
    return { numerators, denominator };
  }

  /** The numerator of an unknown over a denominator, by `count` digits; undefined if it is too long to be one. */
  #fraction(unknown: number, denominator: bigint, count: number): [bigint, bigint] | undefined {
    const modulus = this.#power(count);
    const bits = bitLength(modulus);
    this.#work.spend(2, bits, bits);
    const rest = (this.#number(unknown, count) * denominator) % modulus;
    const numerator = 2n * rest > modulus ? rest - modulus : rest;
    const size = bitLength(numerator < 0n ? -numerator : numerator);
    return size + bitLength(denominator) + SURPLUS_BITS <= bits ? [numerator, 1n] : undefined;
  }

  #power(exponent: number): bigint {
    let power = this.#powers.get(exponent);
    if (power === undefined) {
      power = BigInt(this.#prime) ** BigInt(exponent);
      this.#powers.set(exponent, power);
    }
    return power;
  }

  #satisfies({ numerators, denominator }: Solved): boolean {
    const bits = bitLength(denominator);
    return this.#equations.every(({ diagonal, coupling, constant }, i) => {
      this.#work.spend(coupling.size + 2, bits);
      let left = diagonal * numerators[i];
      for (const [j, value] of coupling) left -= value * numerators[j];
      return left === constant * denominator;
    });
  }
}

/** Equations whose residuals stay whole doubles. */
class SmallEquations {
  private constructor(
    readonly prime: number,
    readonly limit: bigint,
    readonly diagonal: Float64Array,
    readonly start: Uint32Array,
    readonly columns: Uint32Array,
    readonly values: Float64Array,
  ) {}

  static of(equations: readonly Equation[], prime: number): SmallEquations | undefined {
    let widest = 0n;
    const start = new Uint32Array(equations.length + 1);
    for (const [i, { diagonal, coupling }] of equations.entries()) {
      let sum = diagonal;
      for (const value of coupling.values()) sum += value;
      if (sum > widest) widest = sum;
      start[i + 1] = start[i] + coupling.size;
    }
    // A residual r becomes (r - row · x) / p, which stays below the sum of the row if r is below that times p.
    if (widest * BigInt(prime) * 2n >= BigInt(WHOLE_LIMIT)) return undefined;
    const columns = equations.flatMap(({ coupling }) => [...coupling.keys()]);
    const values = equations.flatMap(({ coupling }) => [...coupling.values()].map(Number));
    return new SmallEquations(
      prime,
      widest * BigInt(prime),
      Float64Array.from(equations, ({ diagonal }) => Number(diagonal)),
      start,
      Uint32Array.from(columns),
      Float64Array.from(values),
    );
  }

  /** Whether residuals are small enough. */
  hold(residual: readonly bigint[]): boolean {
    return residual.every((value) => value < this.limit && -value < this.limit);
  }

  /** Subtracts a digit of all unknowns from the residual, and divides it by the prime. */
  subtract(x: Float64Array, residual: Float64Array): void {
    const { prime, diagonal, start, columns, values } = this;
    for (let i = 0; i < residual.length; i++) {
      let rest = residual[i] - diagonal[i] * x[i];
      for (let e = start[i]; e < start[i + 1]; e++) rest += values[e] * x[columns[e]];
      residual[i] = rest / prime;
    }
  }
}

/**
 * The fraction with a numerator and a denominator of less than about half the modulus's bits that is `value` modulo it, if there
 * is one.
 *
 * @see Wang 1981, doi:10.1145/800206.806398
 */
function reconstruct(value: bigint, modulus: bigint, work: WorkLimit): [bigint, bigint] | undefined {
  const bits = bitLength(modulus);
  const limit = 1n << BigInt(Math.floor((bits - SURPLUS_BITS) / 2));
  work.spendGcd(bits);
  let [a, b, x, y] = [modulus, value, 0n, 1n];
  let digits = leadingDigits(a);
  while (b > limit) {
    // Several steps at once may go too far if few are left.
    digits = leadingDigits(a, digits);
    const steps = b >> 64n > limit ? euclideanSteps(a, b, digits.shift) : undefined;
    const [A, B, C, D] = steps ?? [0n, 1n, 1n, -(a / b)];
    [a, b] = [A * a + B * b, C * a + D * b];
    [x, y] = [A * x + B * y, C * x + D * y];
  }
  if (y < 0n) [b, y] = [-b, -y];
  return y > limit || y === 0n ? undefined : [b, y];
}

function primeBelow(limit: number): number {
  let candidate = limit - 1;
  while (!isPrime(candidate)) candidate--;
  return candidate;
}

function isPrime(value: number): boolean {
  for (let divisor = 2; divisor * divisor <= value; divisor++) if (value % divisor === 0) return false;
  return true;
}
