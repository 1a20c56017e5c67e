/** Bisection steps for the multiplier; any multiplier gives a valid bound. */
const HALVINGS = 14;

/**
 * Computes an upper bound on Σ P_t v_t over all distributions P with KL(centre ‖ P) <= radius; apart from rounding, the least one. With any
 * λ >= all v_t, by Jensen's inequality ln(λ − Σ P_t v_t) >= Σ centre_t ln(P_t (λ − v_t) / centre_t) >= Σ centre_t ln(λ − v_t) − radius.
 *
 * @param centre weights of the first `count` values, 0 allowed; they sum to 1 up to rounding.
 * @param most an upper bound on every value that P may put mass on, including values without weight; at most 1.
 * @see Filippi, Cappé, Garivier (2010), doi:10.1109/ALLERTON.2010.5706896
 */
export function ballMaximum(
  centre: Float64Array,
  values: Float64Array,
  count: number,
  most: number,
  radius: number,
): number {
  if (!(radius < 100)) return most;
  let mean = 0;
  let square = 0;
  for (let i = 0; i < count; i++) {
    mean += centre[i] * values[i];
    square += centre[i] * values[i] * values[i];
  }
  // For small radii the best λ is near mean + deviation/√(2 radius), and is never much farther from `most`.
  const deviation = Math.sqrt(Math.max(0, square - mean * mean));
  let low = -36;
  let high = Math.log(2 + (2 * deviation) / Math.sqrt(radius + 1e-12));
  let least = most;
  for (let i = 0; i < HALVINGS; i++) {
    const middle = (low + high) / 2;
    const multiplier = most + Math.exp(middle);
    let logs = 0;
    let inverses = 0;
    for (let j = 0; j < count; j++) {
      if (centre[j] === 0) continue;
      logs += centre[j] * Math.log(multiplier - values[j]);
      inverses += centre[j] / (multiplier - values[j]);
    }
    // Each term of the sum has an error of some 2^-52 of its size, which is at most 36, and so has the contribution of `most`.
    const rounding = (multiplier + 1) * (count + 40) * 2 ** -50;
    least = Math.min(least, multiplier - Math.exp(logs - radius) + rounding);
    if (logs + Math.log(inverses) > radius) low = middle;
    else high = middle;
  }
  return least;
}
