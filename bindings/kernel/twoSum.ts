/** A sum and what its roundings lost (Knuth's two-sum); exact if nothing was lost. */
export function sumInTwoDoubles(terms: Iterable<number>): { sum: number; error: number; exact: boolean } {
  let [sum, error, exact] = [0, 0, true];
  for (const term of terms) {
    const total = sum + term;
    const added = total - sum;
    const lost = sum - (total - added) + (term - added);
    if (lost !== 0) exact = false;
    error += lost;
    sum = total;
  }
  return { sum, error, exact };
}
