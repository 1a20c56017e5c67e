import { u32At } from "../memory";
import { SMALLEST } from "../sparse/csr";
import { lowerByRow, trialByRow, upperByRow } from "./intervalRow";
import { moveToExits } from "./robustExits";
import { RobustUntil, mayTake } from "./robustUntil";
import { setUpper, tighten, upperAt } from "./rounding";

/** 2^1000: no bound on trial is larger, as states at Infinity would not be moved to. */
const LARGEST_TRIAL: f64 = reinterpret<f64>((1023 + 1000) << 52);

/**
 * One Gauss-Seidel sweep over a component, forward or backward in its order; returns whether any bound moved. Exported so that
 * an engine without on-stack replacement enters it anew, see `intervalSweep`.
 */
export function robustSweep(until: RobustUntil, component: u32, backward: bool): bool {
  const first = u32At(until.start, component);
  const last = u32At(until.start, component + 1) - 1;
  const step = backward ? -1 : 1;
  const end = (backward ? first : last) + step;
  let moved = false;
  for (let i = backward ? last : first; i != end; i += step) {
    if (tightenByRows(until, u32At(until.order, i))) moved = true;
  }
  if (moveToExits(until, component)) moved = true;
  return moved;
}

/** Up to `count` sweeps after `from` earlier ones; returns how many moved a bound. */
export function robustSweeps(until: RobustUntil, component: u32, from: u32, count: u32): u32 {
  let done: u32 = 0;
  while (done < count && robustSweep(until, component, ((from + done) & 7) == 7)) ++done;
  return done;
}

function tightenByRows(until: RobustUntil, s: u32): bool {
  const model = until.model;
  const bounds = until.bounds;
  const end = u32At(model.groupStart, s + 1);
  let lower = until.schedulerMax ? 0.0 : Infinity;
  let upper = lower;
  for (let row = u32At(model.groupStart, s); row < end; ++row) {
    if (!mayTake(until, row)) continue;
    const rowLower = lowerByRow(model, bounds, row, s, until.natureMax, until.gain);
    const rowUpper = upperByRow(model, bounds, row, s, until.natureMax, until.gain);
    lower = until.schedulerMax ? max(lower, rowLower) : min(lower, rowLower);
    upper = until.schedulerMax ? max(upper, rowUpper) : min(upper, rowUpper);
  }
  return tighten(bounds, s, lower, upper);
}

/**
 * One sweep that puts what rows give, `more` added in each step, in the place of the upper bounds of a component, whatever they are;
 * returns whether none rose. Then they are upper bounds: U >= gain + more + P U for the choices that the minimising players make, so
 * that these reach the target almost surely, or `more` would add up beyond U; summed along a run U is at least what is earned.
 */
export function trialSweep(until: RobustUntil, component: u32, more: f64): bool {
  const model = until.model;
  const end = u32At(until.start, component + 1);
  let rose = false;
  for (let i = u32At(until.start, component); i < end; ++i) {
    const s = u32At(until.order, i);
    const groupEnd = u32At(model.groupStart, s + 1);
    let best = until.schedulerMax ? 0.0 : Infinity;
    for (let row = u32At(model.groupStart, s); row < groupEnd; ++row) {
      if (!mayTake(until, row)) continue;
      const value = trialByRow(model, until.bounds, row, s, until.natureMax, upperAt(until.gain, row) + more);
      best = until.schedulerMax ? max(best, value) : min(best, value);
    }
    if (!(best <= min(upperAt(until.bounds, s), LARGEST_TRIAL))) rose = true;
    setUpper(until.bounds, s, min(max(best, SMALLEST), LARGEST_TRIAL));
  }
  return !rose;
}

/** Multiplies the upper bounds of a component by a factor and adds something: 0 and Infinity forget them. */
export function scaleTrial(until: RobustUntil, component: u32, factor: f64, added: f64): void {
  const end = u32At(until.start, component + 1);
  for (let i = u32At(until.start, component); i < end; ++i) {
    const s = u32At(until.order, i);
    setUpper(until.bounds, s, factor == 0 ? added : factor * upperAt(until.bounds, s) + added);
  }
}
