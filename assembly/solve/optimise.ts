import { f64At, setF64, setU32, u32At } from "../memory";
import { SMALLEST } from "../sparse/csr";
import { Quotient } from "./quotient";
import { lowerAt, outward, setBounds, setLower, setUpper, upperAt } from "./rounding";

/**
 * Interval iteration for the best value of every block of a quotient (Haddad and Monmege 2018,
 * doi:10.1016/j.tcs.2016.12.003). A block's bounds become the best of the bounds that its choices give, each rounded outward.
 *
 * The scheduler. `chosen` is the choice whose equation set the bound that a scheduler attains. For a maximum: whenever the
 * lower bound L of a block rises, it becomes what one choice gave, from bounds that only rose since; so L <= gain + P L holds
 * at the end for the scheduler that takes these choices, and, as no scheduler stays among the blocks for ever, L is at
 * most its value. For a minimum the same holds of upper bounds, where U >= gain + P U alone suffices, or, for rewards,
 * together with staying for ever costing infinitely much.
 */

/**
 * Up to `count` Gauss-Seidel sweeps over blocks `first` (included) to `last` (excluded), after `from` earlier ones, every
 * eighth backward; returns how many moved a bound, `count` if it may pay to go on.
 */
export function optimiseSweeps(quotient: Quotient, first: u32, last: u32, from: u32, count: u32): u32 {
  let done: u32 = 0;
  while (done < count) {
    const backward = ((from + done) & 7) == 7;
    if (!(quotient.maximise ? maximiseSweep(quotient, first, last, backward) : minimiseSweep(quotient, first, last, backward)))
      break;
    ++done;
  }
  return done;
}

/** Exported so that an engine without on-stack replacement enters it anew, see `intervalSweep`. */
export function maximiseSweep(quotient: Quotient, first: u32, last: u32, backward: bool): bool {
  return sweep(quotient, first, last, backward, true);
}

export function minimiseSweep(quotient: Quotient, first: u32, last: u32, backward: bool): bool {
  return sweep(quotient, first, last, backward, false);
}

// @ts-ignore: decorator
@inline
function sweep(quotient: Quotient, first: u32, last: u32, backward: bool, maximise: bool): bool {
  const step = backward ? -1 : 1;
  const end = (backward ? first : last - 1) + step;
  let moved = false;
  for (let b = backward ? last - 1 : first; b != end; b += step) {
    if (tightenBlock(quotient, b, maximise)) moved = true;
  }
  return moved;
}

/** Narrows the bounds of a block by its choices, and remembers which one a scheduler would take; returns whether anything moved. */
// @ts-ignore: decorator
@inline
function tightenBlock(quotient: Quotient, b: u32, maximise: bool): bool {
  const bounds = quotient.bounds;
  const values = quotient.values;
  const columns = quotient.columns;
  const end = u32At(quotient.groupStart, b + 1);
  let choice = u32At(quotient.groupStart, b);
  let e = u32At(quotient.rowStart, choice);
  let bestLower = maximise ? 0.0 : Infinity;
  let bestUpper = bestLower;
  let best: u32 = 0;
  if (ASC_FEATURE_SIMD) {
    // The same operations on [lower, upper] at once, in the same order.
    let bestBounds = f64x2.splat(bestLower);
    for (; choice < end; ++choice) {
      let sum = v128.load(quotient.gain + (<usize>choice << 4));
      const rowEnd = u32At(quotient.rowStart, choice + 1);
      for (; e < rowEnd; ++e) {
        const probability = v128.load_splat<f64>(values + (<usize>e << 3));
        sum = f64x2.add(sum, f64x2.mul(probability, v128.load(bounds + (<usize>u32At(columns, e) << 4))));
      }
      const error = outward(u32At(quotient.terms, choice));
      const factors = f64x2.replace_lane(f64x2.splat(1 - error), 1, 1 + error);
      sum = f64x2.mul(f64x2.div(sum, f64x2.splat(f64At(quotient.exit, choice))), factors);
      if (maximise) {
        if (f64x2.extract_lane(sum, 0) > f64x2.extract_lane(bestBounds, 0)) best = choice;
        bestBounds = f64x2.pmax(bestBounds, sum);
      } else {
        if (f64x2.extract_lane(sum, 1) < f64x2.extract_lane(bestBounds, 1)) best = choice;
        bestBounds = f64x2.pmin(bestBounds, sum);
      }
    }
    bestLower = f64x2.extract_lane(bestBounds, 0);
    bestUpper = f64x2.extract_lane(bestBounds, 1);
  } else {
    for (; choice < end; ++choice) {
      let lower = f64At(quotient.gain, 2 * choice);
      let upper = f64At(quotient.gain, 2 * choice + 1);
      const rowEnd = u32At(quotient.rowStart, choice + 1);
      for (; e < rowEnd; ++e) {
        const probability = f64At(values, e);
        const t = u32At(columns, e);
        lower += probability * lowerAt(bounds, t);
        upper += probability * upperAt(bounds, t);
      }
      const exit = f64At(quotient.exit, choice);
      const error = outward(u32At(quotient.terms, choice));
      lower = (lower / exit) * (1 - error);
      upper = (upper / exit) * (1 + error);
      if (maximise) {
        if (lower > bestLower) best = choice;
        bestLower = lower > bestLower ? lower : bestLower;
        bestUpper = upper > bestUpper ? upper : bestUpper;
      } else {
        if (upper < bestUpper) best = choice;
        bestLower = lower < bestLower ? lower : bestLower;
        bestUpper = upper < bestUpper ? upper : bestUpper;
      }
    }
  }

  // Values too small or too large for a bound that may be relied on, see `tighten`.
  const lower = bestLower < SMALLEST ? 0 : min(bestLower, f64.MAX_VALUE);
  const upper = max(bestUpper, SMALLEST);
  let moved = false;
  if (lower > lowerAt(bounds, b)) {
    setLower(bounds, b, lower);
    if (maximise) setU32(quotient.chosen, b, best);
    moved = true;
  }
  if (upper < upperAt(bounds, b)) {
    setUpper(bounds, b, upper);
    if (!maximise) setU32(quotient.chosen, b, best);
    moved = true;
  }
  return moved;
}

