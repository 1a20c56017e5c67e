/**
 * left / right for engines that refuse to divide by 0: infinite with the sign that both zeros and numbers have, or NaN.
 *
 * @param number literals of the engine, by their names
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
