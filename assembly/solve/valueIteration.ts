import { f64At, u32At } from "../memory";
import { lowerAt, setLower } from "./rounding";
import { Until } from "./until";

/**
 * One Gauss-Seidel sweep of plain value iteration from below over a component; returns the largest change, relative to the
 * new value if asked. The iterate takes the place of the lower bounds; a small change says nothing about its distance to the
 * solution.
 */
export function valueSweep(until: Until, component: u32, relative: bool): f64 {
  const chain = until.chain;
  const columns = chain.columns;
  const values = chain.values;
  const bounds = until.bounds;
  const end = u32At(until.start, component + 1);
  let largest = 0.0;
  for (let i = u32At(until.start, component); i < end; ++i) {
    const s = u32At(until.order, i);
    const rowEnd = u32At(chain.rowEnd, s);
    let sum = 0.0;
    for (let e = u32At(chain.rowStart, s); e < rowEnd; ++e) {
      sum += f64At(values, e) * lowerAt(bounds, u32At(columns, e));
    }
    const value = sum / f64At(chain.exit, s);
    let change = abs(value - lowerAt(bounds, s));
    if (relative && change > 0) change /= value;
    if (change > largest) largest = change;
    setLower(bounds, s, value);
  }
  return largest;
}
