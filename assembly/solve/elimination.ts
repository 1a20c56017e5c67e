import { f64At, setF64, setU32, u32At } from "../memory";
import { Chain } from "../sparse/csr";
import { Status } from "../status";
import { UNIT_ROUNDOFF, lowerAt, tighten, upperAt } from "./rounding";
import { Until } from "./until";

/**
 * Direct solution of a component without subtraction (Grassmann, Taksar and Heyman 1985, doi:10.1287/opre.33.5.1107).
 *
 * The component with n states is a dense matrix of n rows, n + 3 doubles each: the probability to leave the component, the
 * lower and the upper value gained by leaving it, then the probability to move to each of its states. States are censored
 * from the last to the first; a pivot is the sum of what leaves the state, never 1 minus something.
 *
 * Error bound. All numbers are non-negative and only added, multiplied and divided. A solution is a quotient of two sums of
 * products (over spanning forests of the chain) with one factor for each of its n states, so entries perturbed by relative
 * e change it by at most 2ne. Censoring state k (of states 0..k) rounds each remaining entry at most k + 3 times, which
 * moves the solution by 2k(k + 3) units 2^-53; substituting it back rounds 2k + 2 times; setting rows up rounds at most as
 * often as the longest row has entries, d. The sum over k = 0..n-1, with 2nd for the rows, is below 2n^3/3 + 3n^2 + 2nd. One
 * hundredth more covers products of roundings.
 */
export const EXIT: u32 = 0;
export const LOWER: u32 = 1;
export const UPPER: u32 = 2;
export const FIRST: u32 = 3;

/** No product may become smaller than this, 2^-1000, or relative errors would not be small. */
export const NORMAL: f64 = reinterpret<f64>((1023 - 1000) << 52);

/** Bytes of the matrix for a component of `n` states. */
export function eliminationBytes(n: u32): f64 {
  return <f64>n * <f64>(n + FIRST) * 8;
}

// @ts-ignore: decorator
@inline
export function rowOf(matrix: usize, n: u32, i: u32): usize {
  return matrix + <usize>i * (<usize>(n + FIRST) << 3);
}

/** Fills the matrix of a component from its chain and the bounds of its successors. */
export function setUpElimination(until: Until, component: u32, matrix: usize): void {
  const chain = until.chain;
  const first = u32At(until.start, component);
  const n = u32At(until.start, component + 1) - first;
  const place = until.scratch; // u32[states]: where in the component a state is
  for (let i: u32 = 0; i < n; ++i) setU32(place, u32At(until.order, first + i), i);
  memory.fill(matrix, 0, <usize>eliminationBytes(n));
  for (let i: u32 = 0; i < n; ++i) {
    const s = u32At(until.order, first + i);
    const row = rowOf(matrix, n, i);
    const end = u32At(chain.rowEnd, s);
    for (let e = u32At(chain.rowStart, s); e < end; ++e) {
      const t = u32At(chain.columns, e);
      const probability = f64At(chain.values, e);
      if (u32At(until.componentOf, t) == component) {
        setF64(row, FIRST + u32At(place, t), probability);
      } else {
        setF64(row, EXIT, f64At(row, EXIT) + probability);
        setF64(row, LOWER, f64At(row, LOWER) + probability * lowerAt(until.bounds, t));
        setF64(row, UPPER, f64At(row, UPPER) + probability * upperAt(until.bounds, t));
      }
    }
  }
}

/** Censors the `count` states below `from`. The pivot of a censored state takes the place of its diagonal entry. */
export function eliminate(matrix: usize, n: u32, from: u32, count: u32): Status {
  for (let k = from; k-- > from - count; ) {
    const status = censor(matrix, n, k);
    if (status != Status.Ok) return status;
  }
  return Status.Ok;
}

/** Exported so that an engine without on-stack replacement enters it anew, see `intervalSweep`. */
export function censor(matrix: usize, n: u32, k: u32): Status {
  const pivotRow = rowOf(matrix, n, k);
  let pivot = f64At(pivotRow, EXIT);
  let smallest = smallestPositive(pivotRow, 0, FIRST);
  for (let j = FIRST; j < FIRST + k; ++j) {
    const entry = f64At(pivotRow, j);
    pivot += entry;
    if (entry > 0) smallest = min(smallest, entry);
  }
  if (!(pivot > 0)) return Status.Underflow;
  setF64(pivotRow, FIRST + k, pivot);

  for (let i: u32 = 0; i < k; ++i) {
    const row = rowOf(matrix, n, i);
    const entry = f64At(row, FIRST + k);
    if (entry == 0) continue;
    const factor = entry / pivot;
    if (factor * smallest < NORMAL) return Status.Underflow;
    addMultiple(row, pivotRow, FIRST + k, factor);
  }
  return Status.Ok;
}

