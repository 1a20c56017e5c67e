/** Bits of the quotient that decide its rounding: at least 53 and a guard bit; a sticky bit represents the rest. */
const QUOTIENT_BITS = 64;

/**
 * The double nearest to `numerator / denominator`, ties to even: a single rounding, which solvers that state bounds rely on.
 * `denominator` is positive. (Results below 2^-1022 may be rounded twice.)
 */
export function fractionToDouble(numerator: bigint, denominator: bigint): number {
  if (numerator < 0n) return -fractionToDouble(-numerator, denominator);
  if (numerator <= Number.MAX_SAFE_INTEGER && denominator <= Number.MAX_SAFE_INTEGER) {
    return Number(numerator) / Number(denominator);
  }
  const shift = Math.max(0, QUOTIENT_BITS + bitLength(denominator) - bitLength(numerator));
  const scaled = numerator << BigInt(shift);
  const sticky = scaled % denominator === 0n ? 0n : 1n;
  const quotient = Number((scaled / denominator) | sticky);
  // Scale in two steps, since 2^-shift alone may underflow.
  const half = shift >>> 1;
  return quotient * 2 ** -half * 2 ** -(shift - half);
}

function bitLength(value: bigint): number {
  return value.toString(2).length;
}
