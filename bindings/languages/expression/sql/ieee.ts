/**
 * Translates left / right for engines that refuse to divide by 0: division by 0 gives NaN, or infinity with the sign of the quotient, in
 * which the sign of a zero counts.
 *
 * @param number returns the engine's literal for a number
 * @param isNegativeZero whether a number that equals 0 is -0
 */
export function dividedByZeroToo(
  left: string,
  right: string,
  number: (name: 'NaN' | 'Infinity' | '-Infinity') => string,
  isNegativeZero: (zero: string) => string,
): string {
  const nan = `${left} = 0 OR ${left} = ${number('NaN')}`;
  const negative = `(${left} < 0) <> (${isNegativeZero(right)})`;
  return `(CASE WHEN ${right} <> 0 THEN ${left} / ${right} WHEN ${nan} THEN ${number('NaN')} WHEN ${negative} THEN ${number('-Infinity')} WHEN ${right} = 0 AND ${left} IS NOT NULL THEN ${number('Infinity')} END)`;
}
