/** What the tests came to: a line for each failure as it happens, and tables by folder at the end. */
import { Figures } from './figures.mjs';

export class Report {
  #folders = new Map();
  #unsupported = new Map();
  #close = 0;
  #figures = new Figures();

  /** A test, or what was found without one: `note` is a line, `counts` and `times` go into a table. */
  add({ job, name, outcome, detail, note, counts, times }, print = console.log) {
    if (note) print(`NOTE ${job.folder}/${job.title}: ${note}`);
    if (counts || times) this.#figures.add(job.folder, { counts, times });
    if (outcome === undefined) return;
    const row = this.#row(job.folder);
    row[outcome === 'close' ? 'passed' : outcome]++;
    if (outcome === 'close') this.#close++;
    if (outcome === 'failed') print(`FAILED ${job.folder}/${job.title}${name ? `: ${name}` : ''}: ${detail}`);
    if (outcome === 'unsupported' || outcome === 'skipped') {
      const key = `${outcome}: ${reasonOf(detail)}`;
      this.#unsupported.set(key, (this.#unsupported.get(key) ?? 0) + 1);
    }
  }

  #row(folder) {
    if (!this.#folders.has(folder)) {
      this.#folders.set(folder, { passed: 0, failed: 0, unsupported: 0, skipped: 0 });
    }
    return this.#folders.get(folder);
  }

  get totals() {
    const totals = { passed: 0, failed: 0, unsupported: 0, skipped: 0 };
    for (const row of this.#folders.values()) for (const key in totals) totals[key] += row[key];
    return totals;
  }

  /** The table, the reasons, and as last line `N passed, N failed, N skipped`. */
  toString() {
    const header = ['folder', 'passed', 'failed', 'unsupported', 'skipped'];
    const rows = [...this.#folders]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([folder, row]) => [folder, ...header.slice(1).map((key) => String(row[key]))]);
    const reasons = [...this.#unsupported].sort(([, a], [, b]) => b - a);
    const { passed, failed, unsupported, skipped } = this.totals;
    return [
      '',
      ...aligned([header, ...rows]),
      '',
      ...aligned(this.#figures.rows()),
      '',
      ...reasons.map(([reason, count]) => `${String(count).padStart(5)}  ${reason}`),
      ...(this.#close > 0
        ? [
            `${this.#close} of those passed are certified to be within 1e-5 of a published decimal, relatively, as PRISM's own tests ask, but not within its last digit`,
          ]
        : []),
      `${passed} passed, ${failed} failed, ${unsupported + skipped} skipped`,
    ].join('\n');
  }
}

/** Rows of texts as lines, each column as wide as its widest cell. */
function aligned(rows) {
  const widths = rows[0]?.map((_, i) => Math.max(...rows.map((row) => row[i].length)));
  return rows.map((row) =>
    row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join('  '),
  );
}

/** Reasons are counted together where they differ in places and names only. */
function reasonOf(detail) {
  return detail.replace(/^[^:\s]+:\d+:\d+: /, '').replace(/^\S+ is a ctmc/, 'it is a ctmc');
}
