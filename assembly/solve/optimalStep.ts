import { has } from "../bitSet";
import { f64At, u32At } from "../memory";
import { SMALLEST, stayError } from "../sparse/csr";
import { Mdp } from "../sparse/mdp";
import { lowerAt, outward, setBounds, upperAt } from "./rounding";

/**
 * One step of an MDP on bounds, as `step` of a chain, with the best choice in each active state. `gain`: f64[2 * rows], bounds of
 * what each row earns, or 0. A row takes at most k + 9 roundings, as there.
 */
export function optimalStep(
  mdp: Mdp,
  active: usize,
  gain: usize,
  largest: f64,
  from: usize,
  to: usize,
  maximise: bool
): bool {
  let moved = false;
  for (let s: u32 = 0; s < mdp.states; ++s) {
    if (!has(active, s)) continue;
    let bestLower = maximise ? 0.0 : Infinity;
    let bestUpper = bestLower;
    const groupEnd = u32At(mdp.groupStart, s + 1);
    for (let row = u32At(mdp.groupStart, s); row < groupEnd; ++row) {
      const start = u32At(mdp.rowStart, row);
      const end = u32At(mdp.rowStart, row + 1);
      const stay = f64At(mdp.stay, row);
      let lower = max(0, stay - 2 * stayError(end - start)) * lowerAt(from, s);
      let upper = stay * upperAt(from, s);
      for (let e = start; e < end; ++e) {
        const probability = f64At(mdp.values, e);
        const t = u32At(mdp.columns, e);
        lower += probability * lowerAt(from, t);
        upper += probability * upperAt(from, t);
      }
      const total = max(1, f64At(mdp.exit, row));
      lower /= total;
      upper /= total;
      if (gain != 0) {
        lower += lowerAt(gain, row);
        upper += upperAt(gain, row);
      }
      const error = outward(end - start + 4);
      lower *= 1 - error;
      upper = min(largest, upper * (1 + error));
      bestLower = maximise ? max(bestLower, lower) : min(bestLower, lower);
      bestUpper = maximise ? max(bestUpper, upper) : min(bestUpper, upper);
    }
    if (bestLower < SMALLEST) bestLower = 0;
    if (bestUpper > 0) bestUpper = max(bestUpper, SMALLEST);
    if (bestLower != lowerAt(from, s) || bestUpper != upperAt(from, s)) moved = true;
    setBounds(to, s, bestLower, bestUpper);
  }
  return moved;
}
