import { expect } from 'vitest';
import { replayAudit } from '../../../bindings/enforcement/audit/index.js';
import type { RunRecord } from '../../../bindings/enforcement/index.js';
import type { GuardFile } from '../../../bindings/guard/index.js';

/** Expects that deciding again on the records of a log comes to the same, and returns how many decisions there are. */
export async function expectReplayed(records: readonly RunRecord[], file: GuardFile): Promise<number> {
  async function* entries() {
    for (const [sequence, record] of records.entries())
      yield { sequence, record: JSON.parse(JSON.stringify(record)), previous: '', hash: '' };
  }
  const { difference, decisions } = await replayAudit(entries() as never, file);
  expect(difference).toBeNull();
  return decisions;
}
