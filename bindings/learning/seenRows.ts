import { OUTSIDE, type TransitionTable } from './transitionTable.js';

/**
 * Groups the entries of a transition table by source: element r lists those that leave row r, by ascending target, those to
 * `end` last.
 */
export function seenRows({ from, to, size }: TransitionTable, rows: number): readonly Uint32Array[] {
  const rowStart = new Uint32Array(rows + 1);
  for (let entry = 0; entry < size; entry++) rowStart[from[entry] + 1]++;
  for (let row = 0; row < rows; row++) rowStart[row + 1] += rowStart[row];
  const next = rowStart.slice();
  const entries = new Uint32Array(size);
  for (let entry = 0; entry < size; entry++) entries[next[from[entry]]++] = entry;
  const rank = (entry: number): number => (to[entry] === OUTSIDE ? 2 ** 32 : to[entry]);
  return Array.from({ length: rows }, (_, row) =>
    entries.subarray(rowStart[row], rowStart[row + 1]).sort((a, b) => rank(a) - rank(b)),
  );
}
