/** Seeded MDPs for benchmarks, as compressed sparse rows with row groups. */

import { randomNumbers } from './chains.mjs';

/**
 * One to `choices` choices a state with about `degree` successors each, mostly nearby, in blocks of 50 states that are left
 * forward only; some choices only wander inside a block, where one could stay for ever. The last two states absorb.
 */
export function randomMdp(states, choices, degree, seed) {
  const random = randomNumbers(seed);
  const rowGroupStart = [0];
  const rowStart = [0];
  const columns = [];
  const values = [];
  const addRow = (successors) => {
    const weights = [...new Set(successors)].sort((a, b) => a - b).map((t) => [t, 0.05 + random()]);
    const total = weights.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [t, weight] of weights) {
      columns.push(t);
      values.push(weight / total);
    }
    rowStart.push(columns.length);
  };
  for (let s = 0; s < states; s++) {
    if (s >= states - 2) {
      addRow([s]);
    } else {
      const block = s - (s % 50);
      const last = states - 3;
      const own = 1 + Math.floor(random() * choices);
      for (let choice = 0; choice < own; choice++) {
        const inside = random() < 0.2;
        const successors = [];
        for (let i = 0; i < degree; i++) {
          if (!inside && random() < 0.1) successors.push(states - 1 - Math.floor(random() * 2));
          const reach = inside ? 50 : 100;
          successors.push(Math.min(last, block + Math.floor(random() * reach)));
        }
        addRow(successors);
      }
    }
    rowGroupStart.push(rowStart.length - 1);
  }
  return {
    rowGroupStart: Uint32Array.from(rowGroupStart),
    rowStart: Uint32Array.from(rowStart),
    columns: Uint32Array.from(columns),
    values: Float64Array.from(values),
  };
}
