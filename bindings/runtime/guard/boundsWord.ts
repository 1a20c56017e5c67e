import { InvalidArgumentError } from '../../base/errors.js';

/*
 * Bounds on a probability in 32 bits, rounded outward. The upper bound is a decimal of six digits, because thresholds are decimals: m / 10^(21 - e), where m
 * has 20 bits and is below 10^6, and e has 4 bits; 1 is m = 10^6 at e = 15. The last 8 bits are a code for the distance of the lower bound below it, in units
 * of its last digit.
 */

const DIGITS = 6;
/** 10^6: above the largest mantissa. */
const WHOLE = 10 ** DIGITS;
/** The least mantissa if the exponent is not 0. */
const NORMAL = WHOLE / 10;
const MAX_EXPONENT = 15;
/** Divisors of the mantissa by exponent. Powers of ten up to 10^22 are doubles, so that each quotient is the double nearest to the decimal. */
const DIVISORS = Float64Array.from({ length: MAX_EXPONENT + 1 }, (_, e) =>
  Number(`1e${DIGITS + MAX_EXPONENT - e}`),
);
/** By code, the units between lower and upper bound: the first 17 exactly, the others with at most a sixteenth's error. The last exceed any mantissa. */
const GAPS = gaps();

function gaps(): Uint32Array {
  const units = new Uint32Array(256);
  for (let code = 1; code < units.length; code++) units[code] = units[code - 1] + 1 + (units[code - 1] >>> 4);
  return units;
}

export function upperOf(word: number): number {
  return ((word >>> 8) & 0xfffff) / DIVISORS[word >>> 28];
}

export function lowerOf(word: number): number {
  const units = ((word >>> 8) & 0xfffff) - GAPS[word & 0xff];
  return units <= 0 ? 0 : units / DIVISORS[word >>> 28];
}

/** Whether `packBounds` can have produced the word. */
export function isBoundsWord(word: number): boolean {
  const mantissa = (word >>> 8) & 0xfffff;
  const exponent = word >>> 28;
  if (mantissa >= WHOLE) return mantissa === WHOLE && exponent === MAX_EXPONENT;
  return mantissa >= NORMAL || exponent === 0;
}

/**
 * Packs bounds in [0, 1] into the narrowest enclosing bounds of 32 bits: `lowerOf` the word is at most `lower`, and `upperOf` it at least `upper`.
 *
 * The upper bound is at most one unit in the sixth digit above `upper`, of which there are 10^5 to 10^6; below 10^-15 it is at most 10^-21 above. The lower
 * bound is at most a sixteenth of the bounds' width plus 1.2 such units below `lower`.
 *
 * @throws InvalidArgumentError unless 0 <= lower <= upper <= 1
 */
export function packBounds(lower: number, upper: number): number {
  if (!(lower >= 0 && lower <= upper && upper <= 1))
    throw new InvalidArgumentError(
      `bounds on a probability are ${lower} and ${upper}, expected 0 <= lower <= upper <= 1`,
    );
  let exponent = MAX_EXPONENT;
  while (exponent > 0 && upper * DIVISORS[exponent] < NORMAL) exponent--;
  // The product may be rounded one unit too low or too high; decoding finds out.
  let mantissa = Math.floor(upper * DIVISORS[exponent]);
  while (mantissa / DIVISORS[exponent] < upper) mantissa++;
  while (mantissa > 0 && (mantissa - 1) / DIVISORS[exponent] >= upper) mantissa--;
  if (mantissa === WHOLE && exponent < MAX_EXPONENT) {
    exponent++;
    mantissa = NORMAL;
  } else if (mantissa < NORMAL && exponent > 0) {
    exponent--;
    mantissa *= 10;
  }
  const high = exponent * 2 ** 28 + mantissa * 2 ** 8;
  let narrow = 0;
  let wide = GAPS.length - 1;
  while (narrow < wide) {
    const code = (narrow + wide) >> 1;
    if (lowerOf(high + code) <= lower) wide = code;
    else narrow = code + 1;
  }
  return high + wide;
}