/** Adds `factor` times the first `length` numbers of one row to those of another, two at a time where the engine can. */
// @ts-ignore: decorator
@inline
function addMultiple(row: usize, added: usize, length: u32, factor: f64): void {
  let j: u32 = 0;
  if (ASC_FEATURE_SIMD) {
    const factors = f64x2.splat(factor);
    const last = row + (<usize>(length & ~3) << 3);
    const distance = added - row;
    let at = row;
    for (; at < last; at += 32) {
      v128.store(at, f64x2.add(v128.load(at), f64x2.mul(factors, v128.load(at + distance))));
      v128.store(at, f64x2.add(v128.load(at, 16), f64x2.mul(factors, v128.load(at + distance, 16))), 16);
    }
    if (length & 2) v128.store(at, f64x2.add(v128.load(at), f64x2.mul(factors, v128.load(at + distance))));
    j = length & ~1;
  }
  for (; j < length; ++j) setF64(row, j, f64At(row, j) + factor * f64At(added, j));
}

/** Solves for the states in ascending order and narrows their bounds by the result and its error. */
export function substitute(until: Until, component: u32, matrix: usize): Status {
  const first = u32At(until.start, component);
  const n = u32At(until.start, component + 1) - first;
  const status = substituteMatrix(matrix, n);
  if (status != Status.Ok) return status;
  const error = errorBound(until.chain, until.order + (<usize>first << 2), n);
  for (let k: u32 = 0; k < n; ++k) {
    const row = rowOf(matrix, n, k);
    const s = u32At(until.order, first + k);
    tighten(until.bounds, s, f64At(row, LOWER) * (1 - error), f64At(row, UPPER) * (1 + error));
  }
  return Status.Ok;
}

/** Solves for the states in ascending order: LOWER and UPPER of each row become its values. */
export function substituteMatrix(matrix: usize, n: u32): Status {
  let smallestValue = 1.0;
  for (let k: u32 = 0; k < n; ++k) {
    const row = rowOf(matrix, n, k);
    if (smallestPositive(row, FIRST, FIRST + k) * smallestValue < NORMAL) return Status.Underflow;
    let lower = f64At(row, LOWER);
    let upper = f64At(row, UPPER);
    for (let j: u32 = 0; j < k; ++j) {
      const solved = rowOf(matrix, n, j);
      const entry = f64At(row, FIRST + j);
      lower += entry * f64At(solved, LOWER);
      upper += entry * f64At(solved, UPPER);
    }
    const pivot = f64At(row, FIRST + k);
    setF64(row, LOWER, lower / pivot);
    setF64(row, UPPER, upper / pivot);
    smallestValue = min(smallestValue, smallestPositive(row, LOWER, UPPER + 1));
  }
  return Status.Ok;
}

/** The smallest positive entry `from` (included) to `to` (excluded) of a row, 1 if there is none below. */
function smallestPositive(row: usize, from: u32, to: u32): f64 {
  let smallest = 1.0;
  for (let j = from; j < to; ++j) {
    const entry = f64At(row, j);
    if (entry > 0) smallest = min(smallest, entry);
  }
  return smallest;
}

function errorBound(chain: Chain, members: usize, n: u32): f64 {
  let longest: u32 = 0;
  for (let i: u32 = 0; i < n; ++i) {
    const s = u32At(members, i);
    longest = max(longest, u32At(chain.rowEnd, s) - u32At(chain.rowStart, s));
  }
  return 1.01 * (roundingsOf(n) + 2 * <f64>n * <f64>longest + 8) * UNIT_ROUNDOFF;
}

/** How often the solution of a matrix of `n` states is rounded, by censoring and substituting. */
export function roundingsOf(n: u32): f64 {
  const size = <f64>n;
  return (size * size * size * 2) / 3 + 3 * size * size;
}
