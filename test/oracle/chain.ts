import type { BitSet, Csr } from '../../bindings/solvers/kernel/index.js';
import { max, Rational } from './rational.js';

/**
 * A chain as exact fractions, straight from the definitions and without any care for speed. What the doubles of a row say is
 * what leaves the state: off-diagonal entries count as given, and the probability to stay is 1 minus their sum, whatever the
 * diagonal entry. Where rounding makes the sum exceed 1, the row is divided by it.
 */
export class ExactChain {
  readonly states: number;
  /** `rows[s].get(t)` is P(s, t); impossible moves are absent. */
  readonly rows: readonly ReadonlyMap<number, Rational>[];

  constructor(matrix: Csr | readonly ReadonlyMap<number, Rational>[]) {
    if (Array.isArray(matrix)) {
      this.states = matrix.length;
      this.rows = matrix;
      return;
    }
    const { rowStart, columns, values } = matrix as Csr;
    this.states = rowStart.length - 1;
    this.rows = Array.from({ length: this.states }, (_, s) => {
      const row = new Map<number, Rational>();
      let exit = Rational.ZERO;
      for (let e = rowStart[s]; e < rowStart[s + 1]; e++) {
        if (columns[e] === s) continue;
        const probability = Rational.fromDouble(values[e]);
        row.set(columns[e], probability);
        exit = exit.plus(probability);
      }
      const total = max(exit, Rational.ONE);
      for (const [t, probability] of row) row.set(t, probability.dividedBy(total));
      const stay = Rational.ONE.minus(exit.dividedBy(total));
      if (stay.compare(0) > 0) row.set(s, stay);
      return row;
    });
  }

  /** States from which no path through `remain` leads to `target`, by iterating the definition to its fixed point. */
  never(remain: BitSet, target: BitSet): boolean[] {
    const can = Array.from({ length: this.states }, (_, s) => target.has(s));
    for (let changed = true; changed; ) {
      changed = false;
      for (let s = 0; s < this.states; s++) {
        if (can[s] || !remain.has(s) || ![...this.rows[s].keys()].some((t) => can[t])) continue;
        can[s] = changed = true;
      }
    }
    return can.map((reaches) => !reaches);
  }

  /** P(remain U target) of every state: 0 and 1 where they are certain, and the solution of the linear system elsewhere. */
  until(remain: BitSet, target: BitSet): Rational[] {
    const never = this.never(remain, target);
    const unknown = [...this.rows.keys()].filter((s) => !never[s] && !target.has(s));
    const place = new Map(unknown.map((s, i) => [s, i]));
    const coefficients = unknown.map((s) => {
      const row = Array.from({ length: unknown.length + 1 }, () => Rational.ZERO);
      row[place.get(s)!] = Rational.ONE;
      for (const [t, probability] of this.rows[s]) {
        const i = place.get(t);
        if (i !== undefined) row[i] = row[i].minus(probability);
        else if (target.has(t)) row[unknown.length] = row[unknown.length].plus(probability);
      }
      return row;
    });
    const solution = solve(coefficients);
    return this.rows.map((_, s) => {
      if (target.has(s)) return Rational.ONE;
      return never[s] ? Rational.ZERO : solution[place.get(s)!];
    });
  }

  /** P(remain U<=steps target) of every state. */
  boundedUntil(remain: BitSet, target: BitSet, steps: number): Rational[] {
    let values = this.rows.map((_, s) => (target.has(s) ? Rational.ONE : Rational.ZERO));
    for (let step = 0; step < steps; step++) {
      const before = values;
      values = this.rows.map((_, s) => (target.has(s) || !remain.has(s) ? before[s] : this.mean(s, before)));
    }
    return values;
  }

  /** P(X target) of every state. */
  next(target: BitSet): Rational[] {
    const indicator = this.rows.map((_, s) => (target.has(s) ? Rational.ONE : Rational.ZERO));
    return this.rows.map((_, s) => this.mean(s, indicator));
  }

  private mean(s: number, values: readonly Rational[]): Rational {
    let sum = Rational.ZERO;
    for (const [t, probability] of this.rows[s]) sum = sum.plus(probability.times(values[t]));
    return sum;
  }
}

/**
 * Solves a regular system given as rows of coefficients and right-hand side. Rows are scaled to whole numbers and eliminated
 * without fractions (Bareiss 1968), because reducing large fractions would take nearly all the time.
 */
export function solve(equations: readonly (readonly Rational[])[]): Rational[] {
  const n = equations.length;
  const rows = equations.map((row) => {
    const denominator = row.reduce((product, entry) => leastCommonMultiple(product, entry.denominator), 1n);
    return row.map((entry) => entry.numerator * (denominator / entry.denominator));
  });
  let previousPivot = 1n;
  for (let k = 0; k < n; k++) {
    const pivotRow = rows.findIndex((row, i) => i >= k && row[k] !== 0n);
    [rows[k], rows[pivotRow]] = [rows[pivotRow], rows[k]];
    for (let i = 0; i < n; i++) {
      if (i === k) continue;
      const factor = rows[i][k];
      for (let j = 0; j <= n; j++)
        rows[i][j] = (rows[i][j] * rows[k][k] - factor * rows[k][j]) / previousPivot;
    }
    previousPivot = rows[k][k];
  }
  return rows.map((row, i) => new Rational(row[n], row[i]));
}

function leastCommonMultiple(a: bigint, b: bigint): bigint {
  return a * new Rational(b, a).numerator;
}
