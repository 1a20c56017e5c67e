import { InvalidArgumentError } from '../../base/errors.js';

/** A confidence interval of a rate: over repetitions of the experiment, it contains the true rate with the given confidence. */
export interface RateInterval {
  /** `successes / trials`; NaN without trials. */
  readonly rate: number;
  readonly confidenceLower: number;
  readonly confidenceUpper: number;
}

/**
 * Wilson's score interval of a rate. It is short, and its coverage is near the confidence on average over rates (not for each rate).
 *
 * @param confidence in (0, 1). Default 0.95.
 * @returns [0, 1] without trials
 * @throws InvalidArgumentError if the counts are not whole numbers with 0 <= successes <= trials, or `confidence` is outside (0, 1)
 * @see Wilson, Probable inference, 1927, doi:10.1080/01621459.1927.10502953
 */
export function wilsonInterval(successes: number, trials: number, confidence = 0.95): RateInterval {
  check(successes, trials, confidence);
  if (trials === 0) return { rate: Number.NaN, confidenceLower: 0, confidenceUpper: 1 };
  const z = normalQuantile((1 + confidence) / 2);
  const rate = successes / trials;
  const scale = 1 + (z * z) / trials;
  const centre = (rate + (z * z) / (2 * trials)) / scale;
  const half = (z / scale) * Math.sqrt((rate * (1 - rate)) / trials + (z * z) / (4 * trials * trials));
  return {
    rate,
    confidenceLower: successes === 0 ? 0 : Math.max(0, centre - half),
    confidenceUpper: successes === trials ? 1 : Math.min(1, centre + half),
  };
}

/**
 * Clopper and Pearson's interval of a rate, from the binomial distribution itself. Its coverage is never below the confidence.
 *
 * @param confidence in (0, 1). Default 0.95.
 * @returns [0, 1] without trials
 * @throws InvalidArgumentError as `wilsonInterval`
 * @see Clopper and Pearson, The use of confidence or fiducial limits, 1934, doi:10.1093/biomet/26.4.404
 */
export function clopperPearsonInterval(successes: number, trials: number, confidence = 0.95): RateInterval {
  check(successes, trials, confidence);
  const tail = (1 - confidence) / 2;
  // P(X >= successes) at rate p is the incomplete beta function I_p(successes, trials - successes + 1), ascending in p.
  const atLeast = (count: number) => (p: number) => incompleteBeta(p, count, trials - count + 1);
  return {
    rate: successes / trials,
    confidenceLower: successes === 0 ? 0 : crossing(atLeast(successes), tail)[0],
    confidenceUpper: successes === trials ? 1 : crossing(atLeast(successes + 1), 1 - tail)[1],
  };
}

function check(successes: number, trials: number, confidence: number): void {
  const counts = Number.isSafeInteger(successes) && Number.isSafeInteger(trials);
  if (!counts || successes < 0 || successes > trials) {
    throw new InvalidArgumentError(
      `${successes} of ${trials} is not a rate; expected whole numbers with 0 <= successes <= trials`,
    );
  }
  if (!(confidence > 0 && confidence < 1)) {
    throw new InvalidArgumentError(
      `confidence is ${confidence}; expected a number between 0 and 1, such as 0.95`,
    );
  }
}

/** The neighbouring numbers in [low, high] between which an ascending function crosses `level`. */
function crossing(ascending: (x: number) => number, level: number, low = 0, high = 1): [number, number] {
  for (;;) {
    const middle = (low + high) / 2;
    if (middle <= low || middle >= high) return [low, high];
    if (ascending(middle) < level) low = middle;
    else high = middle;
  }
}

/** The standard normal quantile of p in (0, 1). */
export function normalQuantile(p: number): number {
  return crossing(normalDistribution, p, -9, 9)[1];
}

/** Marsaglia's series: 1/2 + density * (x + x^3/3 + x^5/(3*5) + …). */
function normalDistribution(x: number): number {
  let term = x;
  let sum = x;
  for (let i = 3; Math.abs(term) > 1e-17 * Math.abs(sum); i += 2) {
    term *= (x * x) / i;
    sum += term;
  }
  return 0.5 + (sum * Math.exp((-x * x) / 2)) / Math.sqrt(2 * Math.PI);
}

/** I_x(a, b), by Lentz's evaluation of its continued fraction (Abramowitz and Stegun 26.5.8). */
function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  // The fraction converges quickly below the mean; above it, use the symmetry.
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a);
  const front =
    Math.exp(a * Math.log(x) + b * Math.log1p(-x) + logGamma(a + b) - logGamma(a) - logGamma(b)) / a;
  let c = 1;
  let d = 1 / (1 - ((a + b) * x) / (a + 1));
  let fraction = d;
  for (let m = 1; m < 10_000; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / (1 + even * d);
    c = 1 + even / c;
    fraction *= c * d;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / (1 + odd * d);
    c = 1 + odd / c;
    fraction *= c * d;
    if (Math.abs(c * d - 1) < 1e-15) break;
  }
  return front * fraction;
}

/** ln Γ(x) for x >= 1: Stirling's series, after shifting x to where five terms are exact to the last digits. */
function logGamma(x: number): number {
  let shift = 0;
  let y = x;
  for (; y < 12; y++) shift += Math.log(y);
  const r = 1 / (y * y);
  const series = (1 / 12 - r * (1 / 360 - r * (1 / 1260 - r * (1 / 1680 - r / 1188)))) / y;
  return (y - 0.5) * Math.log(y) - y + 0.5 * Math.log(2 * Math.PI) + series - shift;
}
