import { createHash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { InvalidArgumentError } from '../../base/errors.js';
import { nodeStorage } from './nodeStorage.js';

interface Given {
  readonly path: string;
  readonly stats: BigIntStats;
}

/**
 * Refuses recordings that are given twice: their runs would count twice, as if they were independent, and bounds would be narrower than the
 * data support. Files are the same if they are one file, or equal byte for byte; only files of equal size are compared. Equal runs within
 * files are allowed, because an agent may do the same twice. Paths that are not regular files, are empty or cannot be found are left to the
 * reader.
 *
 * @throws InvalidArgumentError, naming both
 */
export async function requireDistinctFiles(paths: readonly string[]): Promise<void> {
  const bySize = new Map<bigint, Given[]>();
  for (const path of paths) {
    const stats = await stat(path, { bigint: true }).catch(() => undefined);
    if (stats === undefined || !stats.isFile() || stats.size === 0n) continue;
    const alike = bySize.get(stats.size);
    const same = alike?.find(({ stats: other }) => other.ino === stats.ino && other.dev === stats.dev);
    if (same !== undefined) throw givenTwice(path, same.path);
    if (alike === undefined) bySize.set(stats.size, [{ path, stats }]);
    else alike.push({ path, stats });
  }
  for (const alike of bySize.values()) if (alike.length > 1) await requireOtherContent(alike);
}

async function requireOtherContent(files: readonly Given[]): Promise<void> {
  const byContent = new Map<string, string>();
  for (const { path } of files) {
    const content = await digest(path);
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

async function digest(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of nodeStorage.read(path)) hash.update(chunk);
  return hash.digest('hex');
}
