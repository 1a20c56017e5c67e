import { InvalidArgumentError } from '../../base/errors.js';
import { Random } from '../../base/random.js';
import type { HistoryCounts, StateHistory } from '../../estimation/learning/index.js';
import {
  chiSquareValue,
  columnSums,
  degreesOfFreedom,
  likelihoodRatio,
  meanVariation,
  pooled,
  smallestExpected,
  sumOf,
} from './contingency.js';
import { excursionValue, smallestValue } from './excursionTest.js';
import { holm } from './holm.js';

/** Options of the test for dependence on history. */
export interface OrderOptions {
  /** The probability that any state is reported as dependent on history although none is. Default 0.05. */
  readonly level?: number;
  /** Seed of the random orders of excursions. Default 1. */
  readonly seed?: number;
}

/** The successors of a state after one history, compared with its other histories. */
export interface HistoryEffect {
  /** The previous state in words; `start` if there is none. */
  readonly after: string;
  readonly draws: number;
  /** Total variation between the successors after this history and after all others. */
  readonly variation: number;
  /** The next state that differs most, in words (`end` for the end of the run): its share after this history, and after the others. */
  readonly next: { readonly state: string; readonly share: number; readonly otherwise: number };
}

/** Whether the successors of one state depend on the history. */
export interface StateOrder {
  /** Chain state, from 0 in order of discovery. */
  readonly state: number;
  readonly description: string;
  readonly draws: number;
  /** The number of previous states (none counts as one), and of next states (the end counts as one). */
  readonly histories: number;
  readonly successors: number;
  /** The likelihood-ratio statistic of second order against first order. */
  readonly statistic: number;
  readonly degreesOfFreedom: number;
  /**
   * The source of the p-value: `chiSquare` if the expected count is at least five in each cell; `excursions`, by random orders, if it is
   * not; `pooled`, chi-square after pooling rare histories and outcomes, if there are too many draws for random orders. Null: too few draws
   * to show anything.
   */
  readonly method: 'chiSquare' | 'excursions' | 'pooled' | null;
  readonly pValue: number | null;
  /** The p-value after Holm's correction over the tested states. */
  readonly adjusted: number | null;
  /** Whether the adjusted p-value is at most the level. */
  readonly dependent: boolean;
  /** Mean total variation between the successors after each history and after all of them, and approximately what chance alone would give. */
  readonly variation: number;
  readonly variationByChance: number;
  /** The histories that stand out, the most improbable first. */
  readonly effects: readonly HistoryEffect[];
}

/** The test of the Markov assumption, state by state. */
export interface OrderDependence {
  readonly level: number;
  readonly seed: number;
  /** States with enough draws to show an effect, and states with too few, or with a single history or outcome. */
  readonly tested: number;
  readonly untested: number;
  /** Steps that left a tested state, as a fraction of all. */
  readonly testedShare: number;
  /** States that depend on history first, by improbability; then by number of draws. */
  readonly states: readonly StateOrder[];
}

/** Cells with a smaller expected count are too small for the chi-square distribution. */
const EXPECTED = 5;
/** Maximal number of draws times orders, for one state. */
const EFFORT = 5e7;
const MAX_ORDERS = 100_000;
const SHOWN = 5;

/**
 * Tests, for every state, whether the next state depends on the one before: first against second order. The probability that any state is
 * reported as dependent on history, although none is, is at most `level`.
 *
 * @throws InvalidArgumentError for a level outside (0, 1)
 * @see Anderson and Goodman, Statistical inference about Markov chains, 1957, doi:10.1214/aoms/1177707039
 */
