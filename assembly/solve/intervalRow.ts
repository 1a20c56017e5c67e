import { f64At, setF64, setU32, u32At } from "../memory";
import { Intervals, copyMass } from "../sparse/intervals";
import { SMALLEST } from "../sparse/csr";
import { has } from "../bitSet";
import { lowerAt, outward, setBounds, upperAt } from "./rounding";

/** No state: a row evaluated with it has no self-loop. */
export const NOBODY: u32 = 0xffffffff;

/** Values lie as bounds do: 16 bytes apart. */
// @ts-ignore: decorator
@inline
function valueOf(values: usize, t: u32): f64 {
  return load<f64>(values + (<usize>t << 4));
}

/**
 * Finds the distribution of a row that makes the mean of `values` largest or smallest; `own` stands for the value of `self`.
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
export function optimise(model: Intervals, row: u32, values: usize, maximise: bool, self: u32, own: f64): void {
  const start = u32At(model.rowStart, row);
  const size = u32At(model.rowStart, row + 1) - start;
  const order = model.order + (<usize>start << 2);
  const lower = model.lower + (<usize>start << 3);
  const upper = model.upper + (<usize>start << 3);
  const centre = model.centre + (<usize>start << 3);
  const mass = model.mass;
  const keys = model.keys;
  sort(model, start, size, order, values, maximise ? -1 : 1, self, own);
  // A loop: for the few entries of most rows, memory.copy costs more than all the rest.
  for (let place: u32 = 0; place < size; ++place) setF64(mass, place, f64At(centre, place));

  let best: u32 = 0;
  let worst = size - 1;
  let i = u32At(order, best);
  let j = u32At(order, worst);
  let room = f64At(upper, i) - f64At(centre, i);
  let spare = f64At(centre, j) - f64At(lower, j);
  let moved = 0.0;
  const excess = f64At(model.excess, row);
  for (let missing = excess; missing > 0; ) {
    const part = min(room, missing);
    moved += part;
    missing -= part;
    room -= part;
    setF64(mass, i, room == 0 ? f64At(upper, i) : f64At(mass, i) + part);
    if (missing > 0) {
      if (++best == size) break;
      i = u32At(order, best);
      room = f64At(upper, i) - f64At(centre, i);
    }
  }
  for (let surplus = -excess; surplus > 0; ) {
    const part = min(spare, surplus);
    moved += part;
    surplus -= part;
    spare -= part;
    setF64(mass, j, spare == 0 ? f64At(lower, j) : f64At(mass, j) - part);
    if (surplus > 0) {
      if (worst-- == 0) {
        worst = 0;
        break;
      }
      j = u32At(order, worst);
      spare = f64At(centre, j) - f64At(lower, j);
    }
  }
  // Keys ascend from best to worst.
  for (let free = f64At(model.radius, row); free > 0 && best < worst && f64At(keys, best) < f64At(keys, worst); ) {
    if (room == 0) {
      i = u32At(order, ++best);
      room = f64At(upper, i) - f64At(centre, i);
      continue;
    }
    if (spare == 0) {
      j = u32At(order, --worst);
      spare = f64At(centre, j) - f64At(lower, j);
      continue;
    }
    const part = min(min(room, spare), free);
    moved += part;
    free -= part;
    room -= part;
    spare -= part;
    setF64(mass, i, room == 0 ? f64At(upper, i) : f64At(mass, i) + part);
    setF64(mass, j, spare == 0 ? f64At(lower, j) : f64At(mass, j) - part);
  }
  model.moved = moved;
}

/**
 * Sorts the places of a row by `sign` times the value of their states. The order of last time is nearly right after the first
 * sweeps, where insertion is linear; if it turns out not to be, a heap takes over, so that it is O(k log k) at worst.
 */
