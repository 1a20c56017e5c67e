/** The exact rounding error of a sum of two doubles (Knuth's two-sum): 0 if the sum is a double itself. */
export function lostInSum(left: number, right: number): number {
  const sum = left + right;
  const added = sum - left;
  return left - (sum - added) + (right - added);
}

/**
 * A sum, and 1 minus the sum, each the nearest double: `rest` is 0 only if the sum is exactly 1, and otherwise has the right
 * sign. The sum is kept as non-overlapping doubles (Shewchuk 1997, doi:10.1007/PL00009321).
 */
export function exactSum(terms: Iterable<number>): { sum: number; rest: number } {
  const parts: number[] = [];
  let count = 0;
  const add = (term: number) => {
    let [total, kept] = [term, 0];
    for (let i = 0; i < count; i++) {
      const part = parts[i];
      const lost = lostInSum(total, part);
      total += part;
      if (lost !== 0) parts[kept++] = lost;
    }
    if (total !== 0) parts[kept++] = total;
    count = kept;
  };
  /**
   * From the largest part down, until an addition rounds: the parts below are smaller than the rounding error, and only break
   * ties.
   */
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
