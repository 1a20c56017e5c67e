import type { DrawnRows } from './drawnRows.js';
import type { ErrorForecast } from './errorForecast.js';
import type { Beginning, RunVisits } from './runVisits.js';

/** The value of more draws of one row. */
export interface RowPlan {
  readonly row: number;
  readonly draws: number;
  /** The row's contribution to the error to which it contributes most. */
  readonly share: number;
  /** The decrease of that error by one more draw. */
  readonly gain: number;
  /** Total draws, including the current ones, with which all errors are as small as wanted if rows are drawn in the best proportion. */
  readonly needed: number;
}

/** An error that should become small enough. */
export interface ErrorGoal {
  readonly forecast: ErrorForecast;
  /** The largest acceptable error. */
  readonly epsilon: number;
}

/** Runs begun in one way. */
export interface PlannedRuns {
  readonly beginning: Beginning;
  readonly runs: number;
}

/** Which rows to draw from next, and how many runs that takes. */
export interface RunPlan {
  /** Rows that contribute to some error that is too large: those without a draw first, then by gain. */
  readonly rows: readonly RowPlan[];
  /** Runs as the agent begins them; Infinity if they do not reach the relevant rows. */
  readonly asAgent: number;
  /** Total runs if they are begun where they help most, and how to begin them; Infinity if they do not reach the relevant rows. */
  readonly favoured: number;
  readonly begun: readonly PlannedRuns[];
}

/** Exceeds any practical number of runs. */
const MAX_RUNS = 1e12;
const MAX_DRAWS = 1e15;

/**
 * Plans runs until each error is as small as wanted, assuming that frequencies stay as they are and nothing new appears. One more draw of a
 * row lowers an error by about its share over twice the current draws; one more run lowers it by the sum of that over rows, times the run's
 * expected visits. Runs are therefore begun where this decrease is largest, a few at a time.
 *
 * @param beginnings states that runs may begin in on request; beginning as the agent does is always possible.
 */
export function planRuns(
  rows: DrawnRows,
  visits: RunVisits,
  goals: readonly ErrorGoal[],
  beginnings: readonly number[],
): RunPlan {
  const unmet = goals.filter(({ forecast, epsilon }) => forecast.error(rows.draws) > epsilon);
  const asAgent = runsBegun(rows, visits, unmet, [null]);
  const favoured = runsBegun(rows, visits, unmet, [null, ...beginnings]);
  const best = total(favoured) <= total(asAgent) ? favoured : asAgent;
  return {
    rows: rowPlans(rows, unmet),
    asAgent: total(asAgent),
    favoured: total(best),
    begun: best,
  };
}

/** Plans runs, each begun where it helps most, until all errors are small enough. */
function runsBegun(
  { draws }: DrawnRows,
  visits: RunVisits,
  goals: readonly ErrorGoal[],
  beginnings: readonly Beginning[],
): PlannedRuns[] {
  const runs = new Map<Beginning, number>();
  let drawn: Float64Array = draws.slice();
  let sum = 0;
  const after = (beginning: Beginning, count: number): Float64Array => {
    const each = visits.from(beginning);
    return drawn.map((before, row) => before + count * each[row]);
  };
  let open = goals;
  while (open.length > 0) {
    const gains = new Float64Array(draws.length);
    for (const { forecast } of open) {
      for (const row of forecast.rows) gains[row] += forecast.gain(row, drawn[row]);
    }
    const earned = visits.earned(gains, beginnings);
    const best = earned.reduce((at, gain, i) => (gain > earned[at] ? i : at), 0);
    const beginning = beginnings[best];
    let count = Math.max(1, Math.ceil(sum / 8));
    if (!(earned[best] > 0) || sum > MAX_RUNS) return [{ beginning, runs: Number.POSITIVE_INFINITY }];
    const stillOpen = (more: number): ErrorGoal[] => {
      const foreseen = after(beginning, more);
      return open.filter(({ forecast, epsilon }) => forecast.error(foreseen) > epsilon);
    };
    const left = stillOpen(count);
    if (left.length === 0) count = smallest(count, (more) => stillOpen(more).length === 0);
    runs.set(beginning, (runs.get(beginning) ?? 0) + count);
    sum += count;
    drawn = after(beginning, count);
    open = left;
  }
  return [...runs].map(([beginning, count]) => ({ beginning, runs: count }));
}

/** The smallest number from 1 to `most` for which the monotone `holds` is true; it is true for `most`. */
function smallest(most: number, holds: (count: number) => boolean): number {
  let [below, above] = [0, most];
  while (above - below > 1) {
    const middle = Math.floor((below + above) / 2);
    if (holds(middle)) above = middle;
    else below = middle;
  }
  return above;
}

function total(begun: readonly PlannedRuns[]): number {
  return begun.reduce((sum, { runs }) => sum + runs, 0);
}

function rowPlans({ draws }: DrawnRows, goals: readonly ErrorGoal[]): RowPlan[] {
  const plans = new Map<number, RowPlan>();
  for (const { forecast, epsilon } of goals) {
    const needed = drawsNeeded(draws, forecast, epsilon);
    forecast.rows.forEach((row, i) => {
      const found = plans.get(row);
      plans.set(row, {
        row,
        draws: draws[row],
        share: Math.max(found?.share ?? 0, forecast.share(row, draws[row])),
        gain: Math.max(found?.gain ?? 0, forecast.gain(row, draws[row])),
        needed: Math.max(found?.needed ?? 0, needed[i]),
      });
    });
  }
  const isNew = ({ draws: drawn }: RowPlan): number => Number(drawn === 0);
  return [...plans.values()].sort((a, b) => isNew(b) - isNew(a) || b.gain - a.gain || a.row - b.row);
}

/**
 * The minimal numbers of draws per row with which the forecast error is at most epsilon: those beyond which a further draw gains equally
 * little in each row.
 */
function drawsNeeded(draws: Float64Array, forecast: ErrorForecast, epsilon: number): number[] {
  const needed = forecast.rows.map((row) => draws[row]);
  const gains = needed.map((drawn, i) => forecast.gain(forecast.rows[i], drawn));
  const error = (): number => forecast.rows.reduce((sum, row, i) => sum + forecast.share(row, needed[i]), 0);
  while (error() > epsilon) {
    const least = 0.8 * gains.reduce((a, b) => Math.max(a, b), 0);
    if (!(least > 0) || needed.some((drawn) => drawn > MAX_DRAWS))
      return needed.fill(Number.POSITIVE_INFINITY);
    forecast.rows.forEach((row, i) => {
      while (gains[i] > least) {
        needed[i] = Math.max(1, 1.1 * needed[i]);
        gains[i] = forecast.gain(row, needed[i]);
      }
    });
  }
  return needed.map(Math.ceil);
}
