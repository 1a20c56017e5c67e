import { InvalidModelError, NotSupportedError } from '../../base/errors.js';

/** Whether bytes begin as gzip does. */
export function isGzip(bytes: Uint8Array): boolean {
  return startsWith(bytes, [0x1f, 0x8b, 0x08]);
}

/** Whether bytes begin as xz does. */
export function isXz(bytes: Uint8Array): boolean {
  return startsWith(bytes, [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]);
}

/** The limit of unpacked bytes, 2 GiB, because a few megabytes can unpack to more than any memory holds. */
const MAX_UNPACKED_BYTES = 2 ** 31;

/**
 * Returns the bytes of a file, unpacked if they are compressed with gzip.
 *
 * @param maxBytes the limit of unpacked bytes. Default 2 GiB
 * @throws InvalidModelError if gzip data are damaged; NotSupportedError for xz, with the command that unpacks it, and for more
 * than `maxBytes`
 */
export async function unpack(
  bytes: Uint8Array,
  source: string,
  maxBytes = MAX_UNPACKED_BYTES,
): Promise<Uint8Array> {
  if (isXz(bytes)) {
    const unpacked = source.endsWith('.xz') ? source.slice(0, -3) : `unpacked-${baseName(source)}`;
    throw new NotSupportedError(
      `${source} is compressed with xz; unpack it first: xz -dc ${source} > ${unpacked}`,
    );
  }
  return isGzip(bytes) ? gunzip(bytes, source, maxBytes) : bytes;
}

/** Compresses with gzip; the header holds no time, so the same bytes give the same result. */
export async function gzip(bytes: Uint8Array): Promise<Uint8Array> {
  return through(bytes, new CompressionStream('gzip'));
}

async function gunzip(bytes: Uint8Array, source: string, maxBytes: number): Promise<Uint8Array> {
  let size = 0;
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      size += chunk.length;
      if (size > maxBytes) controller.error(new RangeError(`more than ${maxBytes} bytes`));
      else controller.enqueue(chunk);
    },
  });
  try {
    return await through(bytes, new DecompressionStream('gzip'), limit);
  } catch (cause) {
    if (size <= maxBytes) {
      throw new InvalidModelError(`${source}: its gzip data are damaged or cut off`, { cause });
    }
    throw new NotSupportedError(
      `${source}: its ${bytes.length} bytes unpack to more than ${maxBytes}; if it is to be so large, unpack it first with gzip -d`,
    );
  }
}

async function through(
  bytes: Uint8Array,
  ...streams: readonly { readonly readable: ReadableStream; readonly writable: WritableStream }[]
): Promise<Uint8Array> {
  const input: ReadableStream = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream();
  const output = streams.reduce((stream, next) => stream.pipeThrough(next), input);
  return new Uint8Array(await new Response(output).arrayBuffer());
}

function baseName(path: string): string {
  return path.slice(1 + Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')));
}

function startsWith(bytes: Uint8Array, magic: readonly number[]): boolean {
  return magic.every((byte, i) => bytes[i] === byte);
}
