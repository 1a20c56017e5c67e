import { createMdp, type Mdp, NO_ACTION } from '../../../solvers/model/index.js';
import { readLearntMdp } from '../learntView.js';

/**
 * The process of an agent that may not take some of the actions that it was recorded with: the rows of the others, each with its outcomes, and their shares among
 * what is left of the state. Such an agent picks anew what it is refused, as it picks in that state, and nothing happens meanwhile.
 *
 * In a state of which no row is left the run ends: its one row is without an action, and leads to the end.
 *
 * @param forbidden rows of the model, none of them of doing nothing, of `start` or of `end`
 * @returns a process with the same states, in the layout of `readLearntMdp`; the model itself if nothing is forbidden
 * @throws InvalidModelError as `readLearntMdp`
 */
export function withoutPairs(mdp: Mdp, forbidden: ReadonlySet<number>): Mdp {
  if (forbidden.size === 0) return mdp;
  const { model, stateOf, rowDraws, draws, end } = readLearntMdp(mdp);
  const { rowGroupStart, rowStart } = model;
  const left = new Float64Array(model.states);
  for (let row = 0; row < stateOf.length; row++) if (!forbidden.has(row)) left[stateOf[row]] += rowDraws[row];
  // Rows and branches of the new model, by those of the old one; -1 for the row in which a run ends, and its branch.
  const rows: number[] = [];
  const branches: number[] = [];
  const starts = { group: [0], row: [0] };
  const owners: number[] = [];
  for (let s = 0; s < model.states; s++) {
    const first = rows.length;
    for (let row = rowGroupStart[s]; row < rowGroupStart[s + 1]; row++) {
      if (forbidden.has(row)) continue;
      rows.push(row);
      for (let i = rowStart[row]; i < rowStart[row + 1]; i++) branches.push(i);
      starts.row.push(branches.length);
    }
    if (rows.length === first) {
      rows.push(-1);
      branches.push(-1);
      starts.row.push(branches.length);
    }
    while (owners.length < rows.length) owners.push(s);
    starts.group.push(rows.length);
  }
  const ofRows = (values: ArrayLike<number>, atEnd: (s: number) => number): Float64Array =>
    Float64Array.from(rows, (row, i) => (row < 0 ? atEnd(owners[i]) : values[row]));
  const ofBranches = (values: ArrayLike<number>, atEnd: number): Float64Array =>
    Float64Array.from(branches, (i) => (i < 0 ? atEnd : values[i]));
  const policy = Float64Array.from(rows, (row, i) => shareOf(row, owners[i]));
  function shareOf(row: number, s: number): number {
    if (row < 0 || draws[s] === 0) return 1;
    return rowDraws[row] / left[s];
  }
  return createMdp({
    ...model,
    rowGroupStart: Uint32Array.from(starts.group),
    rowStart: Uint32Array.from(starts.row),
    columns: Uint32Array.from(ofBranches(model.columns, end)),
    values: ofBranches(model.values, 1),
    annotations: (model.annotations ?? []).map((one) => {
      if (one.appliesTo === 'states') return one;
      if (one.name === 'policy') return { ...one, values: policy };
      if (one.appliesTo === 'branches') return { ...one, values: ofBranches(one.values, 0) };
      return { ...one, values: ofRows(one.values, (s) => (one.name === 'draws' ? draws[s] : 0)) };
    }),
    ...(model.actions && {
      actions: {
        names: model.actions.names,
        ofRow: Uint32Array.from(rows, (row) => (row < 0 ? NO_ACTION : model.actions!.ofRow[row])),
      },
    }),
  });
}
