/** A stream whose first bytes are known. `all` yields every byte, including these, and can be read once. */
export interface Peeked {
  readonly start: Uint8Array;
  readonly all: AsyncGenerator<Uint8Array>;
}

/** Reads the first `bytes` bytes of `chunks`, or fewer if it ends earlier. */
export async function peek(chunks: AsyncIterable<Uint8Array>, bytes: number): Promise<Peeked> {
  const iterator = chunks[Symbol.asyncIterator]();
  const seen = new Uint8Array(bytes);
  let length = 0;
  let rest: Uint8Array | undefined;
  while (rest === undefined) {
    const { value, done } = await iterator.next();
    if (done === true) break;
    const taken = Math.min(value.length, bytes - length);
    seen.set(value.subarray(0, taken), length);
    length += taken;
    if (length === bytes) rest = value.subarray(taken);
  }
  const start = seen.subarray(0, length);
  return { start, all: replay(start, rest, iterator) };
}

async function* replay(
  start: Uint8Array,
  rest: Uint8Array | undefined,
  iterator: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    yield start;
    if (rest === undefined) return;
    yield rest;
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value;
  } finally {
    // Closes the file if the consumer stops early.
    await iterator.return?.();
  }
}
