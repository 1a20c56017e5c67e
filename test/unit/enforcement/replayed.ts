import { expect } from 'vitest';
import { replayAudit } from '../../../bindings/runtime/enforcement/audit/index.js';
import type { RunRecord } from '../../../bindings/runtime/enforcement/index.js';
import type { GuardFile } from '../../../bindings/runtime/guard/index.js';

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
