import { rowStatus } from '../../../bindings/solvers/kernel/rowStatus.js';
import { Status } from '../../../bindings/solvers/kernel/status.js';
import type { Csr } from '../../../bindings/solvers/kernel/types/index.js';
import { sumInTwoDoubles } from './sumInTwoDoubles.js';

/**
 * A chain by what leaves each state: off-diagonal entries, their sum `exit`, and `stay`, an upper bound of 1 - exit that is
 * too large by less than 2 * `stayError`. The diagonal entries given are not used: exits define them.
 */
export interface ReferenceChain extends Csr {
  readonly states: number;
  readonly exit: Float64Array;
  readonly stay: Float64Array;
  readonly predecessors: readonly (readonly number[])[];
}

/** How far 1 - exit may be off for a row of `entries` entries. */
export function stayError(entries: number): number {
  return (entries * entries + 1) * 2 ** -104;
}

/** The first fault in rows of a matrix whose arrays have the right lengths. */
export function findFault(matrix: Csr): { status: Status; state: number } | undefined {
  const { rowStart, columns, values } = matrix;
  const states = rowStart.length - 1;
  if (rowStart[0] !== 0) return { status: Status.RowStart, state: 0 };
  for (let state = 0; state < states; state++) {
    const [start, end] = [rowStart[state], rowStart[state + 1]];
    if (end < start || end > columns.length) return { status: Status.RowStart, state };
    const status = rowStatus(columns, values, start, end, states);
    if (status !== Status.Ok) return { status, state };
  }
  return rowStart[states] === columns.length ? undefined : { status: Status.RowStart, state: states - 1 };
}

export function prepare(matrix: Csr): ReferenceChain {
  const states = matrix.rowStart.length - 1;
  return { states, ...prepareRows(matrix, states, (row) => row) };
}

/** Prepares rows over `states` states, of which row r leaves `stateOf(r)`. Predecessors are rows. */
export function prepareRows(
  matrix: Csr,
  states: number,
  stateOf: (row: number) => number,
): Omit<ReferenceChain, 'states'> {
  const rows = matrix.rowStart.length - 1;
  const rowStart = new Uint32Array(rows + 1);
  const columns: number[] = [];
  const values: number[] = [];
  const exit = new Float64Array(rows);
  const stay = new Float64Array(rows);
  const predecessors = Array.from({ length: states }, (): number[] => []);
  for (let row = 0; row < rows; row++) {
    const s = stateOf(row);
    const leaving: number[] = [];
    for (let e = matrix.rowStart[row]; e < matrix.rowStart[row + 1]; e++) {
      const t = matrix.columns[e];
      if (t === s) continue;
      columns.push(t);
      values.push(matrix.values[e]);
      leaving.push(matrix.values[e]);
      predecessors[t].push(row);
    }
    rowStart[row + 1] = columns.length;
    const { sum, error, exact } = sumInTwoDoubles(leaving);
    exit[row] = sum + error;
    stay[row] = Math.max(0, 1 - sum - error + (exact ? 0 : stayError(leaving.length)));
  }
  return {
    rowStart,
    columns: Uint32Array.from(columns),
    values: Float64Array.from(values),
    exit,
    stay,
    predecessors,
  };
}
