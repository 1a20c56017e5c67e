import type { Random } from '../../base/random.js';
import type { StateHistory } from '../../estimation/learning/index.js';
import { logGamma } from '../../estimation/pac/index.js';
import { columnSums, sumOf, type Table } from './contingency.js';

/** Drawing stops when this many orders reach the statistic, because more would change little. */
const ENOUGH = 20;

/**
 * Computes the p-value of G by permuting excursions, exact for any number of draws. If the successor of a state does not depend on the
 * history, then the excursions between one draw of the state and the next are independent of each other, and all orders of them are equally
 * likely. Each order gives a table with the same marginal sums. This holds even if the way back depends on the way out (as when the agent
 * stays), which a permutation of outcomes alone would ignore.
 *
 * @param most maximal number of orders drawn; fewer if many reach the statistic (Besag and Clifford's sequential p-value, which is valid
 * too).
 * @returns the p-value, at least 1 / (most + 1)
 * @see Besag and Clifford, Sequential Monte Carlo p-values, 1991, doi:10.1093/biomet/78.2.301
 */
export function excursionValue(
  { counts, excursions, first, last }: StateHistory,
  most: number,
  random: Random,
): number {
  const width = counts[0].length;
  const cells = new Uint32Array(counts.length * width);
  const order: number[] = [];
  for (const [t, h, count] of excursions) for (let i = 0; i < count; i++) order.push(t, h);
  const n = order.length / 2 + 1;
  // Marginal sums are the same in every order, so Σ x ln x over the cells decides; this is the increase of one term when its cell grows by
  // 1.
  const added = Float64Array.from(
    { length: n },
    (_, x) => (x + 1) * Math.log(x + 1) - (x === 0 ? 0 : x * Math.log(x)),
  );
  let observed = 0;
  for (const row of counts) for (const x of row) if (x > 0) observed += x * Math.log(x);
  const reached = observed - 1e-9 * (1 + Math.abs(observed));
  const next = Uint32Array.from({ length: n - 1 }, (_, i) => order[2 * i]);
  const before = Uint32Array.from({ length: n - 1 }, (_, i) => order[2 * i + 1]);
  let atLeast = 0;
  for (let drawn = 1; drawn <= most; drawn++) {
    for (let i = n - 2; i > 0; i--) {
      const j = Math.floor(random.next() * (i + 1));
      [next[i], next[j]] = [next[j], next[i]];
      [before[i], before[j]] = [before[j], before[i]];
    }
    cells.fill(0);
    let value = 0;
    let history = first;
    for (let i = 0; i < n - 1; i++) {
      value += added[cells[history * width + next[i]]++];
      history = before[i];
    }
    value += added[cells[history * width + last]++];
    if (value >= reached && ++atLeast === ENOUGH) return ENOUGH / drawn;
  }
  return (atLeast + 1) / (most + 1);
}

/**
 * The smallest p-value that any order could have: one over the number of ways to assign the outcomes, or the histories, to draws, whichever
 * is less. It depends on marginal sums alone, so states that cannot be significant may be excluded from the correction for multiple tests.
 */
export function smallestValue(counts: Table): number {
  const ways = (sums: readonly number[]): number =>
    logGamma(sumOf(sums) + 1) - sums.reduce((sum, x) => sum + logGamma(x + 1), 0);
  return Math.exp(-Math.min(ways(counts.map(sumOf)), ways(columnSums(counts))));
}
