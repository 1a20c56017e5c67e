import { ROW_SUM_TOLERANCE, SMALLEST_PROBABILITY } from './invalidModel.js';
import { Status } from './status.js';

/** Whether entries `start` (included) to `end` (excluded) are a probability distribution over `states` states. */
export function rowStatus(
  columns: Uint32Array,
  values: Float64Array,
  start: number,
  end: number,
  states: number,
): Status {
  if (start === end) return Status.EmptyRow;
  let sum = 0;
  for (let e = start; e < end; e++) {
    if (columns[e] >= states) return Status.ColumnRange;
    if (e > start && columns[e] <= columns[e - 1]) return Status.ColumnOrder;
    if (!(values[e] >= SMALLEST_PROBABILITY && values[e] <= 1)) return Status.Probability;
    sum += values[e];
  }
  return Math.abs(sum - 1) <= ROW_SUM_TOLERANCE ? Status.Ok : Status.RowSum;
}
