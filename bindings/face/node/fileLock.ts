import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { InvalidArgumentError } from '../../base/errors.js';

/** The holder of a lock. */
interface Holder {
  readonly token: string;
  readonly process: number;
  readonly host: string;
  /** Start of the process in milliseconds since 1970, because process numbers are reused, in containers all the time. */
  readonly started: number;
}

/** Tolerance for adjustments of the clock; no process starts, ends, and starts again with the same number within this time. */
const SAME_START_MS = 2000;

/**
 * Takes a lock that lasts at most as long as this process: a file that names its holder. A lock whose holder has ended on this machine is
 * taken over; the state of a holder on another machine is unknown.
 *
 * @returns a function that releases the lock
 * @throws InvalidArgumentError if another process holds it, naming the process
 */
export async function takeLock(path: string, what: string): Promise<() => Promise<void>> {
  const started = Date.now() - process.uptime() * 1000;
  const own: Holder = { token: randomUUID(), process: process.pid, host: hostname(), started };
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      await place(path, own);
      held.add(own.token);
      return async () => {
        held.delete(own.token);
        if ((await holderOf(path))?.token === own.token) await rm(path, { force: true });
      };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const holder = await holderOf(path);
    if (holder === undefined) continue;
    if (holder === null || !hasEnded(holder, own)) throw lockedBy(holder, path, what);
    await discard(path, holder);
  }
  throw lockedBy(null, path, what);
}

/** What file systems without hard links say. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EINVAL', 'EMLINK']);

/**
 * Makes the lock with its content at once: a process that is killed between the two would leave a lock that names nobody, which nobody could take over.
 * @throws an error of code EEXIST if there is a lock
 */
async function place(path: string, own: Holder): Promise<void> {
  const created = { flag: 'wx', mode: 0o600 };
  const aside = `${path}.${own.token}`;
  try {
    await writeFile(aside, JSON.stringify(own), created);
    await link(aside, path);
  } catch (error) {
    if (!NO_LINKS.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
    await writeFile(path, JSON.stringify(own), created);
  } finally {
    await rm(aside, { force: true });
  }
}

/** Undefined: the lock has disappeared meanwhile; null: the file does not name its holder. */
async function holderOf(path: string): Promise<Holder | null | undefined> {
  try {
    const holder = JSON.parse(await readFile(path, 'utf8')) as Partial<Holder> | null;
    return typeof holder?.token === 'string' && typeof holder.process === 'number'
      ? (holder as Holder)
      : null;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : null;
  }
}

/** Tokens of the locks that this thread holds; they identify them whatever happens to the clock. */
const held = new Set<string>();

function hasEnded({ token, process: number, host, started }: Holder, own: Holder): boolean {
  if (host !== own.host || held.has(token)) return false;
  if (number === own.process) return Math.abs(started - own.started) > SAME_START_MS;
  try {
    process.kill(number, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/** Moves a lock away and checks what was moved, because another process may have been faster, and hold it again. */
async function discard(path: string, { token }: Holder): Promise<void> {
  const aside = `${path}.${randomUUID()}`;
  try {
    await rename(path, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  if ((await holderOf(aside))?.token === token) await rm(aside, { force: true });
  else await rename(aside, path);
}

function lockedBy(holder: Holder | null, path: string, what: string): InvalidArgumentError {
  const who = holder === null ? 'another program' : `process ${holder.process} on ${holder.host}`;
  return new InvalidArgumentError(
    `${what} is held by ${who}, and has one writer at a time; end that one, use another file, or, where it is gone for sure, remove ${path}`,
  );
}
