import { createHash, randomUUID } from 'node:crypto';
import { link, mkdir, open, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { InvalidArgumentError } from '../../base/errors.js';
import type { ResultEntry, ResultStore } from '../../proofs/execution/index.js';
import { type RunRecord, type RunStore, recordsOf } from '../../runtime/enforcement/index.js';
import { flushFolder } from './flushFolder.js';

/**
 * Keeps the records of runs in a folder that the processes of one machine share: a folder a run, a file a record. A record is flushed to the disk before it
 * counts. The folder is created for its owner alone if it is missing.
 *
 * @throws InvalidArgumentError (rejects) if the folder cannot be created
 */
export async function openRunFolder(folder: string): Promise<RunStore> {
  return openFolder<RunRecord>(folder);
}

/**
 * Keeps the results of runs of plans in a folder, in files as `openRunFolder` does; use another folder than that of the records.
 *
 * @throws InvalidArgumentError (rejects) if the folder cannot be created
 */
export async function openResultFolder(folder: string): Promise<ResultStore> {
  return openFolder<ResultEntry>(folder);
}

/** Files read at a time: systems limit how many a process has open, and a run may have more records than that. */
const OPEN_AT_ONCE = 64;

/** What is kept of runs, by position. */
interface Folder<T> {
  read(run: string): Promise<readonly T[]>;
  add(run: string, position: number, record: T): Promise<boolean>;
}

async function openFolder<T>(folder: string): Promise<Folder<T>> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw new InvalidArgumentError(`cannot keep runs in ${folder}: ${(cause as Error).message}`, { cause });
  }
  const folderOf = (run: string): string =>
    join(folder, createHash('sha256').update(JSON.stringify(run)).digest('hex'));
  return {
    async read(run) {
      const own = folderOf(run);
      const names = (await namesIn(own)).filter((name) => /^\d{8,}\.json$/.test(name)).sort(byNumber);
      const rows: { position: number; record: string }[] = [];
      for (let from = 0; from < names.length; from += OPEN_AT_ONCE) {
        const read = names.slice(from, from + OPEN_AT_ONCE).map(async (name) => ({
          position: numberOf(name),
          record: await readFile(join(own, name), 'utf8'),
        }));
        for (const row of await Promise.all(read)) rows.push(row);
      }
      return recordsOf<T>(run, rows);
    },
    async add(run, position, record) {
      const own = folderOf(run);
      if ((await mkdir(own, { recursive: true, mode: 0o700 })) !== undefined) await flushFolder(folder);
      return addFile(own, `${String(position).padStart(8, '0')}.json`, JSON.stringify(record));
    },
  };
}

/** Writes a file that does not exist yet, whole or not at all; returns false if it exists. */
async function addFile(folder: string, name: string, content: string): Promise<boolean> {
  const temporary = join(folder, `.${randomUUID()}.tmp`);
  try {
    const file = await open(temporary, 'wx', 0o600);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await link(temporary, join(folder, name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(temporary, { force: true });
  }
  await flushFolder(folder);
  return true;
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

const numberOf = (name: string): number => Number.parseInt(name, 10);
const byNumber = (one: string, other: string): number => numberOf(one) - numberOf(other);
