import { f64At, u32At } from "../memory";
import { Chain, stayError } from "../sparse/csr";
import { outward, setBounds } from "./rounding";

/**
 * Puts what a state is expected to earn in one step, times max(1, exit), into `result`: r_s max(1, exit) + sum of p_st R_st,
 * the move back to s included. That factor is 1 unless the row is scaled; whoever divides by it, or by the exit, gets what the
 * scaled row earns. A bound is 0 only if nothing is earned, for the lower one: if it is not certain that anything is.
 *
 * `states`: f64[states] or 0; `rowStart`, `columns`, `values`: a matrix of rewards of moves, columns ascending, or 0. A row
 * with k of them takes at most k + 4 roundings.
 */
export function gains(
  chain: Chain,
  states: usize,
  rowStart: usize,
  columns: usize,
  values: usize,
  result: usize
): void {
  for (let s: u32 = 0; s < chain.states; ++s) {
    const earned = states == 0 ? 0 : f64At(states, s) * max(1, f64At(chain.exit, s));
    let lower = earned;
    let upper = earned;
    const entries = rowStart == 0 ? 0 : u32At(rowStart, s + 1) - u32At(rowStart, s);
    if (entries > 0) {
      let e = u32At(chain.rowStart, s);
      const end = u32At(chain.rowStart, s + 1);
      const stay = f64At(chain.stay, s);
      const sure = max(0, stay - 2 * stayError(end - e));
      for (let i = u32At(rowStart, s); i < u32At(rowStart, s + 1); ++i) {
        const t = u32At(columns, i);
        const reward = f64At(values, i);
        if (t == s) {
          lower += sure * reward;
          upper += stay * reward;
          continue;
        }
        while (e < end && u32At(chain.columns, e) < t) ++e;
        if (e == end || u32At(chain.columns, e) != t) continue;
        lower += f64At(chain.values, e) * reward;
        upper += f64At(chain.values, e) * reward;
      }
    }
    const error = outward(entries);
    setBounds(result, s, lower * (1 - error), upper * (1 + error));
  }
}
