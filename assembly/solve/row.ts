import { f64At, u32At } from "../memory";
import { Chain } from "../sparse/csr";
import { lowerAt, outward, tighten, upperAt } from "./rounding";

/** Narrows the bounds of a maybe state by its own equation, rounded outward; returns whether anything moved. */
// @ts-ignore: decorator
@inline
export function tightenByRow(chain: Chain, bounds: usize, s: u32): bool {
  const start = u32At(chain.rowStart, s);
  const end = u32At(chain.rowEnd, s);
  let lower = 0.0;
  let upper = 0.0;
  for (let e = start; e < end; ++e) {
    const probability = f64At(chain.values, e);
    const t = u32At(chain.columns, e);
    lower += probability * lowerAt(bounds, t);
    upper += probability * upperAt(bounds, t);
  }
  const exit = f64At(chain.exit, s);
  const error = outward(end - start);
  return tighten(bounds, s, (lower / exit) * (1 - error), (upper / exit) * (1 + error));
}