/** What a choice gives from lower bounds, rounded down, or `above` from upper ones, rounded up. */
function valueOf(quotient: Quotient, choice: u32, above: bool): f64 {
  const side: usize = above ? 8 : 0;
  const bounds = quotient.bounds + side;
  let value = load<f64>(quotient.gain + (<usize>choice << 4) + side);
  const end = u32At(quotient.rowStart, choice + 1);
  for (let e = u32At(quotient.rowStart, choice); e < end; ++e) {
    value += f64At(quotient.values, e) * lowerAt(bounds, u32At(quotient.columns, e));
  }
  const error = outward(u32At(quotient.terms, choice));
  return (value / f64At(quotient.exit, choice)) * (above ? 1 + error : 1 - error);
}

/** The choice of a block that gives the best value from lower bounds, or `above` from upper ones. */
function bestChoice(quotient: Quotient, b: u32, above: bool): u32 {
  const end = u32At(quotient.groupStart, b + 1);
  let best = u32At(quotient.groupStart, b);
  let bestValue = valueOf(quotient, best, above);
  for (let choice = best + 1; choice < end; ++choice) {
    const value = valueOf(quotient, choice, above);
    if (quotient.maximise ? value > bestValue : value < bestValue) {
      bestValue = value;
      best = choice;
    }
  }
  return best;
}

/**
 * Puts what each choice of blocks `first` to `last` (excluded) gains, blocks before `first` included, into `gains`, lower and
 * upper, and the probability to leave these blocks, a sum of positive numbers, into `leaving`.
 */
export function outerGains(quotient: Quotient, first: u32, last: u32, gains: usize, leaving: usize): void {
  const from = u32At(quotient.groupStart, first);
  const to = u32At(quotient.groupStart, last);
  for (let choice = from; choice < to; ++choice) {
    let lower = f64At(quotient.gain, 2 * choice);
    let upper = f64At(quotient.gain, 2 * choice + 1);
    let left = f64At(quotient.outside, choice);
    const end = u32At(quotient.rowStart, choice + 1);
    for (let e = u32At(quotient.rowStart, choice); e < end; ++e) {
      const t = u32At(quotient.columns, e);
      if (t >= first) continue;
      left += f64At(quotient.values, e);
      lower += f64At(quotient.values, e) * lowerAt(quotient.bounds, t);
      upper += f64At(quotient.values, e) * upperAt(quotient.bounds, t);
    }
    setBounds(gains, choice - from, lower, upper);
    setF64(leaving, choice - from, left);
  }
}

/**
 * Takes `values` (f64[last - first]), computed by any means, for lower bounds, or `above` for upper ones, wherever they are
 * narrower, if one evaluation verifies them: L <= gain + P L for the best choice, or U >= gain + P U. Bounds that stay were
 * verified before, and the others only make their equations truer. Returns whether they were taken.
 */
