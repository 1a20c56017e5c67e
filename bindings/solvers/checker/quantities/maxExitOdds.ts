import type { Model } from '../../model/index.js';

/**
 * The largest quotient of the probabilities of leaving and of staying in a state, over all rows that may stay, at least 1. It
 * bounds the relative error of staying in units of that of moving, because staying is 1 minus the moves. Nothing is known for
 * intervals.
 */
export function maxExitOdds(model: Model): number {
  if (!('values' in model)) return 1;
  const { rowStart, columns, values } = model;
  const groups = 'rowGroupStart' in model ? model.rowGroupStart : undefined;
  let largest = 1;
  for (let s = 0; s < model.states; s++) {
    const end = groups ? groups[s + 1] : s + 1;
    for (let row = groups ? groups[s] : s; row < end; row++) {
      let exit = 0;
      let stays = false;
      for (let e = rowStart[row]; e < rowStart[row + 1]; e++) {
        if (columns[e] === s) stays = true;
        else exit += values[e];
      }
      if (stays && exit > 0) largest = Math.max(largest, exit / Math.max(0, 1 - exit));
    }
  }
  return largest;
}
