/** What the tests came to: a line for each failure as it happens, and a table by folder at the end. */

export class Report {
  #folders = new Map();
  #unsupported = new Map();
  #close = 0;

  add({ job, name, outcome, detail }, print = console.log) {
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
    const widths = header.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i].length)));
    const line = (row) =>
      row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join('  ');
    const reasons = [...this.#unsupported].sort(([, a], [, b]) => b - a);
    const { passed, failed, unsupported, skipped } = this.totals;
    return [
      '',
      line(header),
      ...rows.map(line),
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

/** Reasons are counted together where they differ in places and names only. */
function reasonOf(detail) {
  return detail.replace(/^[^:\s]+:\d+:\d+: /, '').replace(/^\S+ is a ctmc/, 'it is a ctmc');
}
