import { f64At, u32At } from "../memory";
import { Chain, SMALLEST } from "../sparse/csr";
import { UNIT_ROUNDOFF, lowerAt, outward, tighten, upperAt } from "./rounding";

/** Narrows the bounds of a maybe state by its own equation, rounded outward; returns whether anything moved. */
// @ts-ignore: decorator
@inline
export function tightenByRow(chain: Chain, bounds: usize, s: u32): bool {
  const start = u32At(chain.rowStart, s);
  const end = u32At(chain.rowEnd, s);
  const columns = chain.columns;
  const values = chain.values;
  const exit = f64At(chain.exit, s);
  if (ASC_FEATURE_SIMD) {
    let both = f64x2.splat(0);
    for (let e = start; e < end; ++e) {
      const probability = v128.load64_splat(values + (<usize>e << 3));
      both = f64x2.add(both, f64x2.mul(probability, v128.load(bounds + (<usize>u32At(columns, e) << 4))));
    }
    // From here on [lower, -upper], so that both may only rise.
    const error = f64x2.splat(<f64>((end - start + 6) & ~1) * -UNIT_ROUNDOFF);
    const signs = f64x2.replace_lane(f64x2.splat(1), 1, -1);
    const least = f64x2.replace_lane(f64x2.splat(SMALLEST), 1, -Infinity);
    const most = f64x2.replace_lane(f64x2.splat(Infinity), 1, -SMALLEST);
    both = f64x2.mul(f64x2.div(both, f64x2.splat(exit)), f64x2.add(error, signs));
    both = f64x2.pmin(most, v128.and(both, f64x2.ge(both, least)));
    const old = f64x2.mul(v128.load(bounds + (<usize>s << 4)), signs);
    v128.store(bounds + (<usize>s << 4), f64x2.mul(f64x2.pmax(old, both), signs));
    return v128.any_true(f64x2.gt(both, old));
  }
  let lower = 0.0;
  let upper = 0.0;
  for (let e = start; e < end; ++e) {
    const probability = f64At(values, e);
    const t = u32At(columns, e);
    lower += probability * lowerAt(bounds, t);
    upper += probability * upperAt(bounds, t);
  }
  const error = outward(end - start);
  return tighten(bounds, s, (lower / exit) * (1 - error), (upper / exit) * (1 + error));
}
