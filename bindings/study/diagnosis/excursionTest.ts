import type { Random } from '../../base/random.js';
import type { StateHistory } from '../../estimation/learning/index.js';
import { logGamma } from '../../estimation/pac/index.js';
import { columnSums, sumOf, type Table } from './contingency.js';

/** Further orders are drawn until so many reach the statistic: more would change little. */
const ENOUGH = 20;

/**
 * The p-value of G by the order of excursions, exact for any number of draws. If what follows a state does not depend on what came before, then what lies between one draw
 * of the state and the next is independent of what lies between others, and all orders of these excursions are equally likely.
 * Each order gives a table of the same sums. This holds also where the agent comes back in ways that depend on how it left (as when it
 * stays), which shuffling outcomes alone ignores.
 *
 * @param most orders drawn; fewer where many reach the statistic (Besag and Clifford's sequential p-value, which holds too).
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
  // Sums of rows and columns are the same in every order, so that Σ x ln x over the cells decides; this is what one more in a cell adds.
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
 * The smallest p-value that any order could have: one over the number of ways to give the outcomes to draws, or the histories, whichever
 * is less. It depends on sums alone, so that states which cannot show anything may be left out of what is corrected for.
 */
export function smallestValue(counts: Table): number {
  const ways = (sums: readonly number[]): number =>
    logGamma(sumOf(sums) + 1) - sums.reduce((sum, x) => sum + logGamma(x + 1), 0);
  return Math.exp(-Math.min(ways(counts.map(sumOf)), ways(columnSums(counts))));
}
