import { DegreeOrder } from './degreeOrder.js';
import type { Equation } from './exactElimination.js';
import type { WorkLimit } from './workLimit.js';

/** Above this share of non-zero entries, the remaining matrix is eliminated as a dense one. */
const DENSE_SHARE = 0.3;

/** Products of two numbers below a prime of 26 bits are exact in doubles. */
export function timesModulo(a: number, b: number, prime: number, inverse: number): number {
  const product = a * b;
  const rest = product - Math.floor(product * inverse) * prime;
  return rest < 0 ? rest + prime : rest >= prime ? rest - prime : rest;
}

/** 1 / value, by Euclid's algorithm; `value` lies between 1 and prime - 1. */
function inverseModulo(value: number, prime: number): number {
  let [a, b, x, y] = [value, prime, 1, 0];
  while (b !== 0) {
    const quotient = Math.floor(a / b);
    [a, b, x, y] = [b, a - quotient * b, y, x - quotient * y];
  }
  return x < 0 ? x + prime : x;
}

/** The factors L and U of a system modulo a prime below 2^26, for solving it with many right-hand sides. */
export class ModularFactors {
  readonly order: Uint32Array;
  /** For the i-th pivot: the multiples of its row added to later rows. */
  readonly lowerStart: Uint32Array;
  readonly lowerRow: Uint32Array;
  readonly lowerFactor: Float64Array;
  /** For the i-th pivot: the rest of its row when it was eliminated. */
  readonly upperStart: Uint32Array;
  readonly upperColumn: Uint32Array;
  readonly upperValue: Float64Array;
  readonly pivotInverse: Float64Array;

  private constructor(
    readonly prime: number,
    steps: readonly Step[],
  ) {
    const size = steps.length;
    this.order = Uint32Array.from(steps, ({ pivot }) => pivot);
    this.pivotInverse = Float64Array.from(steps, ({ inverse }) => inverse);
    this.lowerStart = new Uint32Array(size + 1);
    this.upperStart = new Uint32Array(size + 1);
    steps.forEach(({ lower, upper }, i) => {
      this.lowerStart[i + 1] = this.lowerStart[i] + lower.length / 2;
      this.upperStart[i + 1] = this.upperStart[i] + upper.length / 2;
    });
    this.lowerRow = new Uint32Array(this.lowerStart[size]);
    this.lowerFactor = new Float64Array(this.lowerStart[size]);
    this.upperColumn = new Uint32Array(this.upperStart[size]);
    this.upperValue = new Float64Array(this.upperStart[size]);
    steps.forEach(({ lower, upper }, i) => {
      for (let k = 0, at = this.lowerStart[i]; k < lower.length; k += 2, at++) {
        this.lowerRow[at] = lower[k];
        this.lowerFactor[at] = lower[k + 1];
      }
      for (let k = 0, at = this.upperStart[i]; k < upper.length; k += 2, at++) {
        this.upperColumn[at] = upper[k];
        this.upperValue[at] = upper[k + 1];
      }
    });
  }

  /** Entries of both factors. */
  get size(): number {
    return this.lowerRow.length + this.upperColumn.length;
  }

  /** Undefined if a pivot is 0 modulo the prime. */
  static of(equations: readonly Equation[], prime: number, work: WorkLimit): ModularFactors | undefined {
    const steps = new Elimination(equations, prime, work).run();
    return steps && new ModularFactors(prime, steps);
  }

  /** Replaces the right-hand side by the solution, both modulo the prime. */
  solve(values: Float64Array): void {
    const { prime, order, lowerStart, lowerRow, lowerFactor, upperStart, upperColumn, upperValue } = this;
    const inverse = 1 / prime;
    for (let i = 0; i < order.length; i++) {
      const value = values[order[i]];
      if (value === 0) continue;
      for (let k = lowerStart[i]; k < lowerStart[i + 1]; k++) {
        const row = lowerRow[k];
        const sum = values[row] + timesModulo(lowerFactor[k], value, prime, inverse);
        values[row] = sum >= prime ? sum - prime : sum;
      }
    }
    for (let i = order.length - 1; i >= 0; i--) {
      let sum = values[order[i]];
      for (let k = upperStart[i]; k < upperStart[i + 1]; k++) {
        sum += timesModulo(upperValue[k], values[upperColumn[k]], prime, inverse);
      }
      values[order[i]] = timesModulo(sum % prime, this.pivotInverse[i], prime, inverse);
    }
  }
}

/** One pivot; `lower` and `upper` are pairs of index and number. */
interface Step {
  readonly pivot: number;
  readonly inverse: number;
  readonly lower: readonly number[];
  readonly upper: readonly number[];
}

