import { has } from "../bitSet";
import { f64At, u32At } from "../memory";
import { Chain, SMALLEST, stayError } from "../sparse/csr";
import { UNIT_ROUNDOFF, lowerAt, outward, setBounds, upperAt } from "./rounding";

/**
 * One step of the chain on bounds, outward: for active states, `to` becomes what is gained and the mean of `from` over the
 * successors, the state itself included; others keep what `to` holds. Returns whether anything differs from `from`.
 *
 * `gain`: f64[2 * states], bounds as `gains` computes them, or 0. No value is above `largest`.
 *
 * A row takes at most k + 9 roundings: those of `outward`, the state's own term, and the gain.
 */
export function step(chain: Chain, active: usize, gain: usize, largest: f64, from: usize, to: usize): bool {
  return ASC_FEATURE_SIMD
    ? stepOfBoth(chain, active, gain, largest, from, to)
    : stepOfEach(chain, active, gain, largest, from, to);
}

/** Lower and upper bound move together, as two numbers of one vector. */
// @ts-ignore: decorator
@inline
function stepOfBoth(chain: Chain, active: usize, gain: usize, largest: f64, from: usize, to: usize): bool {
  const states = chain.states;
  const rowStart = chain.rowStart;
  const columns = chain.columns;
  const values = chain.values;
  const exits = chain.exit;
  const stays = chain.stay;
  const zero = f64x2.splat(0);
  const most = f64x2.replace_lane(f64x2.splat(Infinity), 1, largest);
  const least = f64x2.replace_lane(zero, 0, SMALLEST);
  const leastPositive = f64x2.replace_lane(zero, 1, SMALLEST);
  const twiceStayError = f64x2.replace_lane(zero, 0, 2 * stayError(0));
  const outwards = f64x2.replace_lane(f64x2.splat(UNIT_ROUNDOFF), 0, -UNIT_ROUNDOFF);
  let moved = i64x2.splat(0);
  let end = u32At(rowStart, 0);
  for (let s: u32 = 0; s < states; ++s) {
    const start = end;
    end = u32At(rowStart, s + 1);
    if (!has(active, s)) continue;
    const own = v128.load(from + (<usize>s << 4));
    const k = <f64>(end - start);
    const doubt = f64x2.mul(f64x2.splat(k * k + 1), twiceStayError);
    const stay = f64x2.pmax(f64x2.sub(v128.load64_splat(stays + (<usize>s << 3)), doubt), zero);
    let both = f64x2.mul(stay, own);
    if (gain != 0) both = f64x2.add(both, v128.load(gain + (<usize>s << 4)));
    for (let e = start; e < end; ++e) {
      const probability = v128.load64_splat(values + (<usize>e << 3));
      both = f64x2.add(both, f64x2.mul(probability, v128.load(from + (<usize>u32At(columns, e) << 4))));
    }
    const exit = f64At(exits, s);
    if (exit > 1) both = f64x2.div(both, f64x2.splat(exit));
    const error = f64x2.mul(f64x2.splat(<f64>((end - start + 10) & ~1)), outwards);
    both = f64x2.pmin(f64x2.mul(both, f64x2.add(error, f64x2.splat(1))), most);
    // As in `tighten`, but a value may be 0: then no successor has a positive one, and nothing was rounded.
    both = v128.andnot(both, f64x2.lt(both, least));
    both = f64x2.pmax(both, v128.and(leastPositive, f64x2.gt(both, zero)));
    moved = v128.or(moved, f64x2.ne(both, own));
    v128.store(to + (<usize>s << 4), both);
  }
  return v128.any_true(moved);
}

// @ts-ignore: decorator
@inline
function stepOfEach(chain: Chain, active: usize, gain: usize, largest: f64, from: usize, to: usize): bool {
  const states = chain.states;
  const rowStart = chain.rowStart;
  const columns = chain.columns;
  const values = chain.values;
  let moved = false;
  for (let s: u32 = 0; s < states; ++s) {
    if (!has(active, s)) continue;
    const start = u32At(rowStart, s);
    const end = u32At(rowStart, s + 1);
    const stay = f64At(chain.stay, s);
    const sure = stay - 2 * stayError(end - start);
    let lower = sure > 0 ? sure * lowerAt(from, s) : 0;
    let upper = stay * upperAt(from, s);
    if (gain != 0) {
      lower += lowerAt(gain, s);
      upper += upperAt(gain, s);
    }
    for (let e = start; e < end; ++e) {
      const probability = f64At(values, e);
      const t = u32At(columns, e);
      lower += probability * lowerAt(from, t);
      upper += probability * upperAt(from, t);
    }
    const exit = f64At(chain.exit, s);
    if (exit > 1) {
      lower /= exit;
      upper /= exit;
    }
    const error = outward(end - start + 4);
    lower *= 1 - error;
    upper *= 1 + error;
    if (upper > largest) upper = largest;
    if (lower < SMALLEST) lower = 0;
    if (upper > 0 && upper < SMALLEST) upper = SMALLEST;
    if (lower != lowerAt(from, s) || upper != upperAt(from, s)) moved = true;
    setBounds(to, s, lower, upper);
  }
  return moved;
}
