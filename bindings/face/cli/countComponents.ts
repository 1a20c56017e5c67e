import type { Model } from '../../solvers/model/index.js';

/**
 * Counts the strongly connected components of a model's graph, in which every possible transition of every choice is an edge. The time is
 * linear in the transitions.
 *
 * @see Tarjan 1972, doi:10.1137/0201010, with an explicit stack
 */
export function countComponents(model: Model): number {
  const { states, rowStart, columns } = model;
  const groups = 'rowGroupStart' in model ? model.rowGroupStart : undefined;
  const possible = 'upper' in model ? model.upper : undefined;
  // Rows of a state are adjacent, and so are all its transitions.
  const first = (state: number): number => rowStart[groups ? groups[state] : state];
  /** The discovery time of each state, from 1; 0 if not found. */
  const found = new Uint32Array(states);
  const lowest = new Uint32Array(states);
  const closed = new Uint8Array(states);
  const next = new Uint32Array(states);
  const path = new Uint32Array(states);
  const open = new Uint32Array(states);
  let [clock, opened, components] = [0, 0, 0];
  for (let root = 0; root < states; root++) {
    if (found[root] !== 0) continue;
    let depth = 0;
    const enter = (state: number): void => {
      found[state] = lowest[state] = ++clock;
      next[state] = first(state);
      path[depth++] = state;
      open[opened++] = state;
    };
    enter(root);
    while (depth > 0) {
      const state = path[depth - 1];
      if (next[state] < first(state + 1)) {
        const e = next[state]++;
        const target = columns[e];
        if (possible?.[e] === 0 || closed[target]) continue;
        if (found[target] === 0) enter(target);
        else if (found[target] < lowest[state]) lowest[state] = found[target];
        continue;
      }
      depth--;
      if (depth > 0 && lowest[state] < lowest[path[depth - 1]]) lowest[path[depth - 1]] = lowest[state];
      if (lowest[state] !== found[state]) continue;
      components++;
      do closed[open[--opened]] = 1;
      while (open[opened] !== state);
    }
  }
  return components;
}