export function orderDependence(
  history: HistoryCounts,
  { level = 0.05, seed = 1 }: OrderOptions = {},
): OrderDependence {
  requireLevel(level);
  const states = history.states();
  const testable = states.map(({ counts }) => degreesOfFreedom(counts) > 0 && smallestValue(counts) <= level);
  const tested = testable.filter(Boolean).length;
  const orders = Math.min(MAX_ORDERS, Math.max(999, Math.ceil((10 * tested) / level)));
  const values = states.flatMap((state, i) =>
    testable[i] ? [testOf(state, orders, new Random(seed, state.row))] : [],
  );
  const adjusted = holm(values.map(({ pValue }) => pValue));
  let next = 0;
  const judged = states.map((state, i): StateOrder => {
    const test = testable[i] ? { ...values[next], adjusted: adjusted[next++] } : null;
    const { counts, row } = state;
    const mean = meanVariation(counts);
    const dependent = test !== null && test.adjusted <= level;
    return {
      state: row - 1,
      description: describe(history, row, 'end'),
      draws: sumOf(counts.map(sumOf)),
      histories: counts.length,
      successors: counts[0].length,
      statistic: likelihoodRatio(counts),
      degreesOfFreedom: degreesOfFreedom(counts),
      method: test?.method ?? null,
      pValue: test?.pValue ?? null,
      adjusted: test?.adjusted ?? null,
      dependent,
      variation: mean.variation,
      variationByChance: mean.byChance,
      effects: dependent ? effectsOf(history, state) : [],
    };
  });
  const draws = sumOf(judged.map((state) => state.draws));
  return {
    level,
    seed,
    tested,
    untested: states.length - tested,
    testedShare: sumOf(judged.map((state) => (state.method === null ? 0 : state.draws))) / draws,
    states: judged.sort(
      (a, b) =>
        Number(b.dependent) - Number(a.dependent) ||
        (a.dependent ? (a.pValue ?? 1) - (b.pValue ?? 1) : 0) ||
        b.draws - a.draws,
    ),
  };
}

/** @throws InvalidArgumentError unless it is a probability above 0 and below 1 */
export function requireLevel(level: number): void {
  if (level > 0 && level < 1) return;
  throw new InvalidArgumentError(
    `the level is ${level}; expected the chance of a false finding, above 0 and below 1, such as 0.05`,
  );
}

function testOf(
  state: StateHistory,
  orders: number,
  random: Random,
): { method: 'chiSquare' | 'excursions' | 'pooled'; pValue: number } {
  const { counts } = state;
  if (smallestExpected(counts) >= EXPECTED) return { method: 'chiSquare', pValue: chiSquareValue(counts) };
  if (sumOf(counts.map(sumOf)) * orders > EFFORT) {
    return { method: 'pooled', pValue: chiSquareValue(pooled(counts, EXPECTED)) };
  }
  return { method: 'excursions', pValue: excursionValue(state, orders, random) };
}

/** Histories, ordered by the improbability of their most deviating outcome under independence. */
function effectsOf(history: HistoryCounts, { counts, enteredBy, leftBy }: StateHistory): HistoryEffect[] {
  const { from, to } = history.tally.transitions;
  const columns = columnSums(counts);
  const n = sumOf(columns);
  const effects = counts.map((row, h) => {
    const draws = sumOf(row);
    const others = n - draws;
    const differences = row.map((count, t) => count / draws - (columns[t] - count) / others);
    const residuals = differences.map((difference, t) => {
      const share = columns[t] / n;
      return difference / Math.sqrt(share * (1 - share) * (1 / draws + 1 / others));
    });
    const t = residuals.reduce((best, x, i) => (Math.abs(x) > Math.abs(residuals[best]) ? i : best), 0);
    return {
      residual: Math.abs(residuals[t]),
      effect: {
        after: describe(history, from[enteredBy[h]], 'start'),
        draws,
        variation: sumOf(differences.map(Math.abs)) / 2,
        next: {
          state: describe(history, to[leftBy[t]], 'end'),
          share: row[t] / draws,
          otherwise: (columns[t] - row[t]) / others,
        },
      },
    };
  });
  return effects
    .filter(({ residual }) => residual >= 2)
    .sort((a, b) => b.residual - a.residual)
    .slice(0, SHOWN)
    .map(({ effect }) => effect);
}

/** A row's state in words. */
export function describe({ tally }: Pick<HistoryCounts, 'tally'>, row: number, outside: string): string {
  const { abstraction, table } = tally;
  return row === 0 ? outside : abstraction.describe(table.valuations, (row - 1) * abstraction.words);
}
