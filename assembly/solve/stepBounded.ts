import { has } from "../bitSet";
import { f64At, u32At } from "../memory";
import { Chain, SMALLEST, stayError } from "../sparse/csr";
import { lowerAt, outward, setBounds, upperAt } from "./rounding";

/**
 * One step of the chain on bounds, outward: for active states, `to` becomes what is gained and the mean of `from` over the
 * successors, the state itself included; others keep what `to` holds. Returns whether anything differs from `from`.
 *
 * `gain`: f64[2 * states], bounds as `gains` computes them, or 0. No value is above `largest`.
 *
 * A row takes at most k + 9 roundings: those of `outward`, the state's own term, and the gain.
 */
export function step(chain: Chain, active: usize, gain: usize, largest: f64, from: usize, to: usize): bool {
  const states = chain.states;
  const rowStart = chain.rowStart;
  const columns = chain.columns;
  const values = chain.values;
  const exits = chain.exit;
  const stays = chain.stay;
  let moved = false;
  for (let s: u32 = 0; s < states; ++s) {
    if (!has(active, s)) continue;
    const start = u32At(rowStart, s);
    const end = u32At(rowStart, s + 1);
    const stay = f64At(stays, s);
    const least = stay - 2 * stayError(end - start);
    let lower = least > 0 ? least * lowerAt(from, s) : 0;
    let upper = stay * upperAt(from, s);
    if (gain != 0) {
      lower += lowerAt(gain, s);
      upper += upperAt(gain, s);
    }
    if (ASC_FEATURE_SIMD) {
      let both = f64x2.replace_lane(f64x2.splat(lower), 1, upper);
      for (let e = start; e < end; ++e) {
        const probability = v128.load64_splat(values + (<usize>e << 3));
        both = f64x2.add(both, f64x2.mul(probability, v128.load(from + (<usize>u32At(columns, e) << 4))));
      }
      lower = f64x2.extract_lane(both, 0);
      upper = f64x2.extract_lane(both, 1);
    } else {
      for (let e = start; e < end; ++e) {
        const probability = f64At(values, e);
        const t = u32At(columns, e);
        lower += probability * lowerAt(from, t);
        upper += probability * upperAt(from, t);
      }
    }
    const exit = f64At(exits, s);
    const total = exit > 1 ? exit : 1; // comparisons take fewer instructions than f64.max, which minds NaN
    const error = outward(end - start + 4);
    lower = (lower / total) * (1 - error);
    upper = (upper / total) * (1 + error);
    if (upper > largest) upper = largest;
    // As in `tighten`, but a value may be 0: then no successor has a positive one, and nothing was rounded.
    if (lower < SMALLEST) lower = 0;
    if (upper > 0 && upper < SMALLEST) upper = SMALLEST;
    if (lower != lowerAt(from, s) || upper != upperAt(from, s)) moved = true;
    setBounds(to, s, lower, upper);
  }
  return moved;
}
