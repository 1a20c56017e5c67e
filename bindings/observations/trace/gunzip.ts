import { InvalidDataError } from '../../base/errors.js';
import { peek } from './peek.js';

/**
 * Passes `chunks` on, decompressed if they begin with gzip's magic bytes.
 *
 * @throws InvalidDataError, naming `source`, if gzip data is damaged or ends early.
 */
export async function* gunzipped(
  chunks: AsyncIterable<Uint8Array>,
  source: string,
): AsyncGenerator<Uint8Array> {
  const { start, all } = await peek(chunks, 2);
  if (start[0] !== 0x1f || start[1] !== 0x8b) {
    yield* all;
    return;
  }
  const { readable, writable } = new DecompressionStream('gzip');
  const reader: ReadableStreamDefaultReader<Uint8Array> = readable.getReader();
  const feeding = feed(all, writable.getWriter());
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      yield value;
    }
  } catch (cause) {
    const failure = await feeding;
    if (failure !== undefined) throw failure.error;
    throw new InvalidDataError(`${source}: the gzip data is damaged or ends early; compress the file again`, {
      cause,
    });
  } finally {
    await reader.cancel().catch(() => undefined);
    await feeding;
  }
}

/** Writes all chunks; returns the error of `chunks` itself, if `chunks` failed. */
async function feed(
  chunks: AsyncIterable<Uint8Array>,
  writer: WritableStreamDefaultWriter<Uint8Array<ArrayBuffer>>,
): Promise<{ error: unknown } | undefined> {
  let reading = true;
  try {
    for await (const chunk of chunks) {
      reading = false;
      await writer.write(chunk as Uint8Array<ArrayBuffer>);
      reading = true;
    }
    reading = false;
    await writer.close();
    return undefined;
  } catch (error) {
    await writer.abort(error).catch(() => undefined);
    return reading ? { error } : undefined;
  }
}