/** Elimination along the diagonal, rows as diagonal · x − Σ coupling · x. */
class Elimination {
  readonly diagonal: Float64Array;
  readonly #rows: readonly Map<number, number>[];
  readonly #users: readonly Set<number>[];
  readonly inverse: number;
  readonly #work: WorkLimit;

  constructor(
    equations: readonly Equation[],
    readonly prime: number,
    work: WorkLimit,
  ) {
    this.#work = work;
    const whole = BigInt(prime);
    const modulo = (value: bigint): number => Number(value % whole);
    this.inverse = 1 / prime;
    this.diagonal = Float64Array.from(equations, ({ diagonal }) => modulo(diagonal));
    this.#rows = equations.map(
      ({ coupling }) => new Map([...coupling].map(([j, value]): [number, number] => [j, modulo(value)])),
    );
    this.#users = equations.map(() => new Set<number>());
    this.#rows.forEach((row, i) => {
      for (const j of row.keys()) this.#users[j].add(i);
    });
  }

  run(): Step[] | undefined {
    const { diagonal, prime, inverse } = this;
    const rows = this.#rows;
    const users = this.#users;
    const size = rows.length;
    const degrees = new DegreeOrder(size, (i) => rows[i].size * users[i].size);
    const steps: Step[] = [];
    while (steps.length < size) {
      const k = degrees.next();
      const left = size - steps.length;
      if (left > 64 && rows[k].size > DENSE_SHARE * left) {
        const rest = [k];
        while (rest.length < left) rest.push(degrees.next());
        return this.#finishDensely(rest, steps);
      }
      if (diagonal[k] === 0) return undefined;
      const pivotInverse = inverseModulo(diagonal[k], prime);
      const upper: number[] = [];
      for (const [j, value] of rows[k]) {
        upper.push(j, value);
        users[j].delete(k);
      }
      const lower: number[] = [];
      for (const i of users[k]) {
        const row = rows[i];
        const factor = timesModulo(row.get(k) as number, pivotInverse, prime, inverse);
        row.delete(k);
        lower.push(i, factor);
        this.#work.spend(upper.length / 16, 64);
        for (let e = 0; e < upper.length; e += 2) {
          const j = upper[e];
          const product = timesModulo(factor, upper[e + 1], prime, inverse);
          if (j === i) {
            const rest = diagonal[i] - product;
            diagonal[i] = rest < 0 ? rest + prime : rest;
            continue;
          }
          const before = row.get(j);
          if (before === undefined) {
            row.set(j, product);
            users[j].add(i);
          } else {
            const sum = before + product;
            row.set(j, sum >= prime ? sum - prime : sum);
          }
        }
      }
      for (const i of users[k]) degrees.changed(i);
      for (const j of rows[k].keys()) degrees.changed(j);
      steps.push({ pivot: k, inverse: pivotInverse, lower, upper });
    }
    return steps;
  }

  /** Eliminates the remaining unknowns in the given order, without looking for zeros. */
  #finishDensely(rest: readonly number[], steps: Step[]): Step[] | undefined {
    const { diagonal, prime, inverse } = this;
    const rows = this.#rows;
    const size = rest.length;
    const place = new Map(rest.map((unknown, i) => [unknown, i]));
    const dense = rest.map((unknown, i) => {
      const row = new Float64Array(size);
      for (const [j, value] of rows[unknown]) row[place.get(j) as number] = value;
      // The diagonal with its sign changed, so that everything is added.
      row[i] = diagonal[unknown] === 0 ? 0 : prime - diagonal[unknown];
      return row;
    });
    for (let k = 0; k < size; k++) {
      const pivotRow = dense[k];
      if (pivotRow[k] === 0) return undefined;
      const pivotInverse = inverseModulo(prime - pivotRow[k], prime);
      const upper: number[] = [];
      for (let j = k + 1; j < size; j++) if (pivotRow[j] !== 0) upper.push(rest[j], pivotRow[j]);
      const lower: number[] = [];
      this.#work.spend(((size - k) * (size - k)) / 400, 64);
      for (let i = k + 1; i < size; i++) {
        const row = dense[i];
        if (row[k] === 0) continue;
        const factor = timesModulo(row[k], pivotInverse, prime, inverse);
        lower.push(rest[i], factor);
        for (let j = k + 1; j < size; j++) {
          const sum = row[j] + timesModulo(factor, pivotRow[j], prime, inverse);
          row[j] = sum >= prime ? sum - prime : sum;
        }
      }
      steps.push({ pivot: rest[k], inverse: pivotInverse, lower, upper });
    }
    return steps;
  }
}
