import { InvalidModelError } from '../../base/errors.js';
import { checkArrays } from './arrays.js';
import { Status } from './status.js';
import type { Csr } from './types/index.js';

/** The largest deviation of a row's sum from 1 that counts as rounding. */
export const ROW_SUM_TOLERANCE = 1e-9;

/** The smallest probability accepted: products of two cannot underflow, so relative error bounds hold. */
export const SMALLEST_PROBABILITY = 2 ** -500;

/** Refuses arrays with inconsistent lengths, which no backend could read. */
export function checkLengths(matrix: Csr): void {
  const { rowStart, columns, values } = matrix;
  checkArrays({ rowStart, columns }, 'Uint32Array');
  checkArrays({ values }, 'Float64Array');
  if (rowStart.length < 2) {
    throw new InvalidModelError(
      `rowStart has ${rowStart.length} entries: n rows have n + 1, and at least one state has a row`,
    );
  }
  if (columns.length !== values.length) {
    throw new InvalidModelError(
      `${columns.length} columns but ${values.length} values: each entry has one of both`,
    );
  }
}

/**
 * The error for a fault that a backend found in a row of `state`.
 *
 * @param choice the row of the matrix, if it is not the state's number; if states have several rows, also the row's position
 *   among the state's rows, counted from 0.
 */
export function invalidModel(
  matrix: Csr,
  status: Status,
  state: number,
  choice?: { readonly index?: number; readonly row: number; readonly states: number },
): InvalidModelError {
  const { rowStart, columns, values } = matrix;
  const { index, row: at, states } = choice ?? { row: state, states: rowStart.length - 1 };
  const where = index === undefined ? `state ${state}` : `choice ${index} of state ${state}`;
  const end = Math.min(rowStart[at + 1], columns.length);
  const row = Array.from({ length: Math.max(0, end - rowStart[at]) }, (_, i) => rowStart[at] + i);
  const first = (wrong: (entry: number) => boolean) => row.find(wrong) ?? row[0];

  if (status === Status.EmptyRow) {
    return new InvalidModelError(
      `${where} has no successor: give an absorbing state a self-loop with probability 1`,
      { state },
    );
  }
  if (status === Status.ColumnRange) {
    const entry = first((e) => columns[e] >= states);
    return new InvalidModelError(
      `${where} has successor ${columns[entry]}, but states are 0 to ${states - 1}`,
      { state },
    );
  }
  if (status === Status.ColumnOrder) {
    const entry = first((e) => e > rowStart[at] && columns[e] <= columns[e - 1]);
    const fault = columns[entry] === columns[entry - 1] ? 'twice' : `after ${columns[entry - 1]}`;
    return new InvalidModelError(
      `${where} has successor ${columns[entry]} ${fault}: columns ascend strictly within a row; sort it and add up duplicates`,
      { state },
    );
  }
  if (status === Status.Probability) {
    const entry = first((e) => !(values[e] >= SMALLEST_PROBABILITY && values[e] <= 1));
    return new InvalidModelError(
      `${where} moves to ${columns[entry]} with ${values[entry]}: a probability is at most 1 and at least 2^-500 (3e-151), so that products do not underflow; leave out transitions of probability 0`,
      { state },
    );
  }
  if (status === Status.RowSum) {
    const rowSum = row.reduce((sum, entry) => sum + values[entry], 0);
    return new InvalidModelError(
      `the probabilities of ${where} sum to ${rowSum}, not to 1 within ${ROW_SUM_TOLERANCE}`,
      { state, rowSum },
    );
  }
  return new InvalidModelError(
    `rowStart goes from ${rowStart[at]} to ${rowStart[at + 1]} at ${where}: it starts at 0, never descends, and ends at the number of entries, ${columns.length}`,
    { state },
  );
}
