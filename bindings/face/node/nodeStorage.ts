import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { InvalidArgumentError } from '../../base/errors.js';
import type { Storage } from '../../base/storage/index.js';
import { flushFolder } from './flushFolder.js';

const CHUNK_BYTES = 1 << 20;

/**
 * Storage in the local file system. Reading gives chunks of 1 MiB. Writing goes to a temporary file beside the target, which is flushed and
 * renamed over it; then the folder is flushed. A crash therefore leaves the old file or the new one. A symbolic link is followed, and the
 * file it points to is replaced. A target that is not a regular file (`/dev/stdout`) is written directly.
 *
 * @throws InvalidArgumentError naming the path if it cannot be read or written.
 */
export const nodeStorage: Storage = {
  async *read(path: string): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES }))
        yield chunk as Uint8Array;
    } catch (cause) {
      throw fileError('read', path, cause);
    }
  },

  async write(path: string, content: Uint8Array | string): Promise<void> {
    try {
      const existing = await stat(path).catch(() => undefined);
      if (existing === undefined) await replace(path, content, 0o666);
      else if (existing.isFile()) await replace(await realpath(path), content, existing.mode);
      else await writeFile(path, content);
    } catch (cause) {
      throw fileError('write', path, cause);
    }
  },
};

async function replace(path: string, content: Uint8Array | string, mode: number): Promise<void> {
  const temporary = join(dirname(path), `.${randomUUID()}.tmp`);
  try {
    const file = await open(temporary, 'wx', mode);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await flushFolder(dirname(path));
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EACCES: 'permission denied',
  EISDIR: 'it is a folder',
  ENOTDIR: 'part of the path is not a folder',
  ENOSPC: 'the disk is full',
};

function fileError(verb: string, path: string, cause: unknown): unknown {
  const code = (cause as NodeJS.ErrnoException).code;
  // Errors of the consumer of the chunks pass through here, too.
  if (code === undefined || !(cause instanceof Error) || !('syscall' in cause)) return cause;
  return new InvalidArgumentError(`cannot ${verb} ${path}: ${REASONS[code] ?? cause.message}`, { cause });
}
