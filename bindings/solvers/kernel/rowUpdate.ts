import { InvalidArgumentError, InvalidModelError } from '../../base/errors.js';
import { checkArrays } from './arrays.js';
import { checkLengths, invalidModel } from './invalidModel.js';
import { rowStatus } from './rowStatus.js';
import { checkSets } from './sets.js';
import { Status } from './status.js';
import type { AddedStates, Csr, RowUpdate } from './types/index.js';

/** Refuses rows that a model of `states` states cannot take, before anything is changed. */
export function checkRows(update: RowUpdate, states: number): void {
  const { rows, rowStart } = update;
  checkArrays({ rows, rowStart }, 'Uint32Array');
  if (rowStart.length !== rows.length + 1) {
    throw new InvalidArgumentError(
      `rows names ${rows.length} states, but rowStart has ${rowStart.length} entries: it has one more`,
    );
  }
  for (let i = 0; i < rows.length; i++) {
    if (i > 0 && rows[i] <= rows[i - 1]) {
      throw new InvalidArgumentError(
        `rows names state ${rows[i]} after ${rows[i - 1]}: states ascend strictly`,
      );
    }
    if (rows[i] >= states) {
      throw new InvalidArgumentError(`rows names state ${rows[i]}, but states are 0 to ${states - 1}`);
    }
  }
  checkMatrix(update, states, (row) => rows[row]);
}

/** Refuses states that cannot be added to `before` others. */
export function checkAdded(added: AddedStates, before: number): void {
  const { remain, target, rowStart } = added;
  checkArrays({ rowStart }, 'Uint32Array');
  const count = Math.max(0, rowStart.length - 1);
  checkSets({ remain, target }, count, 'the addition');
  checkMatrix(added, before + count, (row) => before + row);
}

/** Refuses rows that are not distributions over `states` states; row i is that of state `stateOf(i)`. */
function checkMatrix(matrix: Csr, states: number, stateOf: (row: number) => number): void {
  const { rowStart, columns, values } = matrix;
  const rows = rowStart.length - 1;
  if (rows > 0) checkLengths(matrix);
  else if (rowStart[0] !== 0 || columns.length > 0 || values.length > 0) {
    throw new InvalidModelError(
      `rowStart is [${rowStart}] beside ${columns.length} columns and ${values.length} values: without rows it is [0], and there are no entries`,
    );
  }
  const refuse = (status: Status, row: number): never => {
    throw invalidModel(matrix, status, stateOf(row), { row, states });
  };
  if (rowStart[0] !== 0) refuse(Status.RowStart, 0);
  for (let row = 0; row < rows; row++) {
    const [start, end] = [rowStart[row], rowStart[row + 1]];
    if (end < start || end > columns.length) refuse(Status.RowStart, row);
    const status = rowStatus(columns, values, start, end, states);
    if (status !== Status.Ok) refuse(status, row);
  }
  if (rowStart[rows] !== columns.length) refuse(Status.RowStart, rows - 1);
}