function sort(model: Intervals, start: u32, size: u32, order: usize, values: usize, sign: f64, self: u32, own: f64): void {
  const keys = model.keys;
  let allowed = 8 * size + 32;
  for (let i: u32 = 0; i < size; ++i) {
    const place = u32At(order, i);
    const t = u32At(model.columns, start + place);
    const key = sign * (t == self ? own : valueOf(values, t));
    let to = i;
    if (allowed > 0) {
      while (to > 0 && f64At(keys, to - 1) > key) {
        setF64(keys, to, f64At(keys, to - 1));
        setU32(order, to, u32At(order, to - 1));
        --to;
      }
      allowed -= min(allowed, i - to);
    }
    setF64(keys, to, key);
    setU32(order, to, place);
  }
  if (allowed > 0) return;
  for (let i = size >>> 1; i-- > 0; ) sink(keys, order, i, size);
  for (let end = size - 1; end > 0; --end) {
    swap(keys, order, 0, end);
    sink(keys, order, 0, end);
  }
}

function sink(keys: usize, order: usize, from: u32, size: u32): void {
  let i: u32 = from;
  while (true) {
    let child: u32 = 2 * i + 1;
    if (child >= size) return;
    if (child + 1 < size && f64At(keys, child + 1) > f64At(keys, child)) ++child;
    if (f64At(keys, i) >= f64At(keys, child)) return;
    swap(keys, order, i, child);
    i = child;
  }
}

// @ts-ignore: decorator
@inline
function swap(keys: usize, order: usize, a: u32, b: u32): void {
  const key = f64At(keys, a);
  const place = u32At(order, a);
  setF64(keys, a, f64At(keys, b));
  setU32(order, a, u32At(order, b));
  setF64(keys, b, key);
  setU32(order, b, place);
}

/**
 * Bounds on the mean of `values` over where the row leads when it leaves `self`, beside `gain` for every step until then, left in
 * `meanLower` and `meanUpper`; false if it may not leave. States whose value is Infinity are not moved to: masses there are what
 * roundings left.
 *
 * Let G be the sum of mass times value and E that of the masses, both without `self`. A point row (nothing moved) only adds
 * products: relative error (k + 3) 2^-53, and one for the quotient. Where T was moved, at most 2k + 2 moves have six
 * roundings each. A rounding is relative to an entry's own mass, which is part of E or was moved away, or to a room that was
 * used up, thus at most T; and what one successor has too much, another one lacks. So masses are off by at most e (E + T) in
 * all, with e = 32 (k + 1) 2^-53: with M the largest value, G by at most e G + e T M.
 */
