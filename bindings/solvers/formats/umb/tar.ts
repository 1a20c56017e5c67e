import { InvalidModelError } from '../../../base/errors.js';

/** Name and content of one file in a tar archive. */
export type TarEntry = readonly [name: string, content: Uint8Array];

const BLOCK = 512;
const CHECKSUM_AT = 148;
const MAGIC_AT = 257;
const utf8 = new TextEncoder();
const text = new TextDecoder();

/** Whether bytes begin as a POSIX tar archive does: `ustar` at offset 257. */
export function isTar(bytes: Uint8Array): boolean {
  return field(bytes, MAGIC_AT, 5) === 'ustar';
}

/**
 * Reads the files of a POSIX tar archive, in order; folders and links are skipped, and a leading `.//` or `/` is dropped. Long
 * names are read in the formats of POSIX (pax) and GNU tar.
 *
 * @throws InvalidModelError if a header's checksum is wrong, a file reaches past the end, or the end is missing
 */
export function readTar(bytes: Uint8Array, source: string): TarEntry[] {
  const entries: TarEntry[] = [];
  let longName: string | undefined;
  for (let at = 0; ; ) {
    if (at + BLOCK > bytes.length) {
      throw new InvalidModelError(
        `${source}: truncated: a tar header, or the empty block that ends the archive, needs ${BLOCK} bytes at byte ${at}, ${Math.max(0, bytes.length - at)} are left`,
      );
    }
    const header = bytes.subarray(at, at + BLOCK);
    if (header.every((byte) => byte === 0)) return entries;
    checkHeader(header, at, source);
    const name = longName ?? headerName(header);
    const size = octal(header, 124, 12);
    at += BLOCK;
    if (size === undefined || at + size > bytes.length) {
      throw new InvalidModelError(
        `${source}: truncated: ${name} has ${size ?? 'an unreadable number of'} bytes by its tar header, ${bytes.length - at} are left`,
      );
    }
    const content = bytes.subarray(at, at + size);
    at += Math.ceil(size / BLOCK) * BLOCK;
    const type = String.fromCharCode(header[156] || 0x30);
    longName = undefined;
    if (type === 'x') longName = paxPath(text.decode(content));
    else if (type === 'L') longName = field(content, 0, size);
    else if (type === '0' || type === '7') entries.push([name.replace(/^(\.?\/)+/, ''), content]);
  }
}

/** Writes files as a POSIX tar archive. Owner, rights and times are fixed: the same files give the same bytes. */
export function writeTar(entries: readonly TarEntry[]): Uint8Array {
  const size = entries.reduce((sum, [, content]) => sum + BLOCK + padded(content.length), 0);
  // Two empty blocks end an archive.
  const bytes = new Uint8Array(size + 2 * BLOCK);
  let at = 0;
  for (const [name, content] of entries) {
    const header = bytes.subarray(at, at + BLOCK);
    header.set(nameField(name));
    const fields: [number, string][] = [
      [100, '0000644\0'],
      [108, '0000000\0'],
      [116, '0000000\0'],
      [124, `${content.length.toString(8).padStart(11, '0')}\0`],
      [136, `${'0'.repeat(11)}\0`],
      [156, '0'],
      [MAGIC_AT, 'ustar\x0000'],
    ];
    for (const [offset, value] of fields) header.set(utf8.encode(value), offset);
    header.set(utf8.encode(`${checksum(header).toString(8).padStart(6, '0')}\0 `), CHECKSUM_AT);
    bytes.set(content, at + BLOCK);
    at += BLOCK + padded(content.length);
  }
  return bytes;
}

function padded(size: number): number {
  return Math.ceil(size / BLOCK) * BLOCK;
}

function nameField(name: string): Uint8Array {
  const bytes = utf8.encode(name);
  if (bytes.length > 100) throw new InvalidModelError(`the file name ${name} is longer than tar's 100 bytes`);
  return bytes;
}

function checkHeader(header: Uint8Array, at: number, source: string): void {
  if (!isTar(header)) {
    throw new InvalidModelError(
      `${source}: no tar header at byte ${at}; the archive is damaged or no tar archive`,
    );
  }
  const stored = octal(header, CHECKSUM_AT, 8);
  const computed = checksum(header);
  if (stored !== computed) {
    throw new InvalidModelError(
      `${source}: the tar header at byte ${at} (${headerName(header)}) has checksum ${stored}, its bytes give ${computed}; the file is damaged`,
    );
  }
}

/** The sum of a header's bytes, its own field read as spaces. */
function checksum(header: Uint8Array): number {
  let sum = 0;
  for (let i = 0; i < BLOCK; i++) sum += i >= CHECKSUM_AT && i < CHECKSUM_AT + 8 ? 0x20 : header[i];
  return sum;
}

function headerName(header: Uint8Array): string {
  const prefix = field(header, 345, 155);
  const name = field(header, 0, 100);
  return prefix === '' ? name : `${prefix}/${name}`;
}

/** Text up to the first zero byte. */
function field(bytes: Uint8Array, offset: number, length: number): string {
  const raw = bytes.subarray(offset, offset + length);
  const end = raw.indexOf(0);
  return text.decode(end < 0 ? raw : raw.subarray(0, end));
}

function octal(bytes: Uint8Array, offset: number, length: number): number | undefined {
  const digits = field(bytes, offset, length).trim();
  return /^[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : undefined;
}

/** Records are `length key=value\n`. */
function paxPath(records: string): string | undefined {
  return /^\d+ path=(.*)$/m.exec(records)?.[1];
}
