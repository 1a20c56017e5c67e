import { InvalidModelError } from '../../base/errors.js';
import { checkArrays } from './arrays.js';
import { ROW_SUM_TOLERANCE, SMALLEST_PROBABILITY } from './invalidModel.js';
import { exactSum } from './twoSum.js';
import type { IntervalCsr } from './types/index.js';

/**
 * Checked rows in the form that engines compute with. A distribution of a row is centre + gain - loss with gain at most
 * upper - centre, loss at most centre - lower, and the gains exceeding the losses by `excess`, the amount by which the centre's
 * sum misses 1; the smaller of the two totals is at most `radius`. A row without a ball is treated as a ball around its lower
 * bounds, which can lose nothing.
 */
export interface IntervalRows {
  readonly states: number;
  readonly rows: number;
  readonly rowGroupStart: Uint32Array;
  readonly rowStart: Uint32Array;
  readonly columns: Uint32Array;
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  readonly centre: Float64Array;
  readonly radius: Float64Array;
  readonly excess: Float64Array;
  /** For a row that is a single point, the sum of its entries (nearest double); 1 for other rows. */
  readonly sums: Float64Array;
}

/**
 * Checks a model and prepares its rows. If the bounds leave a single distribution (for example, lower bounds that sum to 1),
 * the row becomes that point: its rounding is then relative to the entries, and a sum that misses 1 by rounding is not a fault.
 *
 * @throws InvalidModelError naming the row, and the state it belongs to.
 */
export function prepareIntervals(matrix: IntervalCsr, groups?: Uint32Array): IntervalRows {
  const { rowStart, columns, lower, upper, centre, radius } = matrix;
  checkArrays({ rowStart, columns }, 'Uint32Array');
  checkArrays({ lower, upper }, 'Float64Array');
  checkLengths(matrix);
  const rows = rowStart.length - 1;
  const rowGroupStart = groups ?? Uint32Array.from({ length: rows + 1 }, (_, row) => row);
  checkArrays({ rowGroupStart }, 'Uint32Array');
  const states = rowGroupStart.length - 1;
  checkStarts('rowGroupStart', rowGroupStart, rows, 'rows', (state) => ({ where: `state ${state}`, state }));
  const placeOf = (row: number) => {
    const state = rowGroupStart.findIndex((start) => start > row) - 1;
    return { where: groups === undefined ? `state ${state}` : `row ${row} of state ${state}`, state };
  };
  checkStarts('rowStart', rowStart, columns.length, 'entries', placeOf);

  const prepared = {
    states,
    rows,
    rowGroupStart: rowGroupStart.slice(),
    rowStart: rowStart.slice(),
    columns: columns.slice(),
    lower: lower.slice(),
    upper: upper.slice(),
    centre: (centre ?? lower).slice(),
    radius: new Float64Array(rows),
    excess: new Float64Array(rows),
    sums: new Float64Array(rows).fill(1),
  };
  for (let state = 0; state < states; state++) {
    for (let row = rowGroupStart[state]; row < rowGroupStart[state + 1]; row++) {
      const where = groups === undefined ? `state ${state}` : `row ${row} of state ${state}`;
      checkEntries(matrix, states, row, where, state);
      prepareRow(prepared, row, where, state, radius?.[row]);
    }
  }
  return prepared;
}

function checkLengths({ rowStart, columns, lower, upper, centre, radius }: IntervalCsr): void {
  if (rowStart.length < 2) {
    throw new InvalidModelError(
      `rowStart has ${rowStart.length} entries: n rows have n + 1, and there is at least one`,
    );
  }
  if ((centre === undefined) !== (radius === undefined)) {
    throw new InvalidModelError(
      `${centre === undefined ? 'radius' : 'centre'} is given alone: a ball has a centre and a radius; give both or neither`,
    );
  }
  if (centre !== undefined) checkArrays({ centre, radius }, 'Float64Array');
  for (const [name, array] of Object.entries({ lower, upper, centre })) {
    if (array !== undefined && array.length !== columns.length) {
      throw new InvalidModelError(
        `${columns.length} columns but ${array.length} entries of ${name}: each entry has both`,
      );
    }
  }
  if (radius !== undefined && radius.length !== rowStart.length - 1) {
    throw new InvalidModelError(`${radius.length} radii but ${rowStart.length - 1} rows: each row has one`);
  }
}

