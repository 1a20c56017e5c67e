import { readFile } from 'node:fs/promises';
import { InvalidArgumentError, InvalidDataError } from '../../base/errors.js';
import {
  type ChainHead,
  describeFault,
  type Sha256,
  verifyAudit,
} from '../../runtime/enforcement/audit/index.js';
import { nodeStorage } from './nodeStorage.js';

/** Writes the head of a log to a file of its own: `{"count":4,"hash":"…"}`. The file is replaced as a whole. */
export async function writeHeadFile(path: string, { count, hash }: ChainHead): Promise<void> {
  await nodeStorage.write(path, `${JSON.stringify({ count, hash })}\n`);
}

/**
 * Reads the head that was kept.
 * @returns null if there is no such file
 * @throws InvalidDataError (rejects) if it does not contain a head; InvalidArgumentError if it cannot be read
 */
export async function readHeadFile(path: string): Promise<ChainHead | null> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new InvalidArgumentError(
      `cannot read the head that was kept in ${path}: ${(cause as Error).message}`,
      { cause },
    );
  }
  try {
    const { count, hash } = JSON.parse(text) as Partial<ChainHead>;
    if (
      typeof count === 'number' &&
      Number.isSafeInteger(count) &&
      count > 0 &&
      /^[0-9a-f]{64}$/.test(hash ?? '')
    )
      return { count, hash: hash as string };
  } catch {
    // The file is not JSON.
  }
  throw new InvalidDataError(
    `${path} holds no head of a log; expected {"count": lines, "hash": 64 hexadecimal digits}, as --head-file writes it`,
  );
}

/**
 * Refuses a log that does not contain the kept head: continuing it, and keeping its new head, would hide that its end was cut.
 *
 * @param head the end of the log
 * @throws InvalidDataError (rejects)
 */
export async function requireKept(
  path: string,
  head: ChainHead,
  keptIn: string,
  sha256: Sha256,
): Promise<void> {
  const kept = await readHeadFile(keptIn);
  if (kept === null || (kept.count === head.count && kept.hash === head.hash)) return;
  const { fault } = await verifyAudit(nodeStorage.read(path), { ...kept, sha256 });
  // A last line torn by a crash was never acknowledged.
  if (fault === null || fault.kind === 'torn') return;
  throw new InvalidDataError(
    `${path} does not hold what was kept of it in ${keptIn}: ${describeFault(fault)}; see foreguard audit verify ${path} --head-file ${keptIn}, keep both files, and begin new ones`,
  );
}
