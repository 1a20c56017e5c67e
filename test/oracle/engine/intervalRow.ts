import type { Bounds } from '../../../bindings/base/bounds.js';
import type { IntervalRows } from '../../../bindings/solvers/kernel/intervalRows.js';
import { outward } from './bounds.js';

/** No state: a row evaluated with it has no self-loop. */
export const NOBODY = -1;

/**
 * The distribution of a row that makes the mean of `values` largest or smallest.
 *
 * Sort the successors from best to worst. What the centre misses of 1 goes to the best that have room below their upper
 * bounds (what it exceeds 1 by is taken from the worst); then mass moves from the worst that still has something above its
 * lower bound to the best that still has room, as long as the one is better than the other and no more than `radius` has
 * moved.
 *
 * This is optimal. A distribution is centre + gain - loss; let m be what is moved beyond the forced part. For fixed m gains
 * and losses choose independently, each a fractional knapsack that is filled best first: the value of the gains is concave in
 * m, the cost of the losses convex, so their difference is concave and it is right to stop where moving on no longer pays. No
 * successor both gains and loses: it would have to be strictly better than itself.
 */
export class RowOptimiser {
  /** The distribution found, by place in the row. */
  readonly mass: Float64Array;
  /** What was moved in all. */
  moved = 0;
  private readonly model: IntervalRows;
  private readonly order: number[] = [];

  constructor(model: IntervalRows) {
    const { rowStart, rows } = model;
    let longest = 0;
    for (let row = 0; row < rows; row++) longest = Math.max(longest, rowStart[row + 1] - rowStart[row]);
    this.model = model;
    this.mass = new Float64Array(longest);
  }

  /** `own` stands for the value of state `self`. */
  optimise(row: number, values: Float64Array, maximise: boolean, self = NOBODY, own = 0): void {
    const { rowStart, columns, lower, upper, centre, radius, excess } = this.model;
    const mass = this.mass;
    const order = this.order;
    const start = rowStart[row];
    const size = rowStart[row + 1] - start;
    const valueAt = (place: number) =>
      columns[start + place] === self ? own : values[columns[start + place]];
    const sign = maximise ? 1 : -1;
    order.length = 0;
    for (let place = 0; place < size; place++) order.push(place);
    order.sort((a, b) => sign * compare(valueAt(b), valueAt(a)) || a - b);
    for (let place = 0; place < size; place++) mass[place] = centre[start + place];

    let [best, worst] = [0, size - 1];
    const roomAt = (rank: number) => upper[start + order[rank]] - centre[start + order[rank]];
    const spareAt = (rank: number) => centre[start + order[rank]] - lower[start + order[rank]];
    let [room, spare] = [roomAt(best), spareAt(worst)];
    let moved = 0;
    for (let missing = excess[row]; missing > 0; ) {
      const part = Math.min(room, missing);
      mass[order[best]] += part;
      moved += part;
      missing -= part;
      room -= part;
      if (room === 0) mass[order[best]] = upper[start + order[best]];
      if (missing > 0) {
        if (++best === size) break;
        room = roomAt(best);
      }
    }
    for (let surplus = -excess[row]; surplus > 0; ) {
      const part = Math.min(spare, surplus);
      mass[order[worst]] -= part;
      moved += part;
      surplus -= part;
      spare -= part;
      if (spare === 0) mass[order[worst]] = lower[start + order[worst]];
      if (surplus > 0) {
        if (--worst < 0) break;
        spare = spareAt(worst);
      }
    }
    for (let free = radius[row]; free > 0 && best < worst; ) {
      if (!(sign * compare(valueAt(order[best]), valueAt(order[worst])) > 0)) break;
      if (room === 0) {
        room = roomAt(++best);
        continue;
      }
      if (spare === 0) {
        spare = spareAt(--worst);
        continue;
      }
      const part = Math.min(room, spare, free);
      mass[order[best]] += part;
      mass[order[worst]] -= part;
      moved += part;
      free -= part;
      room -= part;
      spare -= part;
      if (room === 0) mass[order[best]] = upper[start + order[best]];
      if (spare === 0) mass[order[worst]] = lower[start + order[worst]];
    }
    this.moved = moved;
  }