/** Checks the starts of consecutive, non-empty groups. `placeOf` names a group and its owner. */
function checkStarts(
  name: string,
  starts: Uint32Array,
  total: number,
  members: 'rows' | 'entries',
  placeOf: (group: number) => { where: string; state: number },
): void {
  for (let i = 0; i + 1 < starts.length; i++) {
    const [start, end] = [starts[i], starts[i + 1]];
    if (
      (i === 0 && start !== 0) ||
      end < start ||
      end > total ||
      (i + 2 === starts.length && end !== total)
    ) {
      const { where, state } = placeOf(i);
      throw new InvalidModelError(
        `${name} goes from ${start} to ${end} at ${where}: it starts at 0, never descends, and ends at the number of ${members}, ${total}`,
        { state },
      );
    }
    if (start === end) {
      const { where, state } = placeOf(i);
      throw new InvalidModelError(
        `${where} has no ${members === 'rows' ? 'row' : 'successor'}: give an absorbing state a self-loop with probability 1`,
        { state },
      );
    }
  }
  if (starts.length < 2)
    throw new InvalidModelError(
      `${name} has ${starts.length} entries: n states have n + 1, and there is at least one`,
    );
}

function checkEntries(matrix: IntervalCsr, states: number, row: number, where: string, state: number): void {
  const { rowStart, columns, lower, upper, centre } = matrix;
  const refuse = (fault: string): never => {
    throw new InvalidModelError(`${where} ${fault}`, { state });
  };
  for (let e = rowStart[row]; e < rowStart[row + 1]; e++) {
    const t = columns[e];
    if (t >= states) refuse(`has successor ${t}, but states are 0 to ${states - 1}`);
    if (e > rowStart[row] && t <= columns[e - 1]) {
      refuse(
        `has successor ${t} ${t === columns[e - 1] ? 'twice' : `after ${columns[e - 1]}`}: columns ascend strictly within a row; sort it and add up duplicates`,
      );
    }
    const [low, high] = [lower[e], upper[e]];
    if (!(high >= SMALLEST_PROBABILITY && high <= 1)) {
      refuse(
        `moves to ${t} with at most ${high}: an upper bound is above 0 (at least 2^-500) and at most 1; leave out transitions of probability 0`,
      );
    }
    if (!(low === 0 || (low >= SMALLEST_PROBABILITY && low <= 1))) {
      refuse(`moves to ${t} with at least ${low}: a lower bound is 0, or at least 2^-500 and at most 1`);
    }
    if (low > high)
      refuse(`moves to ${t} with at least ${low} and at most ${high}: the lower bound is the smaller one`);
    if (centre === undefined) continue;
    if (!(centre[e] >= low && centre[e] <= high)) {
      refuse(`has centre ${centre[e]} at successor ${t}, outside its bounds ${low} and ${high}`);
    }
    if (centre[e] > 0 && centre[e] < SMALLEST_PROBABILITY)
      refuse(`has centre ${centre[e]} at successor ${t}: it is 0 or at least 2^-500`);
  }
}

function prepareRow(
  prepared: IntervalRows,
  row: number,
  where: string,
  state: number,
  radius: number | undefined,
): void {
  const { rowStart, lower, upper, centre } = prepared;
  const [start, end] = [rowStart[row], rowStart[row + 1]];
  const least = exactSum(lower.subarray(start, end));
  const most = exactSum(upper.subarray(start, end));
  const middle = exactSum(centre.subarray(start, end));
  if (!(least.sum <= 1 + ROW_SUM_TOLERANCE)) {
    throw new InvalidModelError(
      `the lower bounds of ${where} sum to ${least.sum}, more than 1: no distribution is that large; lower one of them`,
      { state, rowSum: least.sum },
    );
  }
  if (!(most.sum >= 1 - ROW_SUM_TOLERANCE)) {
    throw new InvalidModelError(
      `the upper bounds of ${where} sum to ${most.sum}, less than 1: no distribution is that small; raise one of them`,
      { state, rowSum: most.sum },
    );
  }
  if (radius !== undefined && !(Math.abs(middle.sum - 1) <= ROW_SUM_TOLERANCE)) {
    throw new InvalidModelError(
      `the centre of ${where} sums to ${middle.sum}, not to 1 within ${ROW_SUM_TOLERANCE}: a ball lies around a distribution`,
      { state, rowSum: middle.sum },
    );
  }
  if (radius !== undefined && !(radius >= 0)) {
    throw new InvalidModelError(
      `the radius of ${where} is ${radius}: it is at least 0; Infinity leaves the bounds alone`,
      {
        state,
      },
    );
  }

  // Bounds that leave any room leave a choice, however small: whether an entry may be 0 can decide the result.
  let point: { sum: number } | undefined;
  if (least.rest <= 0) point = least;
  else if (most.rest >= 0) point = most;
  else if (radius === 0) point = middle;
  if (point !== undefined) {
    const entries = (point === least ? lower : point === most ? upper : centre).slice(start, end);
    prepared.sums[row] = point.sum;
    for (const array of [lower, upper, centre]) array.set(entries, start);
    return;
  }
  prepared.radius[row] = Math.min(radius ?? 0, 2);
  prepared.excess[row] = middle.rest;
}
