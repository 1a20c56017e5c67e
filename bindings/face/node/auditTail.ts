import type { FileHandle } from 'node:fs/promises';
import { InvalidArgumentError, InvalidDataError } from '../../base/errors.js';
import {
  ChainCheck,
  type ChainHead,
  describeFault,
  headBefore,
  NO_LINES,
  readFileLines,
  type Sha256,
} from '../../runtime/enforcement/audit/index.js';
import { readBytes } from './readBytes.js';

const WINDOW_BYTES = 1 << 20;
const NEWLINE = 10;

/** The end of an audit file. */
export interface AuditTail {
  /** Head of the chain over its whole lines. */
  readonly head: ChainHead;
  /** Size of its whole lines in bytes. */
  readonly size: number;
  /** The bytes after the last line break. */
  readonly torn: Uint8Array;
}

/**
 * Reads the end of an audit file, and checks its lines and the header.
 * @throws InvalidArgumentError if it is not an audit file; InvalidDataError if its end was altered
 */
export async function readTail(path: string, file: FileHandle, sha256: Sha256): Promise<AuditTail> {
  const stat = await file.stat();
  if (!stat.isFile())
    throw new InvalidArgumentError(`${path} is not a regular file; expected one to append to`);
  const { bytes, from, start, end } = await readWindow(file, stat.size);
  if (from === 0) requireBeginning(path, bytes);
  else requireBeginning(path, await readBytes(file, 0, BEGINNING.length));
  const check = await followLines(path, bytes.subarray(start, end), from === 0, sha256);
  return { head: check.head, size: from + end, torn: bytes.subarray(end) };
}

/** Reads the last bytes of a file, from `start` to `end`, with at least one whole line if there is any. */
async function readWindow(
  file: FileHandle,
  size: number,
): Promise<{ bytes: Uint8Array; from: number; start: number; end: number }> {
  for (let length = WINDOW_BYTES; ; length *= 4) {
    const from = Math.max(0, size - length);
    const bytes = await readBytes(file, from, size - from);
    const start = from === 0 ? 0 : bytes.indexOf(NEWLINE) + 1;
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    if (from === 0 || start < end) return { bytes, from, start, end };
  }
}

const BEGINNING = new TextEncoder().encode('{"hash":"');

/** Refuses to cut off as torn what does not begin like an audit line, such as a user's notes. A power failure may leave zeros. */
function requireBeginning(path: string, bytes: Uint8Array): void {
  const begins = bytes.subarray(0, BEGINNING.length).every((byte, i) => byte === BEGINNING[i]);
  if (begins || bytes.every((byte) => byte === 0)) return;
  throw new InvalidArgumentError(
    `${path} does not begin as an audit file does; give the name of one, or of a new file`,
  );
}

async function followLines(
  path: string,
  bytes: Uint8Array,
  whole: boolean,
  sha256: Sha256,
): Promise<ChainCheck> {
  const chunks = (async function* () {
    yield bytes;
  })();
  let check = whole ? new ChainCheck(sha256, NO_LINES) : null;
  for await (const line of readFileLines(chunks)) {
    check ??= new ChainCheck(sha256, headBefore(line.text ?? '') ?? NO_LINES);
    const fault = check.take(line);
    if (fault === null) continue;
    throw new InvalidDataError(
      `${path} cannot be continued, because its end is not what was written: ${describeFault(fault)}; see foreguard audit verify ${path}, keep the file, and begin a new one`,
    );
  }
  return check ?? new ChainCheck(sha256);
}
