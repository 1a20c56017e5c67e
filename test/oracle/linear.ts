/** An exact rational number, in lowest terms, denominator positive. */
export class Fraction {
  static readonly zero = new Fraction(0n, 1n);
  static readonly one = new Fraction(1n, 1n);

  private constructor(
    readonly numerator: bigint,
    readonly denominator: bigint,
  ) {}

  static of(numerator: bigint | number, denominator: bigint | number = 1n): Fraction {
    const [n, d] = [BigInt(numerator), BigInt(denominator)];
    let [a, b] = [n < 0n ? -n : n, d];
    while (b !== 0n) [a, b] = [b, a % b];
    return new Fraction(n / a, d / a);
  }

  /** The exact value of a double. */
  static ofDouble(value: number): Fraction {
    let denominator = 1n;
    let scaled = value;
    while (!Number.isInteger(scaled)) {
      scaled *= 2;
      denominator *= 2n;
    }
    return Fraction.of(BigInt(scaled), denominator);
  }

  plus(other: Fraction): Fraction {
    const { numerator: n, denominator: d } = other;
    return Fraction.of(this.numerator * d + n * this.denominator, this.denominator * d);
  }

  minus(other: Fraction): Fraction {
    return this.plus(new Fraction(-other.numerator, other.denominator));
  }

  times(other: Fraction): Fraction {
    return Fraction.of(this.numerator * other.numerator, this.denominator * other.denominator);
  }

  over(other: Fraction): Fraction {
    const sign = other.numerator < 0n ? -1n : 1n;
    return Fraction.of(sign * this.numerator * other.denominator, sign * this.denominator * other.numerator);
  }

  isZero(): boolean {
    return this.numerator === 0n;
  }

  atMost(other: Fraction): boolean {
    return this.numerator * other.denominator <= other.numerator * this.denominator;
  }
}

/** A transition of a chain: target and exact probability. */
export type ExactRow = readonly (readonly [target: number, probability: Fraction])[];

/** P(remain U target) from every state, by Gaussian elimination over the states that can reach the target. */
export function exactUntil(
  rows: readonly ExactRow[],
  remain: (s: number) => boolean,
  target: (s: number) => boolean,
): Fraction[] {
  const reaching = new Set(rows.map((_, s) => s).filter(target));
  for (let grown = true; grown; ) {
    grown = false;
    rows.forEach((row, s) => {
      if (reaching.has(s) || !remain(s) || !row.some(([t]) => reaching.has(t))) return;
      reaching.add(s);
      grown = true;
    });
  }
  const unknowns = [...reaching].filter((s) => !target(s));
  const column = new Map(unknowns.map((s, i) => [s, i]));
  // One equation per unknown: x_s - sum of P(s,t) x_t over unknown t = sum of P(s,t) over targets t.
  const matrix = unknowns.map((s, i) => {
    const equation = Array.from({ length: unknowns.length + 1 }, () => Fraction.zero);
    equation[i] = Fraction.one;
    for (const [t, p] of rows[s]) {
      const j = column.get(t);
      if (j !== undefined) equation[j] = equation[j].minus(p);
      else if (target(t)) equation[unknowns.length] = equation[unknowns.length].plus(p);
    }
    return equation;
  });
  matrix.forEach((pivotRow, i) => {
    const swap = matrix.findIndex((row, r) => r >= i && !row[i].isZero());
    [matrix[i], matrix[swap]] = [matrix[swap], pivotRow];
    const pivot = matrix[i];
    matrix.forEach((row, r) => {
      if (r === i || row[i].isZero()) return;
      const factor = row[i].over(pivot[i]);
      pivot.forEach((entry, j) => {
        if (!entry.isZero()) row[j] = row[j].minus(factor.times(entry));
      });
    });
  });
  return rows.map((_, s) => {
    const i = column.get(s);
    if (i === undefined) return target(s) ? Fraction.one : Fraction.zero;
    return matrix[i][unknowns.length].over(matrix[i][i]);
  });
}

/** P(remain U[from, to] target) from every state, by the definition, position for position. */
export function exactWindowedUntil(
  rows: readonly ExactRow[],
  remain: (s: number) => boolean,
  target: (s: number) => boolean,
  from: number,
  to: number | null,
): Fraction[] {
  let values =
    to === null
      ? exactUntil(rows, remain, target)
      : rows.map((_, s) => (target(s) ? Fraction.one : Fraction.zero));
  for (let i = (to ?? from) - 1; i >= 0; i--) {
    values = rows.map((row, s) => {
      if (i >= from && target(s)) return Fraction.one;
      if (!remain(s)) return Fraction.zero;
      return row.reduce((sum, [t, p]) => sum.plus(p.times(values[t])), Fraction.zero);
    });
  }
  return values;
}
