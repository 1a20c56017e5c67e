import type { Mdp, Model } from '../../model/index.js';

/** A decision process with the states of a model, in which every possible transition is a choice of its own. */
export function transitionChoices(model: Model): Mdp {
  const { states, initial, labels, rowStart, columns } = model;
  const rowGroupStart = 'rowGroupStart' in model ? model.rowGroupStart : undefined;
  const starts = new Uint32Array(states + 1);
  for (let s = 0; s <= states; s++) starts[s] = rowStart[rowGroupStart ? rowGroupStart[s] : s];
  return {
    type: 'mdp',
    states,
    initial,
    labels,
    rowGroupStart: starts,
    rowStart: Uint32Array.from({ length: columns.length + 1 }, (_, e) => e),
    columns,
    values: new Float64Array(columns.length).fill(1),
  };
}
