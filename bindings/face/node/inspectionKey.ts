import { randomBytes } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { InvalidArgumentError } from '../../base/errors.js';

/** The variable of the environment that the key of inspections is read from where no file is named. */
export const INSPECTIONS_KEY = 'FOREGUARD_INSPECTIONS_KEY';

/** Where the key of inspections comes from; default: the variable `FOREGUARD_INSPECTIONS_KEY`. */
export interface InspectionKeySource {
  /** The key itself. */
  readonly key?: string | Uint8Array;
  /** A file that holds it, and nothing else. */
  readonly keyFile?: string;
}

/**
 * Makes a key in a new file, readable by its owner alone: 256 random bits, in hexadecimal.
 * @throws InvalidArgumentError (rejects) where there is such a file, or it cannot be written
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
 * The key of inspections, from where it is said to be.
 * @param onNote told where others can read the file
 * @throws InvalidArgumentError (rejects) where there is none
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
      `inspections need a key, or whoever can write to their folder approves calls: make one by foreguard inspections key FILE, outside of what the agent and its tools can read, and name the file, or give the key in the variable ${INSPECTIONS_KEY}`,
    );
  }
  try {
    const { mode } = await stat(keyFile);
    if (process.platform !== 'win32' && (mode & 0o077) !== 0)
      onNote(`the key of inspections, ${keyFile}, is open to others than its owner; chmod 600 it`);
    return (await readFile(keyFile, 'utf8')).trim();
  } catch (cause) {
    throw new InvalidArgumentError(`cannot read the key of inspections: ${(cause as Error).message}`, {
      cause,
    });
  }
}
