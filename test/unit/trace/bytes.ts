/** `text` as UTF-8 in chunks of `sizes` bytes in turn, the last size for the rest. */
export async function* chunked(
  text: string | Uint8Array,
  sizes: readonly number[] = [1 << 20],
): AsyncGenerator<Uint8Array> {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  for (let from = 0, i = 0; from < bytes.length; i++) {
    const size = sizes[Math.min(i, sizes.length - 1)];
    yield bytes.subarray(from, from + size);
    from += size;
  }
}

/** All items of all batches. */
export async function collect<T>(batches: AsyncIterable<readonly T[]>): Promise<T[]> {
  const all: T[] = [];
  for await (const batch of batches) all.push(...batch);
  return all;
}