  /**
   * Bounds on the mean of `values` over where the row leads when it leaves `self`, beside `gain` for every step until then;
   * undefined if it may not leave. States whose value is Infinity are not moved to: masses there are what roundings left.
   *
   * Let G be the sum of mass times value and E that of the masses, both without `self`. A point row (nothing moved) only adds
   * products: relative error (k + 3) 2^-53, and one for the quotient. Where T was moved, at most 2k + 2 moves have six
   * roundings each. A rounding is relative to an entry's own mass, which is part of E or was moved away, or to a room that
   * was used up, thus at most T; and what one successor has too much, another one lacks. So masses are off by at most
   * e (E + T) in all, with e = 32 (k + 1) 2^-53: with M the largest value, G by at most e G + e T M.
   */
  mean(
    row: number,
    values: Float64Array,
    self = NOBODY,
    gain = 0,
  ): { lower: number; upper: number } | undefined {
    const { rowStart, columns } = this.model;
    const start = rowStart[row];
    const size = rowStart[row + 1] - start;
    let [gained, leaving, largest] = [gain, 0, 0];
    for (let place = 0; place < size; place++) {
      const t = columns[start + place];
      if (t === self || values[t] === Number.POSITIVE_INFINITY) continue;
      gained += this.mass[place] * values[t];
      leaving += this.mass[place];
      largest = Math.max(largest, values[t]);
    }
    const error = outward(this.moved > 0 ? 33 * (size + 2) : size + 8);
    const uncertain = error * this.moved;
    const least = leaving * (1 - error) - uncertain;
    if (!(least > 0)) return undefined;
    return {
      lower: Math.max(0, gained * (1 - error) - uncertain * largest) / (leaving * (1 + error) + uncertain),
      upper: (gained * (1 + error) + uncertain * largest) / least,
    };
  }
}

/**
 * Narrows one bound of a state by one of its rows, its self-loop solved in closed form; the bound given if that says nothing.
 *
 * With all other values fixed, the value x of the state by this row is the least solution of x = f(x), f the best mean of the
 * row. If nature maximises, any distribution gives a lower bound, G / E. An upper bound y needs f(y) <= y, which holds if
 * G / E <= y for the distribution that is best at y. Beginning with the known bound, y = G / E is Newton's step on the convex
 * f: the first may go too far, all others come back, and there are no more than ways to sort the state among its successors.
 * If nature minimises, the same holds with lower and upper exchanged.
 */
export class RowBounds {
  private readonly model: IntervalRows;
  private readonly optimiser: RowOptimiser;
  private readonly bounds: Bounds;
  private readonly gain: Bounds | undefined;

  /** `gain`: what is earned in each step, per row, times what the row sums to. */
  constructor(model: IntervalRows, optimiser: RowOptimiser, bounds: Bounds, gain?: Bounds) {
    this.model = model;
    this.optimiser = optimiser;
    this.bounds = bounds;
    this.gain = gain;
  }

  lower(row: number, s: number, natureMax: boolean): number {
    // To stay costs, where something is gained: a minimising nature begins with leaving as fast as it can.
    const start = this.gain !== undefined && !natureMax ? Number.POSITIVE_INFINITY : this.bounds.lower[s];
    return this.narrow(row, s, natureMax, 'lower', natureMax, start);
  }

  upper(row: number, s: number, natureMax: boolean): number {
    return this.narrow(row, s, natureMax, 'upper', !natureMax, this.bounds.upper[s]);
  }

  /**
   * What a row gives a state with upper bounds on trial, `more` earned in each step: the same, but whatever bound the state has.
   * Infinity if it may not leave.
   */
  trial(row: number, s: number, natureMax: boolean, more: number): number {
    const values = this.bounds.upper;
    const gain = (this.gain?.upper[row] ?? 0) + more;
    for (let candidate = natureMax ? values[s] : Number.POSITIVE_INFINITY, first = true; ; first = false) {
      this.optimiser.optimise(row, values, natureMax, s, candidate);
      const found = this.optimiser.mean(row, values, s, gain)?.upper;
      if (found === undefined) return Number.POSITIVE_INFINITY;
      if (natureMax ? !first && !(found > candidate) : !(found < candidate)) return candidate;
      candidate = found;
    }
  }

  private narrow(
    row: number,
    s: number,
    natureMax: boolean,
    side: keyof Bounds,
    anyDistribution: boolean,
    start: number,
  ): number {
    const values = this.bounds[side];
    const known = values[s];
    const narrower = (a: number, b: number) => (side === 'lower' ? a > b : a < b);
    for (let candidate = start, first = true; ; first = false) {
      this.optimiser.optimise(row, values, natureMax, s, candidate);
      const found = this.optimiser.mean(row, values, s, this.gain?.[side][row])?.[side];
      if (found === undefined || !narrower(found, known)) return known;
      if (anyDistribution || !this.loops(row, s)) return found;
      if (!first && !narrower(candidate, found)) return candidate;
      candidate = found;
    }
  }

  private loops(row: number, s: number): boolean {
    const { rowStart, columns } = this.model;
    for (let e = rowStart[row]; e < rowStart[row + 1]; e++) if (columns[e] === s) return true;
    return false;
  }
}

function compare(a: number, b: number): number {
  return a > b ? 1 : a < b ? -1 : 0;
}
