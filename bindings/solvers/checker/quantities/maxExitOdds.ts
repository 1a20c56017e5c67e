import type { Model } from '../../model/index.js';

/**
 * The largest quotient of the probability to leave a state and that to stay, over all rows that may stay, at least 1: how many times
 * as large the relative error of staying is as that of moving, as it is what the moves leave of 1. Of intervals nothing is known.
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
