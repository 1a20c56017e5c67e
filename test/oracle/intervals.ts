import type { BitSet, IntervalCsr, Players } from '../../bindings/solvers/kernel/index.js';
import { Rational } from './rational.js';

/** Probabilities by state. */
export type Distribution = readonly Rational[];

const sum = (terms: readonly Rational[]) => terms.reduce((total, term) => total.plus(term), Rational.ZERO);

/** A row of an interval model in fractions, entries in the order of its columns. */
export interface ExactRow {
  readonly columns: readonly number[];
  readonly lower: readonly Rational[];
  readonly upper: readonly Rational[];
  readonly centre: readonly Rational[];
  /** Infinite if undefined. */
  readonly radius: Rational | undefined;
}

export function exactRow(matrix: IntervalCsr, row: number): ExactRow {
  const { rowStart, columns, lower, upper, centre, radius } = matrix;
  const [start, end] = [rowStart[row], rowStart[row + 1]];
  const exact = (array: Float64Array) => Array.from(array.subarray(start, end), Rational.fromDouble);
  return {
    columns: [...columns.subarray(start, end)],
    lower: exact(lower),
    upper: exact(upper),
    centre: exact(centre ?? lower),
    radius:
      radius === undefined || radius[row] === Number.POSITIVE_INFINITY
        ? undefined
        : Rational.fromDouble(radius[row]),
  };
}

/**
 * Half-spaces sum of coefficients times P <= limit that make up a row, beside sum of P = 1: upper and lower bounds, and for the
 * ball, for every set of entries, that those do not lose (gain, if the centre sums to more than 1) more than the radius.
 */
function halfSpaces({
  lower,
  upper,
  centre,
  radius,
}: ExactRow): { coefficients: number[]; limit: Rational }[] {
  const size = lower.length;
  const spaces: { coefficients: number[]; limit: Rational }[] = [];
  const unit = (i: number, value: number) => Array.from({ length: size }, (_, j) => (i === j ? value : 0));
  for (let i = 0; i < size; i++) {
    spaces.push({ coefficients: unit(i, 1), limit: upper[i] });
    spaces.push({ coefficients: unit(i, -1), limit: Rational.ZERO.minus(lower[i]) });
  }
  if (radius === undefined) return spaces;
  const sign = sum(centre).compare(1) > 0 ? 1 : -1;
  for (let subset = 1; subset < 1 << size; subset++) {
    const coefficients = Array.from({ length: size }, (_, i) => ((subset >> i) & 1) * sign);
    const atCentre = sum(centre.map((c, i) => c.times(new Rational(BigInt(coefficients[i])))));
    spaces.push({ coefficients, limit: radius.plus(atCentre) });
  }
  return spaces;
}

/** Whether a distribution is in the row, by its definition. */
export function contains(row: ExactRow, distribution: readonly Rational[]): boolean {
  return (
    sum(distribution).compare(1) === 0 &&
    halfSpaces(row).every(
      ({ coefficients, limit }) =>
        sum(distribution.map((p, i) => p.times(new Rational(BigInt(coefficients[i]))))).compare(limit) <= 0,
    )
  );
}

/**
 * All vertices of a row, by brute force: every choice of as many tight half-spaces as there are degrees of freedom, solved and
 * checked. A row that bounds or radius make a point is that point, divided by its sum.
 */
export function verticesOf(row: ExactRow): Rational[][] {
  const { lower, upper, centre, radius } = row;
  const point =
    sum(lower).compare(1) >= 0
      ? lower
      : sum(upper).compare(1) <= 0
        ? upper
        : radius?.compare(0) === 0
          ? centre
          : undefined;
  if (point !== undefined) {
    const total = sum(point);
    return [point.map((p) => p.dividedBy(total))];
  }
  const size = lower.length;
  const spaces = halfSpaces(row);
  const found = new Map<string, Rational[]>();
  for (const tight of subsetsOf(spaces, size - 1)) {
    const one = { coefficients: Array.from({ length: size }, () => 1), limit: Rational.ONE };
    const vertex = solve(
      [one, ...tight].map(({ coefficients, limit }) => [
        ...coefficients.map((c) => new Rational(BigInt(c))),
        limit,
      ]),
    );
    if (vertex === undefined || found.has(String(vertex))) continue;
    if (contains(row, vertex)) found.set(String(vertex), vertex);
  }
  return [...found.values()];
}

