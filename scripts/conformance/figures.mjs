/** Sums of counts and medians of times by folder, of what tests tell beside their outcome. */
export class Figures {
  #folders = new Map();
  #columns = new Set();

  add(folder, { counts = {}, times = {} }) {
    if (!this.#folders.has(folder)) this.#folders.set(folder, new Map());
    const cells = this.#folders.get(folder);
    for (const [name, count] of Object.entries(counts)) cells.set(name, (cells.get(name) ?? 0) + count);
    for (const [name, time] of Object.entries(times)) cells.set(name, [...(cells.get(name) ?? []), time]);
    for (const name of [...Object.keys(counts), ...Object.keys(times)]) this.#columns.add(name);
  }

  /** A row of texts for each folder, after one of titles; none if nothing was told. */
  rows() {
    if (this.#columns.size === 0) return [];
    const body = [...this.#folders]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([folder, cells]) => [folder, ...[...this.#columns].map((name) => shown(cells.get(name)))]);
    return [['folder', ...this.#columns], ...body];
  }
}

function shown(cell) {
  if (cell === undefined) return '';
  return Array.isArray(cell) ? median(cell).toFixed(1) : String(cell);
}

function median(values) {
  return values.toSorted((a, b) => a - b)[values.length >> 1];
}
