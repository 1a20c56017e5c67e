/** An exact non-negative number; the denominator is positive. */
export interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

const decimalPattern = /^(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/;

/** Parses a decimal, or a quotient of two, without rounding; null if the text is neither. */
export function fractionOf(text: string): Fraction | null {
  const [above, below, ...more] = text.split('/');
  const dividend = decimal(above);
  const divisor = below === undefined ? { numerator: 1n, denominator: 1n } : decimal(below);
  if (dividend === null || divisor === null || divisor.numerator === 0n || more.length > 0) return null;
  return quotient(dividend, divisor);
}

/** The exact quotient; the divisor must be positive. */
export function quotient(dividend: Fraction, divisor: Fraction): Fraction {
  return {
    numerator: dividend.numerator * divisor.denominator,
    denominator: dividend.denominator * divisor.numerator,
  };
}

function decimal(text: string): Fraction | null {
  const match = decimalPattern.exec(text.trim());
  if (!match) return null;
  const [, whole, fraction = '', exponent = '0'] = match;
  const places = BigInt(fraction.length - Number(exponent));
  const digits = BigInt(whole + fraction);
  return places >= 0n
    ? { numerator: digits, denominator: 10n ** places }
    : { numerator: digits * 10n ** -places, denominator: 1n };
}
