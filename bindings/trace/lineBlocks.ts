/** A line that cannot become text. It stands for exactly one line, so that whoever counts lines goes on counting. */
export interface UnreadableLine {
  readonly reason: 'too long' | 'not UTF-8';
  /** Bytes of the line, without its line break. */
  readonly bytes: number;
}

/**
 * Bytes decoded and handed on at once. Large enough that the cost per block vanishes, small enough that what is parsed from
 * it dies in the young generation.
 */
const BLOCK_BYTES = 1 << 16;
const NEWLINE = 10;

/**
 * Cuts a stream of bytes into blocks of whole lines, in constant memory: a block holds one or more lines separated by `\n`,
 * without the last `\n`. Decoding and cutting many lines at once is several times cheaper than line by line.
 *
 * @param chunks bytes of UTF-8 in chunks of any size, cut anywhere. A byte order mark at the start is dropped.
 * @param maxLineBytes a longer line is not kept but passed over and reported as one UnreadableLine.
 */
export async function* readLineBlocks(
  chunks: AsyncIterable<Uint8Array>,
  maxLineBytes: number,
): AsyncGenerator<string | UnreadableLine> {
  const pending = new PendingLine(maxLineBytes);
  // No line inside a window can be too long; only `pending`, which spans windows, has to watch the limit.
  const windowBytes = Math.min(BLOCK_BYTES, maxLineBytes);
  let first = true;
  for await (const chunk of chunks) {
    for (let from = 0; from < chunk.length; from += windowBytes) {
      const window = chunk.subarray(from, from + windowBytes);
      let start = 0;
      if (pending.bytes > 0) {
        const end = window.indexOf(NEWLINE);
        pending.append(end < 0 ? window : window.subarray(0, end));
        if (end < 0) continue;
        start = end + 1;
        yield* decode(pending.take(), first);
        first = false;
      }
      const last = window.lastIndexOf(NEWLINE);
      if (last >= start) {
        yield* decode(window.subarray(start, last), first);
        first = false;
      }
      pending.append(window.subarray(Math.max(start, last + 1)));
    }
  }
  if (pending.bytes > 0) yield* decode(pending.take(), first);
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function* decode(block: Uint8Array | UnreadableLine, first: boolean): Generator<string | UnreadableLine> {
  if (!(block instanceof Uint8Array)) {
    yield block;
    return;
  }
  let text: string;
  try {
    text = decoder.decode(block);
  } catch {
    // One bad byte must not take its neighbours with it: line by line.
    let end = block.indexOf(NEWLINE);
    if (end < 0) yield { reason: 'not UTF-8', bytes: block.length };
    else {
      for (let start = 0; start <= block.length; start = end + 1, end = block.indexOf(NEWLINE, start)) {
        if (end < 0) end = block.length;
        yield* decode(block.subarray(start, end), first && start === 0);
      }
    }
    return;
  }
  yield first && text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

/** The bytes of a line whose end has not been seen yet, in a buffer that doubles, so that tiny chunks cost no more. */
class PendingLine {
  /** Bytes seen of the line, kept or not. */
  bytes = 0;
  #buffer = new Uint8Array(0);
  readonly #maxBytes: number;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  append(part: Uint8Array): void {
    const start = this.bytes;
    this.bytes += part.length;
    if (this.bytes > this.#maxBytes) {
      this.#buffer = new Uint8Array(0);
      return;
    }
    if (this.bytes > this.#buffer.length) {
      const grown = new Uint8Array(Math.max(this.bytes, Math.min(2 * this.#buffer.length, this.#maxBytes)));
      grown.set(this.#buffer.subarray(0, start));
      this.#buffer = grown;
    }
    this.#buffer.set(part, start);
  }

  /** The line, valid until the next append, which starts a new one. */
  take(): Uint8Array | UnreadableLine {
    const bytes = this.bytes;
    this.bytes = 0;
    return bytes > this.#maxBytes ? { reason: 'too long', bytes } : this.#buffer.subarray(0, bytes);
  }
}
