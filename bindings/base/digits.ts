/** A probability as people and agents read it: three significant digits at most. */
export function threeDigits(probability: number): number {
  return Number(probability.toPrecision(3));
}

/** The largest number of three significant digits that is not above a probability, so that a lower bound stays one. */
export function threeDigitsBelow(probability: number): number {
  return towards(probability, -1);
}

/** The smallest number of three significant digits that is not below a probability, so that an upper bound stays one. */
export function threeDigitsAbove(probability: number): number {
  return towards(probability, 1);
}

function towards(probability: number, sign: 1 | -1): number {
  const near = threeDigits(probability);
  if (!Number.isFinite(near) || (probability - near) * sign <= 0) return near;
  const [mantissa, exponent] = probability.toExponential(2).split('e');
  // The digits are a whole number here, so that the next one is exact.
  const digits = Math.round(Number(mantissa) * 100);
  // Below a power of ten the digits lie closer together.
  return digits + sign < 100
    ? Number(`999e${Number(exponent) - 3}`)
    : Number(`${digits + sign}e${Number(exponent) - 2}`);
}