export function mean(model: Intervals, row: u32, values: usize, self: u32, gain: f64): bool {
  const start = u32At(model.rowStart, row);
  const size = u32At(model.rowStart, row + 1) - start;
  let gained = gain;
  let leaving = 0.0;
  let largest = 0.0;
  for (let place: u32 = 0; place < size; ++place) {
    const t = u32At(model.columns, start + place);
    if (t == self) continue;
    const value = valueOf(values, t);
    if (value == Infinity) continue;
    const probability = f64At(model.mass, place);
    gained += probability * value;
    leaving += probability;
    largest = max(largest, value);
  }
  const error = outward(model.moved > 0 ? 33 * (size + 2) : size + 8);
  const uncertain = error * model.moved;
  const least = leaving * (1 - error) - uncertain;
  if (!(least > 0)) return false;
  model.meanLower = max(0, gained * (1 - error) - uncertain * largest) / (leaving * (1 + error) + uncertain);
  model.meanUpper = (gained * (1 + error) + uncertain * largest) / least;
  return true;
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
export function lowerByRow(model: Intervals, bounds: usize, row: u32, s: u32, natureMax: bool, gain: usize): f64 {
  const known = lowerAt(bounds, s);
  const once = natureMax || !loops(model, row, s);
  // To stay costs, where something is gained: a minimising nature begins with leaving as fast as it can.
  let candidate = gain != 0 && !natureMax ? Infinity : known;
  let first = true;
  while (true) {
    optimise(model, row, bounds, natureMax, s, candidate);
    if (!mean(model, row, bounds, s, gain != 0 ? lowerAt(gain, row) : 0) || !(model.meanLower > known)) return known;
    const found = model.meanLower;
    if (once) return found;
    if (!first && found >= candidate) return candidate;
    candidate = found;
    first = false;
  }
}

export function upperByRow(model: Intervals, bounds: usize, row: u32, s: u32, natureMax: bool, gain: usize): f64 {
  const known = upperAt(bounds, s);
  const once = !natureMax || !loops(model, row, s);
  let candidate = known;
  let first = true;
  while (true) {
    optimise(model, row, bounds + 8, natureMax, s, candidate);
    if (!mean(model, row, bounds + 8, s, gain != 0 ? upperAt(gain, row) : 0) || !(model.meanUpper < known)) return known;
    const found = model.meanUpper;
    if (once) return found;
    if (!first && found <= candidate) return candidate;
    candidate = found;
    first = false;
  }
}

/**
 * What a row gives a state with upper bounds on trial, `gain` added in each step: the same, but whatever bound the state has.
 * Infinity if it may not leave.
 */
export function trialByRow(model: Intervals, bounds: usize, row: u32, s: u32, natureMax: bool, gain: f64): f64 {
  let candidate = natureMax ? upperAt(bounds, s) : Infinity;
  let first = true;
  while (true) {
    optimise(model, row, bounds + 8, natureMax, s, candidate);
    if (!mean(model, row, bounds + 8, s, gain)) return Infinity;
    const found = model.meanUpper;
    if (natureMax ? !first && !(found > candidate) : !(found < candidate)) return candidate;
    candidate = found;
    first = false;
  }
}

function loops(model: Intervals, row: u32, s: u32): bool {
  const end = u32At(model.rowStart, row + 1);
  for (let e = u32At(model.rowStart, row); e < end; ++e) if (u32At(model.columns, e) == s) return true;
  return false;
}

/**
 * One step on bounds, outward, for active states; others keep what `to` holds. Returns whether anything differs from `from`.
 * `gain`: f64[2 * rows], bounds of what each row earns, times what it sums to, or 0. No value is above `largest`.
 */
export function robustStep(
  model: Intervals,
  active: usize,
  gain: usize,
  largest: f64,
  from: usize,
  to: usize,
  schedulerMax: bool,
  natureMax: bool
): bool {
  let moved = false;
  for (let s: u32 = 0; s < model.states; ++s) {
    if (!has(active, s)) continue;
    const end = u32At(model.groupStart, s + 1);
    let lower = schedulerMax ? 0.0 : Infinity;
    let upper = lower;
    for (let row = u32At(model.groupStart, s); row < end; ++row) {
      optimise(model, row, from, natureMax, NOBODY, 0);
      const rowLower = mean(model, row, from, NOBODY, gain != 0 ? lowerAt(gain, row) : 0) ? model.meanLower : 0;
      optimise(model, row, from + 8, natureMax, NOBODY, 0);
      const rowUpper = mean(model, row, from + 8, NOBODY, gain != 0 ? upperAt(gain, row) : 0)
        ? min(largest, model.meanUpper)
        : largest;
      lower = schedulerMax ? max(lower, rowLower) : min(lower, rowLower);
      upper = schedulerMax ? max(upper, rowUpper) : min(upper, rowUpper);
    }
    if (lower < SMALLEST) lower = 0;
    if (upper > 0) upper = max(upper, SMALLEST);
    if (lower != lowerAt(from, s) || upper != upperAt(from, s)) moved = true;
    setBounds(to, s, lower, upper);
  }
  return moved;
}

/** The distribution of each row that makes the mean of `values` (16 bytes apart) largest or smallest, by entry. */
export function rowDistributions(model: Intervals, values: usize, maximise: bool, result: usize): void {
  for (let row: u32 = 0; row < model.rows; ++row) {
    optimise(model, row, values, maximise, NOBODY, 0);
    copyMass(model, row, result);
  }
}
