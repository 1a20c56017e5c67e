/** Lines of a table with aligned columns; `numeric` columns to the right. The last column is not padded. */
export function table(columns, rows) {
  const widths = columns.map(({ name }, c) => Math.max(name.length, ...rows.map((row) => row[c].length)));
  const line = (cells) =>
    cells
      .map((cell, c) => (columns[c].numeric ? cell.padStart(widths[c]) : cell.padEnd(widths[c])))
      .join('  ')
      .trimEnd();
  const rule = widths.map((width) => '─'.repeat(width)).join('  ');
  return [line(columns.map(({ name }) => name)), rule, ...rows.map(line)].join('\n');
}

export const text = (name) => ({ name, numeric: false });
export const number = (name) => ({ name, numeric: true });

export const percent = (rate) => `${(100 * rate).toFixed(1)}%`;
export const interval = ({ confidenceLower, confidenceUpper }) =>
  `${(100 * confidenceLower).toFixed(1)} – ${(100 * confidenceUpper).toFixed(1)}%`;

/** One line on a terminal's standard error that is overwritten; nothing where there is no terminal. */
export function progress(message) {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[2K${message}`);
}

/** Cut to a width, so that no line of a table wraps. */
export const shortened = (string, width) =>
  string.length <= width ? string : `${string.slice(0, width - 1)}…`;
