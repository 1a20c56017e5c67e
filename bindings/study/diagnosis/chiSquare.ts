import { logGamma } from '../../estimation/pac/index.js';

/**
 * Computes the probability that a chi-square variable exceeds `x`: the regularised upper incomplete Gamma function Q(degrees / 2, x / 2),
 * to some twelve digits, relative in the tail too.
 *
 * @param degrees of freedom, at least 1; with 0 the variable is 0.
 * @see Abramowitz and Stegun, 6.5.29 (series) and 6.5.31 (continued fraction)
 */
export function chiSquareTail(x: number, degrees: number): number {
  if (degrees === 0) return x > 0 ? 0 : 1;
  if (!(x > 0)) return 1;
  const a = degrees / 2;
  const z = x / 2;
  const front = Math.exp(a * Math.log(z) - z - logGamma(a));
  if (z < a + 1) {
    let term = 1 / a;
    let sum = term;
    for (let i = 1; term > sum * 1e-17; i++) {
      term *= z / (a + i);
      sum += term;
    }
    return Math.max(0, 1 - front * sum);
  }
  // Lentz's evaluation.
  let b = z + 1 - a;
  let c = Number.MAX_VALUE;
  let d = 1 / b;
  let fraction = d;
  for (let i = 1; i < 100_000; i++) {
    const numerator = -i * (i - a);
    b += 2;
    d = 1 / (numerator * d + b);
    c = b + numerator / c;
    fraction *= c * d;
    if (Math.abs(c * d - 1) < 1e-15) break;
  }
  return front * fraction;
}
