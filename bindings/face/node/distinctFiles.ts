import { createHash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import { InvalidArgumentError } from '../../base/errors.js';

interface Given {
  readonly path: string;
  readonly stats: BigIntStats;
  readonly isPacked: boolean;
}

/**
 * Refuses recordings that are given twice: their runs would count twice, as if they were independent, and bounds would be narrower than the
 * data support. Files are the same if they are one file, or equal byte for byte once unpacked (gzip); only files of equal size are compared.
 * Equal runs within files are allowed, because an agent may do the same twice. Paths that are not regular files, are empty or cannot be found are left to the
 * reader.
 *
 * @throws InvalidArgumentError, naming both
 */
export async function requireDistinctFiles(paths: readonly string[]): Promise<void> {
  const bySize = new Map<bigint, Given[]>();
  for (const path of paths) {
    const stats = await stat(path, { bigint: true }).catch(() => undefined);
    if (stats === undefined || !stats.isFile() || stats.size === 0n) continue;
    const { isPacked, size } = await unpackedSize(path, stats.size);
    const alike = bySize.get(size);
    const same = alike?.find(({ stats: other }) => other.ino === stats.ino && other.dev === stats.dev);
    if (same !== undefined) throw givenTwice(path, same.path);
    if (alike === undefined) bySize.set(size, [{ path, stats, isPacked }]);
    else alike.push({ path, stats, isPacked });
  }
  for (const alike of bySize.values()) if (alike.length > 1) await requireOtherContent(alike);
}

async function requireOtherContent(files: readonly Given[]): Promise<void> {
  const byContent = new Map<string, string>();
  for (const { path, isPacked } of files) {
    const content = await digest(path, isPacked);
    const same = byContent.get(content);
    if (same !== undefined) {
      throw new InvalidArgumentError(
        `${path} is ${same} again, byte for byte: its runs would count twice, though bounds need runs that are independent; leave one of them out. If these are other runs that were the same, give each an id of its own, or put them into one file`,
      );
    }
    byContent.set(content, path);
  }
}

function givenTwice(path: string, other: string): InvalidArgumentError {
  const found = path === other ? `${path} is given twice` : `${path} and ${other} are the same file`;
  return new InvalidArgumentError(
    `${found}: its runs would count twice, though bounds need runs that are independent; give it once`,
  );
}

/** The size that a gzip file unpacks to, by its last four bytes (RFC 1952, for files of one member); of other files their own. Modulo 2^32. */
async function unpackedSize(path: string, size: bigint): Promise<{ isPacked: boolean; size: bigint }> {
  const file = await open(path).catch(() => undefined);
  if (file === undefined) return { isPacked: false, size };
  try {
    const bytes = Buffer.alloc(4);
    await file.read(bytes, 0, 2, 0);
    const isPacked = size >= 18n && bytes[0] === 0x1f && bytes[1] === 0x8b;
    if (isPacked) await file.read(bytes, 0, 4, Number(size) - 4);
    return { isPacked, size: isPacked ? BigInt(bytes.readUInt32LE(0)) : BigInt.asUintN(32, size) };
  } finally {
    await file.close();
  }
}

/** The digest of the unpacked content; of a file that cannot be unpacked, which the reader reports, of its bytes. */
async function digest(path: string, isPacked: boolean): Promise<string> {
  const hash = createHash('sha256');
  const bytes = createReadStream(path);
  const content = isPacked ? bytes.pipe(createGunzip()) : bytes;
  try {
    for await (const chunk of content) hash.update(chunk);
  } catch (error) {
    if (isPacked) return digest(path, false);
    throw error;
  }
  return hash.digest('hex');
}
