import { fail, index, listOf, type Path } from './checks.js';

/** Compressed rows: `rowStart` ascends from 0 to the number of entries. */
export function checkRows(
  value: unknown,
  path: Path,
  rows: number,
  entries: number,
  checkEntries: (from: number, to: number) => void,
): void {
  const rowStart = listOf(value, path, rows + 1, `one more than ${rows} rows`);
  if (rowStart[0] !== 0) fail(`${path}[0]`, rowStart[0], '0');
  for (let row = 0; row < rows; row++) {
    const from = rowStart[row] as number;
    const to = index(rowStart[row + 1], path, entries + 1, row + 1);
    if (to < from) fail(`${path}[${row + 1}]`, to, `at least ${from}`);
    checkEntries(from, to);
  }
  if (rowStart[rows] !== entries)
    fail(`${path}[${rows}]`, rowStart[rows], `${entries}, the number of columns`);
}
