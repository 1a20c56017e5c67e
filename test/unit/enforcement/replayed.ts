import { expect } from 'vitest';
import { type AuditReplay, replayAudit } from '../../../bindings/runtime/enforcement/audit/index.js';
import type { RunRecord } from '../../../bindings/runtime/enforcement/index.js';
import type { GuardFile } from '../../../bindings/runtime/guard/index.js';

/** The first difference when the records of a log are decided again; null if there is none. */
export async function differenceOf(
  records: readonly RunRecord[],
  file: GuardFile,
): Promise<AuditReplay['difference']> {
  return (await replayed(records, file)).difference;
}

/** Expects that deciding again on the records of a log comes to the same, and returns how many decisions there are. */
export async function expectReplayed(records: readonly RunRecord[], file: GuardFile): Promise<number> {
  const { difference, decisions } = await replayed(records, file);
  expect(difference).toBeNull();
  return decisions;
}

function replayed(records: readonly RunRecord[], file: GuardFile): Promise<AuditReplay> {
  async function* entries() {
    for (const [sequence, record] of records.entries())
      yield { sequence, record: JSON.parse(JSON.stringify(record)), previous: '', hash: '' };
  }
  return replayAudit(entries() as never, file);
}
