import { chiSquareTail } from './chiSquare.js';

/** Counts, one row a history and one column an outcome; rows of equal length. */
export type Table = readonly (readonly number[])[];

export const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, x) => sum + x, 0);

export const columnSums = (table: Table): number[] =>
  table[0]?.map((_, t) => sumOf(table.map((row) => row[t]))) ?? [];

/**
 * The likelihood-ratio statistic of independence, G = 2 Σ n_ht ln(n_ht n / (n_h n_t)): twice the log-likelihood of outcomes drawn for each row by itself over that
 * of one distribution for all.
 */
export function likelihoodRatio(table: Table): number {
  const rows = table.map(sumOf);
  const columns = columnSums(table);
  const n = sumOf(rows);
  let half = 0;
  table.forEach((row, h) => {
    row.forEach((count, t) => {
      if (count > 0) half += count * Math.log((count * n) / (rows[h] * columns[t]));
    });
  });
  return Math.max(0, 2 * half);
}

/** (rows − 1)(columns − 1), of those that hold anything. */
export function degreesOfFreedom(table: Table): number {
  const rows = table.filter((row) => sumOf(row) > 0).length;
  const columns = columnSums(table).filter((sum) => sum > 0).length;
  return Math.max(0, rows - 1) * Math.max(0, columns - 1);
}

/** The smallest count that independence lets expect in a cell. */
export function smallestExpected(table: Table): number {
  const rows = table.map(sumOf).filter((sum) => sum > 0);
  const columns = columnSums(table).filter((sum) => sum > 0);
  return rows.length === 0 ? 0 : (Math.min(...rows) * Math.min(...columns)) / sumOf(rows);
}

/**
 * The p-value of G by the chi-square distribution, G divided by Williams' factor, without which it is too large in small tables.
 * @see Williams, Improved likelihood ratio tests, 1976, doi:10.1093/biomet/63.1.33
 */
export function chiSquareValue(table: Table): number {
  const degrees = degreesOfFreedom(table);
  if (degrees === 0) return 1;
  const rows = table.map(sumOf).filter((sum) => sum > 0);
  const columns = columnSums(table).filter((sum) => sum > 0);
  const n = sumOf(rows);
  const inverse = (sums: readonly number[]): number => n * sumOf(sums.map((sum) => 1 / sum)) - 1;
  const factor = 1 + (inverse(rows) * inverse(columns)) / (6 * n * degrees);
  return chiSquareTail(likelihoodRatio(table) / factor, degrees);
}

/**
 * The table with its smallest columns added up, and its smallest rows, until every cell lets expect at least `least`; which ones depends on the sums
 * alone, so that nothing is chosen by what is tested.
 */
export function pooled(table: Table, least: number): number[][] {
  let result = table.filter((row) => sumOf(row) > 0).map((row) => [...row]);
  const full = columnSums(result).map((sum) => sum > 0);
  result = result.map((row) => row.filter((_, t) => full[t]));
  while (result.length > 1 && result[0].length > 1 && smallestExpected(result) < least) {
    if (Math.min(...result.map(sumOf)) < Math.min(...columnSums(result))) result = joinSmallest(result);
    else result = transpose(joinSmallest(transpose(result)));
  }
  return result;
}

function joinSmallest(table: Table): number[][] {
  const [first, second, ...others] = [...table].sort((a, b) => sumOf(a) - sumOf(b));
  return [first.map((count, t) => count + second[t]), ...others.map((row) => [...row])];
}

function transpose(table: Table): number[][] {
  return table[0].map((_, t) => table.map((row) => row[t]));
}

/** How far rows lie from what all together show, in total variation, rows by their draws; and how far chance alone would put them, about. */
export function meanVariation(table: Table): { variation: number; byChance: number } {
  const columns = columnSums(table);
  const n = sumOf(columns);
  let variation = 0;
  let byChance = 0;
  for (const row of table) {
    const draws = sumOf(row);
    if (draws === 0) continue;
    row.forEach((count, t) => {
      const share = columns[t] / n;
      variation += ((draws / n) * Math.abs(count / draws - share)) / 2;
      // The mean of a normal variable's size is √(2/π) of its deviation.
      byChance += ((draws / n) * Math.sqrt((2 / Math.PI) * share * (1 - share) * (1 / draws - 1 / n))) / 2;
    });
  }
  return { variation, byChance };
}
