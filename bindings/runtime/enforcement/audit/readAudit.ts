import { InvalidDataError } from '../../../base/errors.js';
import type { RunRecord } from '../record.js';
import { auditLines } from './auditLines.js';
import { ChainCheck, type ChainFault, describeFault } from './chainCheck.js';
import { type AuditEntry, portableSha256, type Sha256 } from './entry.js';

/**
 * Reads the entries of an audit file and checks each against the ones before. A last line torn by a crash was never acknowledged and is left out.
 *
 * @throws InvalidDataError at the first line that was altered, or is not in its place
 */
export async function* readAudit(
  chunks: AsyncIterable<Uint8Array>,
  {
    sha256 = portableSha256,
    onTorn,
  }: {
    readonly sha256?: Sha256;
    /** Called with the fault of a torn last line. */
    readonly onTorn?: (fault: ChainFault) => void;
  } = {},
): AsyncGenerator<AuditEntry> {
  const check = new ChainCheck(sha256);
  for await (const line of auditLines(chunks)) {
    const fault = check.take(line);
    if (fault?.kind === 'torn') {
      onTorn?.(fault);
      return;
    }
    if (fault !== null)
      throw new InvalidDataError(`the audit file does not hold what was written: ${describeFault(fault)}`);
    yield JSON.parse(line.text as string) as AuditEntry;
  }
}

/**
 * Returns the records of one run in order, for example to resume it; empty if there is no such run.
 * @throws InvalidDataError as `readAudit`
 */
export async function readRun(
  chunks: AsyncIterable<Uint8Array>,
  run: string,
  options?: { readonly sha256?: Sha256 },
): Promise<RunRecord[]> {
  const records: RunRecord[] = [];
  for await (const { record } of readAudit(chunks, options))
    if (record.kind !== 'header' && record.kind !== 'repair' && record.run === run) records.push(record);
  return records;
}
