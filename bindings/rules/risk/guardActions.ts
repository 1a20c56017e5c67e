import { type LearntMdpView, stayingRows } from '../../estimation/learning/index.js';
import { type GuardActions, IDLE } from '../../runtime/guard/index.js';
import type { Specification } from '../specification/index.js';
import { fileState } from './fileNumbers.js';

/**
 * The actions of a guard file, by states and in their order.
 *
 * @param forbidden rows of the process that the specification's policies forbid: their outcomes are there, and they are no way out
 */
export function guardActions(
  { shield, abstraction }: Specification,
  view: LearntMdpView,
  forbidden: ReadonlySet<number> = new Set(),
): GuardActions {
  const { ended, values } = stayingRows(view);
  const { model, actions, rowDraws, draws, start, end } = view;
  const { rowGroupStart, rowStart, columns } = model;
  const names = [...new Set(actions.filter((name) => name !== null))];
  const taken = { rowStart: [0], actions: [] as number[], draws: [] as number[] };
  const outcomes = { rowStart: [0], columns: [] as number[], values: [] as number[] };
  const idleEnds = { pairs: [] as number[], weights: [] as number[] };
  const denied: number[] = [];
  for (let s = start + 1; s < end; s++) {
    const rows: { row: number; action: number }[] = [];
    for (let row = rowGroupStart[s]; draws[s] > 0 && row < rowGroupStart[s + 1]; row++) {
      const name = actions[row];
      rows.push({ row, action: name === null ? IDLE : names.indexOf(name) });
    }
    rows.sort((one, other) => one.action - other.action);
    for (const { row, action } of rows) {
      if (forbidden.has(row)) denied.push(taken.actions.length);
      if (ended[row] > 0) {
        idleEnds.pairs.push(taken.actions.length);
        idleEnds.weights.push(ended[row]);
      }
      taken.actions.push(action);
      taken.draws.push(rowDraws[row]);
      for (let i = rowStart[row]; i < rowStart[row + 1]; i++) {
        // Without smoothing, the end is no outcome of the steps that went on.
        if (ended[row] > 0 && values[i] === 0) continue;
        outcomes.columns.push(fileState(columns[i]));
        outcomes.values.push(values[i]);
      }
      outcomes.rowStart.push(outcomes.columns.length);
    }
    taken.rowStart.push(taken.actions.length);
  }
  const first = columns.subarray(rowStart[start], rowStart[start + 1]);
  return {
    mode: shield,
    names,
    predicates: abstraction.actions ?? {},
    start: {
      columns: Array.from(first, fileState),
      values: Array.from(values.subarray(rowStart[start], rowStart[start + 1])),
    },
    taken,
    outcomes,
    ...(idleEnds.pairs.length > 0 && { idleEnds }),
    ...(denied.length > 0 && { forbidden: denied }),
  };
}
