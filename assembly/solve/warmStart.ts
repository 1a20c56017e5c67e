import { f64At, u32At } from "../memory";
import { SMALLEST } from "../sparse/csr";
import { lowerAt, outward, setBounds, upperAt } from "./rounding";
import { RowBlocks } from "./rowBlocks";

/**
 * Bounds of a component from those it had before its rows or its successors changed. A row maps the intervals of its successors to
 * one for its state, its image, rounded outward. Where every interval contains its image, lower bounds l satisfy l <= f(l) and
 * upper ones u >= f(u), f the map of all rows at once, whose only fixed point are the values, as nobody stays in the component
 * for ever: so they are bounds, whatever they came from (compare Hartmanns and Kaminski 2020,
 * doi:10.1007/978-3-030-53291-8_26). An interval that does not contain its image is moved towards it as a whole. What interval
 * iteration leaves is mostly wider than its images, so that moving ends long before centres are fixed points.
 */

/** Where an image is wider than its interval, that becomes wider than the image, so that it contains later ones. */
const MARGIN: f64 = 1 + 1.0 / 64;
/** Centres move further than to those of the images, which saves some sweeps; with 1.2 cycles begin to swing. */
const RELAXATION: f64 = 1.1;

/** Sets the bounds of a copy to others of the same states. */
export function loadBounds(copy: RowBlocks, bounds: usize): void {
  for (let i: u32 = 0; i < copy.states; ++i) {
    const s = u32At(copy.order, i);
    setBounds(copy.bounds, i, lowerAt(bounds, s), -upperAt(bounds, s));
  }
}

/** Up to `count` sweeps; returns how many moved an interval: fewer than `count` if all contain their images now. */
export function warmStartSweeps(copy: RowBlocks, count: u32): u32 {
  let done: u32 = 0;
  while (done < count && warmStartSweep(copy)) ++done;
  return done;
}

/** Exported so that an engine without on-stack replacement enters it anew; returns whether an interval moved. */
export function warmStartSweep(copy: RowBlocks): bool {
  const bounds = copy.bounds;
  const end = copy.runs + (<usize>copy.count << 4);
  let values = copy.values;
  let columns = copy.columns;
  let i: u32 = 0;
  let moved = false;
  for (let run = copy.runs; run < end; run += 16) {
    const length = load<u32>(run);
    const error = outward(load<u32>(run, 8));
    for (let left = load<u32>(run, 4); left > 0; --left, ++i) {
      let lower = lowerAt(copy.outside, i);
      let upper = upperAt(copy.outside, i);
      for (let e: u32 = 0; e < length; ++e) {
        const value = f64At(values, e);
        const successor = bounds + <usize>u32At(columns, e);
        lower += value * load<f64>(successor);
        upper += value * load<f64>(successor, 8);
      }
      values += <usize>length << 3;
      columns += <usize>length << 2;
      lower *= 1 - error;
      if (lower < SMALLEST) lower = 0;
      upper = min(1, max(SMALLEST, -upper * (1 + error)));
      const oldLower = lowerAt(bounds, i);
      const oldUpper = -upperAt(bounds, i);
      if (lower >= oldLower && upper <= oldUpper) continue;
      moved = true;
      const old = 0.5 * (oldLower + oldUpper);
      const centre = old + RELAXATION * (0.5 * (lower + upper) - old);
      const radius = 0.5 * max(oldUpper - oldLower, MARGIN * (upper - lower));
      const newLower = centre - radius;
      setBounds(bounds, i, newLower < SMALLEST ? 0 : newLower, -min(1, max(SMALLEST, centre + radius)));
    }
  }
  return moved;
}
