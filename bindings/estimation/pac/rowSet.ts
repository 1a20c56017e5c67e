import type { Bounds } from '../../base/bounds.js';
import { InvalidArgumentError } from '../../base/errors.js';
import { logGamma, logGammaRest, xLogX } from './logMixture.js';

/**
 * Computed logarithms of likelihoods have an error of at most some 2^-50 relative to n, the number of draws. The sets are enlarged by more
 * than that.
 */
const slack = (n: number, radius: number): number => radius * (1 + 1e-12) + n * 1e-14 + 1e-12;

/** An interval of probabilities. */
export type Interval = Bounds<number>;

/**
 * Computes a confidence sequence: the probabilities of an event that x occurrences in n draws do not contradict at `level`, for all n at
 * once. The probability that the truth is ever excluded, at any number of draws, is at most `level`. Looking again after each draw, and
 * stopping when the interval is narrow enough, therefore costs nothing.
 *
 * The set is {p : p^x (1 − p)^(n−x) B(½,½) / B(½+x, ½+n−x) >= level}. The inverse of that ratio is a non-negative martingale with mean 1 if
 * p is the truth (the mixture of all likelihoods over that of p), so the probability that it ever exceeds 1/level is at most `level`.
 *
 * @param level above 0, below 1.
 * @returns endpoints rounded outward; [0, 1] for n = 0.
 * @see Robbins (1970), doi:10.1214/aoms/1177696786; Ville (1939)
 */
export function binomialSet(x: number, n: number, level: number): Interval {
  requireCounts(x, n, level);
  if (n === 0) return { lower: 0, upper: 1 };
  // n KL(x/n, p) <= ln(1/level) + ln of the best likelihood over the mixture's, which is ½ ln(πn/2) plus small terms.
  const radius =
    Math.log(1 / level) +
    0.5 * Math.log((Math.PI * n) / 2) -
    logGammaRest(x) -
    logGammaRest(n - x) +
    logFactorialRest(n);
  // 1 minus a number has a rounding error of at most 2^-54, upward here.
  return {
    lower: lowerEnd(x, n, radius),
    upper: Math.min(1, (1 - lowerEnd(n - x, n, radius)) * (1 + 2 ** -52)),
  };
}

/**
 * Bounds the Kullback–Leibler divergence KL(P̂ ‖ P) between the empirical distribution and the true distribution P of k possible outcomes
 * at `level`, for all numbers of draws at once, by the mixture over all distributions with Jeffreys' prior, Dirichlet(½, …, ½).
 *
 * @param counts how often each outcome occurred; outcomes that never occurred may be omitted.
 * @param k possible outcomes, at least one for each count.
 * @returns the divergence, rounded upward; Infinity without a draw
 * @see Weissman et al. (2003) for the fixed number of draws; Krichevsky, Trofimov (1981), doi:10.1109/TIT.1981.1056331
 */
export function divergenceRadius(counts: readonly number[], k: number, level: number): number {
  const n = counts.reduce((sum, count) => sum + count, 0);
  requireCounts(Math.max(0, ...counts), n, level);
  if (n === 0) return Number.POSITIVE_INFINITY;
  // ln(likelihood of P̂ / mixture): n ln n and the x ln x of the counts cancel except for small terms.
  let regret = logGamma(n + k / 2) - xLogX(n) + n - logGamma(k / 2) - (k / 2) * Math.LN2;
  for (const count of counts) regret -= logGammaRest(count);
  regret -= (k - counts.length) * logGammaRest(0);
  return slack(n * Math.log(n + 1), Math.log(1 / level) + regret) / n;
}

/**
 * Bounds the Kullback–Leibler divergence between the frequencies (x_t − 1)/(n − k) of the k observed outcomes and the true distribution P
 * of a row whose outcomes are not known in advance, at `level`, for all numbers of draws at once. All other outcomes count as one more
 * outcome of P.
 *
 * The conditional probability of a draw, given those before it, is P_t for an outcome seen before and ρ_i for a new one, where ρ_i is the
 * mass outside the first i outcomes. The predictor expects an outcome seen x times in m draws with x/(m + ½), and a new one with ½/(m + ½).
 * The ratio is a martingale.
 *
 * @param counts how often each observed outcome occurred, at least once.
 * @param newOutcomes an upper bound on Σ ln ρ_i over the first k − 1 outcomes, at most 0.
 * @returns the divergence, rounded upward; Infinity if every outcome was seen once
 * @see Hoppe (1984), doi:10.1007/BF00275863, for the predictor
 */
export function discoveredRadius(counts: readonly number[], newOutcomes: number, level: number): number {
  const n = counts.reduce((sum, count) => sum + count, 0);
  requireCounts(Math.max(0, ...counts), n, level);
  const k = counts.length;
  if (n === k) return Number.POSITIVE_INFINITY;
  let regret = logGamma(n + 0.5) - logGamma(1.5) + (k - 1) * Math.LN2 + newOutcomes;
  for (const count of counts) {
    regret -= logGamma(count);
    if (count > 1) regret += (count - 1) * Math.log((count - 1) / (n - k));
  }
  return slack(n * Math.log(n + 1), Math.max(0, Math.log(1 / level) + regret)) / (n - k);
}

/** The total variation distance that a divergence allows. @see Pinsker's inequality, in Tsybakov (2009), doi:10.1007/b13794 */
export function totalVariation(divergence: number): number {
  return Math.min(1, Math.sqrt(divergence / 2) * (1 + 2 ** -50));
}

/**
 * Bounds the total mass of all outcomes not yet seen, after `since` draws without a new one, for all `since` at once. A set of probability
 * m stays unseen that long with probability (1 − m)^since.
 *
 * @returns 1 for since = 0
 */
export function unseenMass(since: number, level: number): number {
  requireCounts(since, since, level);
  if (since === 0) return 1;
  return Math.min(1, -Math.expm1(Math.log(level) / since) * (1 + 2 ** -50));
}

/** The smallest p <= x/n with n KL(x/n, p) <= radius, or slightly less. */
function lowerEnd(x: number, n: number, radius: number): number {
  if (x === 0) return 0;
  const mean = x / n;
  const most = slack(n, radius);
  const divergence = (p: number): number =>
    x * Math.log(mean / p) + (x === n ? 0 : (n - x) * Math.log1p((p - mean) / (1 - p)));
  // n KL(x/n, p) >= x ln((x/n)/p) − x, because (n − x) ln(1 − x/n) >= −x, so this starting point is outside.
  let outside = mean * Math.exp(-most / x - 1.001);
  let inside = mean;
  if (outside === 0) return 0;
  for (let i = 0; i < 200 && inside - outside > inside * 2 ** -40; i++) {
    const middle = inside > 2 * outside ? Math.sqrt(inside * outside) : (inside + outside) / 2;
    if (divergence(middle) > most) outside = middle;
    else inside = middle;
  }
  return outside;
}

/** ln n! − (n ln n − n + ½ ln 2πn) for n >= 1. */
function logFactorialRest(n: number): number {
  return logGamma(n + 1) - (xLogX(n) - n + 0.5 * Math.log(2 * Math.PI * n));
}

function requireCounts(x: number, n: number, level: number): void {
  if (!(Number.isInteger(x) && Number.isInteger(n) && x >= 0 && x <= n && n <= Number.MAX_SAFE_INTEGER)) {
    throw new InvalidArgumentError(
      `${x} of ${n} draws: expected whole numbers, the first at least 0 and at most the second`,
    );
  }
  if (!(level > 0 && level < 1)) {
    throw new InvalidArgumentError(`the level is ${level}; expected a probability above 0 and below 1`);
  }
}