function* subsetsOf<T>(items: readonly T[], size: number, from = 0): Generator<T[]> {
  if (size === 0) yield [];
  else {
    for (let i = from; i + size <= items.length; i++) {
      for (const rest of subsetsOf(items, size - 1, i + 1)) yield [items[i], ...rest];
    }
  }
}

/** Solves a square system given as rows of coefficients and right-hand side; undefined if it is singular. */
function solve(equations: readonly (readonly Rational[])[]): Rational[] | undefined {
  const rows = equations.map((row) => [...row]);
  const n = rows.length;
  for (let k = 0; k < n; k++) {
    const pivot = rows.findIndex((row, i) => i >= k && row[k].compare(0) !== 0);
    if (pivot < 0) return undefined;
    [rows[k], rows[pivot]] = [rows[pivot], rows[k]];
    for (let i = 0; i < n; i++) {
      if (i === k || rows[i][k].compare(0) === 0) continue;
      const factor = rows[i][k].dividedBy(rows[k][k]);
      for (let j = k; j <= n; j++) rows[i][j] = rows[i][j].minus(factor.times(rows[k][j]));
    }
  }
  return rows.map((row, k) => row[n].dividedBy(row[k]));
}

/** What each player may still choose: rows of a state, vertices of a row. */
interface Choices {
  readonly rows: readonly (readonly number[])[];
  readonly vertices: readonly (readonly Distribution[])[];
}

/**
 * An interval model as a finite game: in every state a row is chosen, then a vertex of the row. Exact, straight from the
 * definitions, by strategy improvement; for small models.
 */
export class ExactIntervalModel {
  readonly states: number;
  private readonly choices: Choices;

  constructor(matrix: IntervalCsr & { readonly rowGroupStart?: Uint32Array }) {
    const rows = matrix.rowStart.length - 1;
    const groups = matrix.rowGroupStart ?? Uint32Array.from({ length: rows + 1 }, (_, row) => row);
    this.states = groups.length - 1;
    this.choices = {
      rows: Array.from({ length: this.states }, (_, s) =>
        Array.from({ length: groups[s + 1] - groups[s] }, (_, i) => groups[s] + i),
      ),
      vertices: Array.from({ length: rows }, (_, index) => {
        const row = exactRow(matrix, index);
        return verticesOf(row).map((vertex) => {
          const full = Array.from({ length: this.states }, () => Rational.ZERO);
          for (const [i, p] of vertex.entries()) full[row.columns[i]] = p;
          return full;
        });
      }),
    };
  }

  /** P(remain U target) of every state. */
  until(remain: BitSet, target: BitSet, players: Players): Rational[] {
    // Strategies of the maximising players improve; the others answer best.
    const maxRows = players.scheduler === 'max';
    const maxVertices = players.nature === 'max';
    const { rows, vertices } = this.choices;
    let fixed: Choices = {
      rows: maxRows ? rows.map(([first]) => [first]) : rows,
      vertices: maxVertices ? vertices.map(([first]) => [first]) : vertices,
    };
    while (true) {
      const values = this.least(remain, target, fixed);
      const better = this.improved(fixed, values, maxRows, maxVertices);
      if (better === undefined) return values;
      fixed = better;
    }
  }

  /** P(remain U<=steps target) of every state. */
  boundedUntil(remain: BitSet, target: BitSet, steps: number, players: Players): Rational[] {
    let values = Array.from({ length: this.states }, (_, s) =>
      target.has(s) ? Rational.ONE : Rational.ZERO,
    );
    for (let step = 0; step < steps; step++) {
      const before = values;
      values = before.map((value, s) =>
        target.has(s) || !remain.has(s) ? value : this.stepValue(s, before, players),
      );
    }
    return values;
  }

