import { fail, fields, index, list, listOf, number, oneOf, type Path } from './checks.js';
import type { GuardFile } from './guardFile.js';
import { DRIFT_POLICIES } from './strategy.js';

/** Checks the drift data of a guard file. */
export function checkDrift(file: GuardFile): void {
  const states = file.states.draws.length;
  const transitions = file.seen.columns.length;
  const drift = fields(file.drift, 'drift');
  const rate = number(drift.falseAlarmRate, 'drift.falseAlarmRate');
  if (!(rate > 0 && rate < 1)) fail('drift.falseAlarmRate', rate, 'a probability above 0 and below 1');
  oneOf(drift.onDrift, 'drift.onDrift', DRIFT_POLICIES);
  const start = fields(drift.start, 'drift.start');
  const columns = list(start.columns, 'drift.start.columns');
  columns.forEach((column, i) => {
    if (index(column, 'drift.start.columns', states, i) <= ((columns[i - 1] as number) ?? -1))
      fail(`drift.start.columns[${i}]`, column, `more than ${columns[i - 1]}: columns ascend`);
  });
  const most = Number.MAX_SAFE_INTEGER;
  const counts = (value: unknown, path: Path, length: number, why: string): void =>
    listOf(value, path, length, why).forEach((count, i) => {
      if (index(count, path, most, i) === 0) fail(`${path}[${i}]`, count, 'a count from 1 up');
    });
  counts(start.counts, 'drift.start.counts', columns.length, 'one for each column');
  counts(drift.counts, 'drift.counts', transitions, 'one for each of seen.columns');
  listOf(drift.drawsSinceNew, 'drift.drawsSinceNew', states + 1, 'one more than states').forEach((n, i) => {
    index(n, 'drift.drawsSinceNew', most, i);
  });
}
