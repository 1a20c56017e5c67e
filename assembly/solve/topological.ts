import { u32At } from "../memory";
import { Status } from "../status";
import { eliminate, setUpElimination, substitute } from "./elimination";
import { intervalSweep } from "./intervalIteration";
import { lowerAt, upperAt } from "./rounding";
import { Until } from "./until";

/**
 * Solves components `first` (included) to `last` (excluded), each of at most SMALL states. With all successors solved, one
 * sweep is the closed form of a single state; others are eliminated at once. Returns the first component that
 * could not be, or `last`.
 */
export function solveSmall(until: Until, first: u32, last: u32): u32 {
  for (let component = first; component < last; ++component) {
    const n = u32At(until.start, component + 1) - u32At(until.start, component);
    if (n == 1) {
      intervalSweep(until, component, false);
    } else {
      setUpElimination(until, component, until.matrix);
      if (eliminate(until.matrix, n, n, n) != Status.Ok) return component;
      if (substitute(until, component, until.matrix) != Status.Ok) return component;
    }
  }
  return last;
}

/** The widest gap between the bounds of the states of components `first` to `last` (excluded), relative to the lower one if asked. */
export function widestGap(until: Until, first: u32, last: u32, relative: bool): f64 {
  let widest = 0.0;
  const end = u32At(until.start, last);
  for (let i = u32At(until.start, first); i < end; ++i) {
    widest = max(widest, gap(until.bounds, u32At(until.order, i), relative));
  }
  return widest;
}

/** The widest gap among the successors that a component's states have outside it: what no solver can undo. */
export function inheritedGap(until: Until, component: u32, relative: bool): f64 {
  const chain = until.chain;
  let widest = 0.0;
  const end = u32At(until.start, component + 1);
  for (let i = u32At(until.start, component); i < end; ++i) {
    const s = u32At(until.order, i);
    const rowEnd = u32At(chain.rowEnd, s);
    for (let e = u32At(chain.rowStart, s); e < rowEnd; ++e) {
      const t = u32At(chain.columns, e);
      if (u32At(until.componentOf, t) != component) widest = max(widest, gap(until.bounds, t, relative));
    }
  }
  return widest;
}

/**
 * How far bounds are apart, absolutely up to 1 and relative to the lower one above, or always. An absent value has gap 0 also
 * relatively; a positive upper bound above a lower one of 0 is infinitely far from it.
 */
export function gap(bounds: usize, s: u32, relative: bool): f64 {
  const lower = lowerAt(bounds, s);
  const width = upperAt(bounds, s) - lower;
  return width > 0 ? width / (relative ? lower : max(1, lower)) : width;
}
