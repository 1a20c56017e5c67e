import { InvalidModelError, NotSupportedError } from '../errors.js';

/** Whether bytes begin as gzip does. */
export function isGzip(bytes: Uint8Array): boolean {
  return startsWith(bytes, [0x1f, 0x8b, 0x08]);
}

/** Whether bytes begin as xz does. */
export function isXz(bytes: Uint8Array): boolean {
  return startsWith(bytes, [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]);
}

/**
 * The bytes of a file, unpacked if they are compressed with gzip.
 *
 * @throws InvalidModelError if gzip data are damaged; NotSupportedError for xz, with the command that unpacks it
 */
export async function unpack(bytes: Uint8Array, source: string): Promise<Uint8Array> {
  if (isXz(bytes)) {
    const unpacked = source.endsWith('.xz') ? source.slice(0, -3) : `unpacked-${baseName(source)}`;
    throw new NotSupportedError(
      `${source} is compressed with xz; unpack it first: xz -dc ${source} > ${unpacked}`,
    );
  }
  return isGzip(bytes) ? gunzip(bytes, source) : bytes;
}

/** Compresses with gzip; the header holds no time, so the same bytes give the same result. */
export async function gzip(bytes: Uint8Array): Promise<Uint8Array> {
  return through(bytes, new CompressionStream('gzip'));
}

/** @throws InvalidModelError if the data are cut off or their checksum is wrong */
export async function gunzip(bytes: Uint8Array, source: string): Promise<Uint8Array> {
  try {
    return await through(bytes, new DecompressionStream('gzip'));
  } catch (cause) {
    throw new InvalidModelError(`${source}: its gzip data are damaged or cut off`, { cause });
  }
}

async function through(
  bytes: Uint8Array,
  stream: CompressionStream | DecompressionStream,
): Promise<Uint8Array> {
  const output = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream().pipeThrough(stream);
  return new Uint8Array(await new Response(output).arrayBuffer());
}

function baseName(path: string): string {
  return path.slice(1 + Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')));
}

function startsWith(bytes: Uint8Array, magic: readonly number[]): boolean {
  return magic.every((byte, i) => bytes[i] === byte);
}
