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

/**
 * A sum, and what it leaves of 1, each the nearest double: `rest` is 0 only if the sum is exactly 1, and else has the right sign. The
 * sum is kept as doubles that do not overlap (Shewchuk 1997, doi:10.1007/PL00009321).
 */
export function exactSum(terms: Iterable<number>): { sum: number; rest: number } {
  const parts: number[] = [];
  let count = 0;
  const add = (term: number) => {
    let [total, kept] = [term, 0];
    for (let i = 0; i < count; i++) {
      const part = parts[i];
      const before = total;
      total += part;
      const added = total - before;
      const lost = before - (total - added) + (part - added);
      if (lost !== 0) parts[kept++] = lost;
    }
    if (total !== 0) parts[kept++] = total;
    count = kept;
  };
  /** From the largest part down, until one is lost in part: those below it are smaller than what was lost, and break ties. */
  const rounded = () => {
    let sum = 0;
    for (let i = count; i-- > 0; ) {
      const before = sum;
      sum += parts[i];
      const lost = parts[i] - (sum - before);
      if (lost === 0) continue;
      const other = sum + 2 * lost;
      return i > 0 && lost > 0 === parts[i - 1] > 0 && other - sum === 2 * lost ? other : sum;
    }
    return sum;
  };
  for (const term of terms) add(term);
  const sum = rounded();
  add(-1);
  return { sum, rest: 0 - rounded() };
}
