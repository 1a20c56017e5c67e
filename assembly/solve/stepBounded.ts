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
  let moved = false;
  for (let s: u32 = 0; s < chain.states; ++s) {
    if (!has(active, s)) continue;
    const start = u32At(chain.rowStart, s);
    const end = u32At(chain.rowStart, s + 1);
    const stay = f64At(chain.stay, s);
    let lower = max(0, stay - 2 * stayError(end - start)) * lowerAt(from, s);
    let upper = stay * upperAt(from, s);
    if (gain != 0) {
      lower += lowerAt(gain, s);
      upper += upperAt(gain, s);
    }
    for (let e = start; e < end; ++e) {
      const probability = f64At(chain.values, e);
      const t = u32At(chain.columns, e);
      lower += probability * lowerAt(from, t);
      upper += probability * upperAt(from, t);
    }
    const total = max(1, f64At(chain.exit, s));
    const error = outward(end - start + 4);
    lower = (lower / total) * (1 - error);
    upper = min(largest, (upper / total) * (1 + error));
    // As in `tighten`, but a value may be 0: then no successor has a positive one, and nothing was rounded.
    if (lower < SMALLEST) lower = 0;
    if (upper > 0) upper = max(upper, SMALLEST);
    if (lower != lowerAt(from, s) || upper != upperAt(from, s)) moved = true;
    setBounds(to, s, lower, upper);
  }
  return moved;
}
