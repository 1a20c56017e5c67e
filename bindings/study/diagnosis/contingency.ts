import { chiSquareTail } from './chiSquare.js';

/** Counts with one row per history and one column per outcome; rows of equal length. */
export type Table = readonly (readonly number[])[];

export const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, x) => sum + x, 0);

export const columnSums = (table: Table): number[] =>
  table[0]?.map((_, t) => sumOf(table.map((row) => row[t]))) ?? [];

/**
 * Computes the likelihood-ratio statistic of independence, G = 2 Σ n_ht ln(n_ht n / (n_h n_t)): twice the log of the likelihood ratio
 * between a separate distribution per row and one distribution for all rows.
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

/** (rows − 1)(columns − 1), over rows and columns that are not empty. */
export function degreesOfFreedom(table: Table): number {
  const rows = table.filter((row) => sumOf(row) > 0).length;
  const columns = columnSums(table).filter((sum) => sum > 0).length;
  return Math.max(0, rows - 1) * Math.max(0, columns - 1);
}

/** The smallest expected count of a cell under independence. */
export function smallestExpected(table: Table): number {
  const rows = table.map(sumOf).filter((sum) => sum > 0);
  const columns = columnSums(table).filter((sum) => sum > 0);
  return rows.length === 0 ? 0 : (Math.min(...rows) * Math.min(...columns)) / sumOf(rows);
}

/**
 * Computes the p-value of G by the chi-square distribution. G is divided by Williams' factor, because it is too large in small tables.
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
 * Merges the smallest columns and the smallest rows of the table until every cell has an expected count of at least `least`. The choice
 * depends on the marginal sums alone, so the tested data do not influence it.
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

/** The total variation of rows from the pooled distribution, weighted by their draws; and approximately what chance alone would give. */
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
      // The mean absolute value of a centred normal variable is √(2/π) of its deviation.
      byChance += ((draws / n) * Math.sqrt((2 / Math.PI) * share * (1 - share) * (1 / draws - 1 / n))) / 2;
    });
  }
  return { variation, byChance };
}