  /** P(X target) of every state. */
  next(target: BitSet, players: Players): Rational[] {
    const indicator = Array.from({ length: this.states }, (_, s) =>
      target.has(s) ? Rational.ONE : Rational.ZERO,
    );
    return indicator.map((_, s) => this.stepValue(s, indicator, players));
  }

  private stepValue(s: number, values: readonly Rational[], { scheduler, nature }: Players): Rational {
    const ofRow = (row: number) =>
      best(
        this.choices.vertices[row].map((vertex) => mean(vertex, values)),
        nature,
      );
    return best(this.choices.rows[s].map(ofRow), scheduler);
  }

  /** Choices of the maximising players that are strictly better at `values`, undefined if there are none. */
  private improved(
    fixed: Choices,
    values: readonly Rational[],
    maxRows: boolean,
    maxVertices: boolean,
  ): Choices | undefined {
    let changed = false;
    const vertices = !maxVertices
      ? fixed.vertices
      : fixed.vertices.map(([current], row) => {
          const better = this.choices.vertices[row].filter(
            (v) => mean(v, values).compare(mean(current, values)) > 0,
          );
          if (better.length === 0) return [current];
          changed = true;
          return [better.reduce((a, b) => (mean(b, values).compare(mean(a, values)) > 0 ? b : a))];
        });
    const ofRow = (row: number) =>
      best(
        vertices[row].map((vertex) => mean(vertex, values)),
        maxVertices ? 'max' : 'min',
      );
    const rows = !maxRows
      ? fixed.rows
      : fixed.rows.map(([current], s) => {
          const better = this.choices.rows[s].filter((row) => ofRow(row).compare(ofRow(current)) > 0);
          if (better.length === 0) return [current];
          changed = true;
          return [better.reduce((a, b) => (ofRow(b).compare(ofRow(a)) > 0 ? b : a))];
        });
    return changed ? { rows, vertices } : undefined;
  }

  /** The least probability over all choices left. */
  private least(remain: BitSet, target: BitSet, { rows, vertices }: Choices): Rational[] {
    const options = rows.map((mine) => mine.flatMap((row) => vertices[row]));
    // States from which choices avoid the target for ever: the greatest set that some choice does not leave.
    const avoiding = options.map((_, s) => !target.has(s));
    for (let changed = true; changed; ) {
      changed = false;
      for (const [s, mine] of options.entries()) {
        if (!avoiding[s] || !remain.has(s)) continue;
        if (mine.some((vertex) => vertex.every((p, t) => p.compare(0) === 0 || avoiding[t]))) continue;
        avoiding[s] = false;
        changed = true;
      }
    }
    const chosen = options.map(([first]) => first);
    while (true) {
      const values = this.reached(chosen, target, avoiding);
      let changed = false;
      for (const [s, mine] of options.entries()) {
        if (target.has(s) || avoiding[s]) continue;
        for (const vertex of mine) {
          if (mean(vertex, values).compare(mean(chosen[s], values)) >= 0) continue;
          chosen[s] = vertex;
          changed = true;
        }
      }
      if (!changed) return values;
    }
  }

  /** The probability to reach `target` in a chain where states of `zero` have 0: no other can avoid both for ever. */
  private reached(chain: readonly Distribution[], target: BitSet, zero: readonly boolean[]): Rational[] {
    const equations = chain.map((row, s) => {
      const known = target.has(s) || zero[s];
      const coefficients = row.map((p, t) =>
        (s === t ? Rational.ONE : Rational.ZERO).minus(known ? Rational.ZERO : p),
      );
      return [...coefficients, target.has(s) ? Rational.ONE : Rational.ZERO];
    });
    return solve(equations)!;
  }
}

function mean(distribution: Distribution, values: readonly Rational[]): Rational {
  let total = Rational.ZERO;
  for (const [t, p] of distribution.entries()) if (p.compare(0) !== 0) total = total.plus(p.times(values[t]));
  return total;
}

function best(values: readonly Rational[], direction: 'min' | 'max'): Rational {
  return values.reduce((a, b) => (b.compare(a) > 0 === (direction === 'max') ? b : a));
}
