import { f64At, u32At } from "../memory";
import { Chain } from "../sparse/csr";
import { lowerAt, outward, tightenHere, upperAt } from "./rounding";

/**
 * Narrows the bounds of a maybe state by its own equation, rounded outward; returns whether anything moved. Not as
 * one vector: where each state waits for the one before it, that takes a quarter longer.
 */
// @ts-ignore: decorator
@inline
export function tightenByRow(chain: Chain, bounds: usize, s: u32): bool {
  const start = u32At(chain.rowStart, s);
  const end = u32At(chain.rowEnd, s);
  const columns = chain.columns;
  const values = chain.values;
  let lower = 0.0;
  let upper = 0.0;
  for (let e = start; e < end; ++e) {
    const probability = f64At(values, e);
    const t = u32At(columns, e);
    lower += probability * lowerAt(bounds, t);
    upper += probability * upperAt(bounds, t);
  }
  const exit = f64At(chain.exit, s);
  const error = outward(end - start);
  return tightenHere(bounds, s, (lower / exit) * (1 - error), (upper / exit) * (1 + error));
}
