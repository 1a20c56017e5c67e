import { ROW_SUM_TOLERANCE, SMALLEST_PROBABILITY } from '../invalidModel.js';
import { Status } from '../status.js';
import type { Csr } from '../types.js';

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
export function findFault({ rowStart, columns, values }: Csr): { status: Status; state: number } | undefined {
  const states = rowStart.length - 1;
  if (rowStart[0] !== 0) return { status: Status.RowStart, state: 0 };
  for (let state = 0; state < states; state++) {
    const [start, end] = [rowStart[state], rowStart[state + 1]];
    if (end < start || end > columns.length) return { status: Status.RowStart, state };
    if (start === end) return { status: Status.EmptyRow, state };
    let sum = 0;
    for (let e = start; e < end; e++) {
      if (columns[e] >= states) return { status: Status.ColumnRange, state };
      if (e > start && columns[e] <= columns[e - 1]) return { status: Status.ColumnOrder, state };
      if (!(values[e] >= SMALLEST_PROBABILITY && values[e] <= 1))
        return { status: Status.Probability, state };
      sum += values[e];
    }
    if (!(Math.abs(sum - 1) <= ROW_SUM_TOLERANCE)) return { status: Status.RowSum, state };
  }
  return rowStart[states] === columns.length ? undefined : { status: Status.RowStart, state: states - 1 };
}

export function prepare(matrix: Csr): ReferenceChain {
  const states = matrix.rowStart.length - 1;
  const rowStart = new Uint32Array(states + 1);
  const columns: number[] = [];
  const values: number[] = [];
  const exit = new Float64Array(states);
  const stay = new Float64Array(states);
  const predecessors = Array.from({ length: states }, (): number[] => []);
  for (let s = 0; s < states; s++) {
    const leaving: number[] = [];
    for (let e = matrix.rowStart[s]; e < matrix.rowStart[s + 1]; e++) {
      const t = matrix.columns[e];
      if (t === s) continue;
      columns.push(t);
      values.push(matrix.values[e]);
      leaving.push(matrix.values[e]);
      predecessors[t].push(s);
    }
    rowStart[s + 1] = columns.length;
    const { sum, error, exact } = sumInTwoDoubles(leaving);
    exit[s] = sum + error;
    stay[s] = Math.max(0, 1 - sum - error + (exact ? 0 : stayError(leaving.length)));
  }
  return {
    states,
    rowStart,
    columns: Uint32Array.from(columns),
    values: Float64Array.from(values),
    exit,
    stay,
    predecessors,
  };
}

/** A sum and what its roundings lost (Knuth's two-sum); exact if nothing was lost. */
function sumInTwoDoubles(terms: readonly number[]): { sum: number; error: number; exact: boolean } {
  let [sum, error, exact] = [0, 0, true];
  for (const term of terms) {
    const total = sum + term;
    const added = total - sum;
    const lost = sum - (total - added) + (term - added);
    if (lost !== 0) exact = false;
    error += lost;
    sum = total;
  }
  return { sum, error, exact };
}
