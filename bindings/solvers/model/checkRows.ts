import type { Bounds } from '../../base/bounds.js';
import { InvalidModelError } from '../../base/errors.js';
import type { BitSet } from '../kernel/index.js';

/** The largest deviation of a row's sum from 1. */
export const ROW_SUM_TOLERANCE = 1e-9;

/**
 * The position and owner of rows: one per state, or rows rowGroupStart[s] (included) to rowGroupStart[s + 1] (excluded) of
 * state s.
 */
export interface RowLayout {
  readonly rowGroupStart?: Uint32Array;
  readonly rowStart: Uint32Array;
  readonly columns: Uint32Array;
}

/**
 * Checks the transitions `start` to `end` (excluded) of one row. Parameters are plain numbers, because models have millions of
 * rows.
 */
type RowCheck = (state: number, row: number, start: number, end: number) => void;

/** The number of states of a model with these rows, at least 1. */
export function statesOf({ rowGroupStart, rowStart }: RowLayout): number {
  const states = (rowGroupStart ?? rowStart).length - 1;
  if (states < 1) throw new InvalidModelError('the model has no states; a chain has at least one');
  return states;
}

/** Checks rows of probabilities: in (0, 1], columns ascending, each row summing to 1; rows of `unknown` states are empty. */
export function checkDistributions(
  model: RowLayout & { readonly values: Float64Array },
  unknown?: BitSet,
): void {
  const { columns, values } = model;
  const states = statesOf(model);
  checkEnds(model, values.length, 'values');
  forEachRow(model, (state, row, start, end) => {
    if (unknown?.has(state)) {
      if (start === end) return;
      throw new InvalidModelError(
        `state ${state} is unknown, yet has ${end - start} transitions; its row must be empty`,
        { state },
      );
    }
    if (start === end) throw emptyRow(model, state, row, model.rowGroupStart === undefined);
    let rowSum = 0;
    for (let i = start; i < end; i++) {
      const value = values[i];
      const problem =
        columnProblem(columns, i, start, states) ??
        (value > 0 && value <= 1 ? undefined : `has probability ${value}; expected a number in (0, 1]`);
      if (problem) throw wrongTransition(nameOf(model, state, row), columns[i], problem, state);
      rowSum += value;
    }
    if (!(Math.abs(rowSum - 1) <= ROW_SUM_TOLERANCE)) {
      throw new InvalidModelError(
        `${nameOf(model, state, row)}: its probabilities sum to ${rowSum}, not to 1 (tolerance ${ROW_SUM_TOLERANCE}); check its ${end - start} transitions`,
        { state, rowSum },
      );
    }
  });
}

/** Checks rows of intervals: 0 <= lower <= upper <= 1, upper above 0, and some distribution between the bounds. */
export function checkIntervals(model: RowLayout & Bounds): void {
  const { columns, lower, upper } = model;
  const states = statesOf(model);
  checkEnds(model, lower.length, 'lower bounds');
  checkEnds(model, upper.length, 'upper bounds');
  forEachRow(model, (state, row, start, end) => {
    if (start === end) throw emptyRow(model, state, row, false);
    let least = 0;
    let most = 0;
    for (let i = start; i < end; i++) {
      const inOrder = lower[i] >= 0 && lower[i] <= upper[i] && upper[i] > 0 && upper[i] <= 1;
      const problem =
        columnProblem(columns, i, start, states) ??
        (inOrder
          ? undefined
          : `has probability [${lower[i]},${upper[i]}]; expected 0 <= lower <= upper <= 1, and upper above 0`);
      if (problem) throw wrongTransition(nameOf(model, state, row), columns[i], problem, state);
      least += lower[i];
      most += upper[i];
    }
    if (!(least <= 1 + ROW_SUM_TOLERANCE && most >= 1 - ROW_SUM_TOLERANCE)) {
      throw new InvalidModelError(
        `${nameOf(model, state, row)}: its lower bounds sum to ${least} and its upper bounds to ${most}, so no distribution lies between them; check its ${end - start} transitions`,
        { state, rowSum: least > 1 ? least : most },
      );
    }
  });
}

function forEachRow(model: RowLayout, check: RowCheck): void {
  const { rowGroupStart, rowStart } = model;
  const states = statesOf(model);
  if (rowGroupStart) checkGroups(rowGroupStart, rowStart.length - 1);
  for (let state = 0; state < states; state++) {
    const first = rowGroupStart ? rowGroupStart[state] : state;
    const last = rowGroupStart ? rowGroupStart[state + 1] : state + 1;
    for (let row = first; row < last; row++) {
      const start = rowStart[row];
      const end = rowStart[row + 1];
      if (end < start) {
        throw new InvalidModelError(
          `${nameOf(model, state, row)}: its row starts at ${start} and ends before it, at ${end}`,
          { state },
        );
      }
      check(state, row, start, end);
    }
  }
}

function checkGroups(rowGroupStart: Uint32Array, rows: number): void {
  const states = rowGroupStart.length - 1;
  if (rowGroupStart[0] !== 0 || rowGroupStart[states] !== rows) {
    throw new InvalidModelError(
      `rowGroupStart runs from ${rowGroupStart[0]} to ${rowGroupStart[states]}; expected 0 to ${rows}, the number of rows`,
    );
  }
  for (let state = 0; state < states; state++) {
    if (rowGroupStart[state] < rowGroupStart[state + 1]) continue;
    throw new InvalidModelError(
      rowGroupStart[state] === rowGroupStart[state + 1]
        ? `state ${state} has no choice; give it one, such as a self-loop with probability 1`
        : `state ${state}: its choices start at ${rowGroupStart[state]} and end before, at ${rowGroupStart[state + 1]}`,
      { state },
    );
  }
}

function checkEnds({ rowStart, columns }: RowLayout, count: number, what: string): void {
  if (rowStart[0] !== 0) throw new InvalidModelError(`rowStart begins with ${rowStart[0]}, not with 0`);
  const end = rowStart[rowStart.length - 1];
  if (end === columns.length && columns.length === count) return;
  throw new InvalidModelError(
    `rowStart ends with ${end}, but there are ${columns.length} columns and ${count} ${what}; the three must agree`,
  );
}

function nameOf({ rowGroupStart }: RowLayout, state: number, row: number): string {
  return rowGroupStart ? `choice ${row - rowGroupStart[state]} of state ${state}` : `state ${state}`;
}

function emptyRow(model: RowLayout, state: number, row: number, mayBeUnknown: boolean): InvalidModelError {
  const way = mayBeUnknown ? ', or list it in `unknown`' : '';
  return new InvalidModelError(
    `${nameOf(model, state, row)} has no transitions; give it a self-loop with probability 1${way}`,
    { state, rowSum: 0 },
  );
}

function columnProblem(columns: Uint32Array, i: number, start: number, states: number): string | undefined {
  if (columns[i] >= states) return `leads to state ${columns[i]}, but the states are 0..${states - 1}`;
  if (i === start || columns[i] > columns[i - 1]) return undefined;
  return columns[i] === columns[i - 1]
    ? 'occurs twice; add the two probabilities up'
    : `comes after the one to ${columns[i - 1]}; columns must ascend within a row`;
}

function wrongTransition(where: string, column: number, problem: string, state: number): InvalidModelError {
  return new InvalidModelError(`${where}: its transition to ${column} ${problem}`, { state });
}