export function adoptBounds(quotient: Quotient, first: u32, last: u32, values: usize, above: bool): bool {
  const bounds = quotient.bounds;
  // `values` takes the bounds replaced, NaN where none was.
  for (let b = first; b < last; ++b) {
    const value = f64At(values, b - first);
    const before = above ? upperAt(bounds, b) : lowerAt(bounds, b);
    const narrower = above ? value < before : value > before;
    setF64(values, b - first, narrower && value >= SMALLEST && value < Infinity ? before : NaN);
    if (f64At(values, b - first) == before) above ? setUpper(bounds, b, value) : setLower(bounds, b, value);
  }
  let verified = true;
  for (let b = first; b < last && verified; ++b) {
    if (isNaN(f64At(values, b - first))) continue;
    const choice = bestChoice(quotient, b, above);
    const value = valueOf(quotient, choice, above);
    verified = above ? value <= upperAt(bounds, b) : value >= lowerAt(bounds, b);
  }
  for (let b = first; b < last; ++b) {
    const before = f64At(values, b - first);
    if (isNaN(before)) continue;
    if (verified) {
      if (above != quotient.maximise) setU32(quotient.chosen, b, bestChoice(quotient, b, above));
    } else {
      above ? setUpper(bounds, b, before) : setLower(bounds, b, before);
    }
  }
  return verified;
}

/** Guesses that upper bounds are at most `factor` times the lower ones and 1 more, if they are not known to be less. */
export function guessUpper(quotient: Quotient, first: u32, last: u32, factor: f64): void {
  for (let b = first; b < last; ++b) setUpper(quotient.bounds, b, factor * (lowerAt(quotient.bounds, b) + 1));
}

/** Takes guesses back: nothing is known from above. */
export function forgetUpper(quotient: Quotient, first: u32, last: u32): void {
  for (let b = first; b < last; ++b) setUpper(quotient.bounds, b, Infinity);
}

/**
 * One sweep that puts what the choices give in the place of the upper bounds; returns whether none rose. Then they are upper
 * bounds indeed, however they were guessed (Hartmanns and Kaminski 2020, doi:10.1007/978-3-030-53291-8_26): blocks that fell
 * later in the sweep can only lower what those before them give, so that U >= gain + P U holds afterwards for the choice
 * taken (a minimum) or for all (a maximum). Summed along a run, U is at least all that is earned on it.
 */
export function verifySweep(quotient: Quotient, first: u32, last: u32): bool {
  let rose = false;
  for (let b = first; b < last; ++b) {
    const choice = bestChoice(quotient, b, true);
    if (!quotient.maximise) setU32(quotient.chosen, b, choice);
    const value = max(valueOf(quotient, choice, true), SMALLEST);
    if (!(value <= upperAt(quotient.bounds, b))) rose = true;
    setUpper(quotient.bounds, b, value);
  }
  return !rose && upperAt(quotient.bounds, first) < Infinity;
}

/**
 * One sweep of plain value iteration from below; returns the largest change, relative to the new value if asked. The
 * iterate takes the place of the lower bounds, and its distance to the solution is not known.
 */
export function optimiseValues(quotient: Quotient, first: u32, last: u32, relative: bool): f64 {
  let largest = 0.0;
  for (let b = first; b < last; ++b) {
    const before = lowerAt(quotient.bounds, b);
    const end = u32At(quotient.groupStart, b + 1);
    let value = quotient.maximise ? before : Infinity;
    for (let choice = u32At(quotient.groupStart, b); choice < end; ++choice) {
      let sum = f64At(quotient.gain, 2 * choice);
      const rowEnd = u32At(quotient.rowStart, choice + 1);
      for (let e = u32At(quotient.rowStart, choice); e < rowEnd; ++e) {
        sum += f64At(quotient.values, e) * lowerAt(quotient.bounds, u32At(quotient.columns, e));
      }
      sum /= f64At(quotient.exit, choice);
      if (quotient.maximise ? sum > value : sum < value) {
        value = sum;
        setU32(quotient.chosen, b, choice);
      }
    }
    const change = abs(value - before);
    largest = max(largest, relative && change > 0 ? change / value : change);
    setLower(quotient.bounds, b, value);
  }
  return largest;
}

/**
 * The widest gap between the bounds of blocks `first` (included) to `last` (excluded), divided by `offset` + `slope` times
 * the lower one.
 */
export function optimumGap(quotient: Quotient, first: u32, last: u32, offset: f64, slope: f64): f64 {
  let widest = 0.0;
  for (let b = first; b < last; ++b) widest = max(widest, boundsGap(quotient.bounds, b, offset, slope));
  return widest;
}

/** The same of the successors outside these blocks. */
export function inheritedOptimumGap(quotient: Quotient, first: u32, last: u32, offset: f64, slope: f64): f64 {
  let widest = 0.0;
  const end = u32At(quotient.rowStart, u32At(quotient.groupStart, last));
  for (let e = u32At(quotient.rowStart, u32At(quotient.groupStart, first)); e < end; ++e) {
    const t = u32At(quotient.columns, e);
    if (t < first) widest = max(widest, boundsGap(quotient.bounds, t, offset, slope));
  }
  return widest;
}

export function boundsGap(bounds: usize, b: u32, offset: f64, slope: f64): f64 {
  const lower = lowerAt(bounds, b);
  const width = upperAt(bounds, b) - lower;
  return width > 0 ? width / (offset + slope * lower) : 0;
}
