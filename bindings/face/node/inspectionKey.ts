import { randomBytes } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { InvalidArgumentError } from '../../base/errors.js';

/** The environment variable that holds the key of inspections if no file is named. */
export const INSPECTIONS_KEY = 'FOREGUARD_INSPECTIONS_KEY';

/** The source of the key of inspections; default: the variable `FOREGUARD_INSPECTIONS_KEY`. */
export interface InspectionKeySource {
  /** The key itself. */
  readonly key?: string | Uint8Array;
  /** A file that contains the key and nothing else. */
  readonly keyFile?: string;
}

/**
 * Creates a key in a new file, readable by its owner alone: 256 random bits, in hexadecimal.
 * @throws InvalidArgumentError (rejects) if the file exists, or cannot be written
 */
export async function createInspectionKey(path: string): Promise<void> {
  try {
    await writeFile(path, `${randomBytes(32).toString('hex')}\n`, { flag: 'wx', mode: 0o600 });
  } catch (cause) {
    const exists = (cause as NodeJS.ErrnoException).code === 'EEXIST';
    throw new InvalidArgumentError(
      exists
        ? `${path} is there already; a key is never written over`
        : `cannot write a key: ${(cause as Error).message}`,
      { cause },
    );
  }
}

/**
 * Reads the key of inspections from its source.
 * @param onNote called with a warning if others can read the file
 * @throws InvalidArgumentError (rejects) if there is no key
 */
export async function readInspectionKey(
  { key, keyFile }: InspectionKeySource,
  onNote: (text: string) => void = () => undefined,
): Promise<string | Uint8Array> {
  if (key !== undefined) return key;
  if (keyFile === undefined) {
    const found = process.env[INSPECTIONS_KEY]?.trim();
    if (found) return found;
    throw new InvalidArgumentError(
      `inspections need a key, or anyone who can write to their folder approves calls: make one by foreguard inspections key FILE, outside of what the agent and its tools can read, and name the file, or give the key in the variable ${INSPECTIONS_KEY}`,
    );
  }
  try {
    const { mode } = await stat(keyFile);
    if (process.platform !== 'win32' && (mode & 0o077) !== 0)
      onNote(`the key of inspections, ${keyFile}, can be read by others than its owner; chmod 600 it`);
    return (await readFile(keyFile, 'utf8')).trim();
  } catch (cause) {
    throw new InvalidArgumentError(`cannot read the key of inspections: ${(cause as Error).message}`, {
      cause,
    });
  }
}
