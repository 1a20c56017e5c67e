/** ½ ln 2π. */
const HALF_LOG_TWO_PI = 0.9189385332046727;

/**
 * Computes ln Γ(x + ½) − (x ln x − x + ½ ln 2π) for x >= 0, a number between −½ ln 2 (at 0) and 0.
 *
 * Mixtures over all probabilities are products of Gamma functions of counts. Their large parts cancel against the likelihood of the same
 * counts; the rest is a sum of these values, each accurate to some 2^-50 even for counts in the billions.
 */
export function logGammaRest(x: number): number {
  // Γ(x + ½) = Γ(x + ½ + m) / ((x + ½) … (x + ½ + m − 1)) shifts small arguments to where the series is accurate.
  if (x < 16) {
    let product = 1;
    let y = x;
    for (; y < 16; y++) product *= y + 0.5;
    const logGamma = y * Math.log(y) - y + HALF_LOG_TWO_PI + series(y) - Math.log(product);
    return logGamma - (xLogX(x) - x + HALF_LOG_TWO_PI);
  }
  return series(x);
}

/** ln Γ(z) for z > 0, accurate to about 1e-14 relative to its largest term. */
export function logGamma(z: number): number {
  const x = z - 0.5;
  if (x >= 0) return xLogX(x) - x + HALF_LOG_TWO_PI + logGammaRest(x);
  return logGamma(z + 1) - Math.log(z);
}

export function xLogX(x: number): number {
  return x === 0 ? 0 : x * Math.log(x);
}

/** The asymptotic series in 1/x: for x >= 16 the first omitted term is below 2^-53. */
function series(x: number): number {
  const y = 1 / (x * x);
  return (-1 / 24 + y * (7 / 2880 + y * (-31 / 40320 + y * (127 / 215040 - y * (511 / 608256))))) / x;
}
