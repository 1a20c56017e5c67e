import { SMALLEST } from "../sparse/csr";

/** Half the distance from 1 to the next double: the largest relative error of one operation. */
export const UNIT_ROUNDOFF: f64 = reinterpret<f64>((1023 - 53) << 52);

/**
 * A relative error that covers the at most k + 4 roundings of a row with k entries: products, sums, exit, division, and the
 * outward multiplication itself. Even multiples of 2^-53, so that both 1 - outward(k) and 1 + outward(k) are doubles.
 */
// @ts-ignore: decorator
@inline
export function outward(k: u32): f64 {
  return <f64>((k + 6) & ~1) * UNIT_ROUNDOFF;
}

/** A value for the smallest positive one of several: 1 stands for none. */
// @ts-ignore: decorator
@inline
export function smallestOf(value: f64): f64 {
  return value > 0 ? value : 1;
}

/** Bounds lie interleaved, [lower, upper] per state. */
// @ts-ignore: decorator
@inline
export function lowerAt(bounds: usize, s: u32): f64 {
  return load<f64>(bounds + (<usize>s << 4));
}

// @ts-ignore: decorator
@inline
export function upperAt(bounds: usize, s: u32): f64 {
  return load<f64>(bounds + (<usize>s << 4), 8);
}

// @ts-ignore: decorator
@inline
export function setLower(bounds: usize, s: u32, lower: f64): void {
  store<f64>(bounds + (<usize>s << 4), lower);
}

// @ts-ignore: decorator
@inline
export function setUpper(bounds: usize, s: u32, upper: f64): void {
  store<f64>(bounds + (<usize>s << 4), upper, 8);
}

// @ts-ignore: decorator
@inline
export function setBounds(bounds: usize, s: u32, lower: f64, upper: f64): void {
  setLower(bounds, s, lower);
  setUpper(bounds, s, upper);
}

/**
 * Narrows the bounds of a state whose value is positive to those given; returns whether anything moved. Values below
 * SMALLEST are replaced by 0 and SMALLEST, which bracket them and cannot underflow later.
 */
export function tighten(bounds: usize, s: u32, lower: f64, upper: f64): bool {
  return tightenHere(bounds, s, lower, upper);
}

/** `tighten` without a call, for loops that do little else. */
// @ts-ignore: decorator
@inline
export function tightenHere(bounds: usize, s: u32, lower: f64, upper: f64): bool {
  const safeLower = lower < SMALLEST ? 0 : lower;
  const safeUpper = max(upper, SMALLEST);
  let moved = false;
  if (safeLower > lowerAt(bounds, s)) {
    setLower(bounds, s, safeLower);
    moved = true;
  }
  if (safeUpper < upperAt(bounds, s)) {
    setUpper(bounds, s, safeUpper);
    moved = true;
  }
  return moved;
}
