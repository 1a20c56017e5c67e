/** A line that cannot be decoded. It stands for exactly one line, so that line counts stay correct. */
export interface UnreadableLine {
  readonly reason: 'too long' | 'not UTF-8';
  /** Bytes of the line, without its line break. */
  readonly bytes: number;
}

/**
 * Bytes decoded and passed on at once: large enough that the cost per block is negligible, small enough that the objects parsed from a
 * block die in the young generation.
 */
const BLOCK_BYTES = 1 << 16;
const NEWLINE = 10;

/**
 * Cuts a stream of bytes into blocks of whole lines, in constant memory: a block holds one or more lines separated by `\n`, without the
 * last `\n`. Decoding many lines at once and searching for line breaks in text are both several times faster than working line by line and
 * in bytes.
 *
 * @param chunks bytes of UTF-8 in chunks of any size, cut anywhere. A byte order mark at the start is dropped.
 * @param maxLineBytes a longer line is skipped and reported as one UnreadableLine; at least 4.
 */
export async function* readLineBlocks(
  chunks: AsyncIterable<Uint8Array>,
  maxLineBytes: number,
): AsyncGenerator<string | UnreadableLine> {
  const cutter = new LineCutter(maxLineBytes);
  // A line within a window cannot be too long; only a line that spans windows must be checked against the limit.
  const windowBytes = Math.min(BLOCK_BYTES, maxLineBytes);
  let carry = new Uint8Array(0);
  for await (const chunk of chunks) {
    const bytes = carry.length === 0 ? chunk : concatenate(carry, chunk);
    let from = 0;
    for (;;) {
      const window = bytes.subarray(from, from + windowBytes);
      const length = wholeCharacters(window);
      if (length === 0) break;
      yield* cutter.feed(window.subarray(0, length));
      from += length;
    }
    // Keep the first part of a character that was cut in two. It is a copy, because the owner of the chunk may reuse its memory (`slice` of a
    // Buffer does not copy).
    carry = new Uint8Array(bytes.subarray(from));
  }
  yield* cutter.end(carry.length);
}

function concatenate(first: Uint8Array, second: Uint8Array): Uint8Array {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

/** Length of `bytes` without an incomplete character at their end. */
function wholeCharacters(bytes: Uint8Array): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back];
    if (byte < 0x80) break;
    if (byte >= 0xc0) {
      const characterBytes = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return characterBytes > back ? bytes.length - back : bytes.length;
    }
  }
  return bytes.length;
}

class LineCutter {
  readonly #maxLineBytes: number;
  readonly #decoder = new Utf8Decoder();
  #first = true;
  /** The line whose end has not been seen yet: its text so far, and its number of bytes. */
  #pending = '';
  #pendingBytes = 0;
  #unreadable: UnreadableLine['reason'] | undefined;

  constructor(maxLineBytes: number) {
    this.#maxLineBytes = maxLineBytes;
  }

  /** The lines that end in `bytes`, whose length is at most the limit. */
  *feed(bytes: Uint8Array): Generator<string | UnreadableLine> {
    const decoded = this.#decoder.decode(bytes);
    if (decoded === undefined) {
      yield* this.#feedBadBytes(bytes);
      return;
    }
    const text = this.#first && decoded.charCodeAt(0) === 0xfeff ? decoded.slice(1) : decoded;
    if (bytes.length > 0) this.#first = false;
    const end = text.indexOf('\n');
    if (end < 0) {
      this.#append(text, bytes.length);
      return;
    }
    // In ASCII a place in the text is a place in the bytes, and searching backwards is faster in bytes.
    const ascii = text.length === bytes.length;
    const lastByte = bytes.lastIndexOf(NEWLINE);
    const last = ascii ? lastByte : text.lastIndexOf('\n');
    let start = 0;
    if (this.#pendingBytes > 0) {
      this.#append(text.slice(0, end), ascii ? end : bytes.indexOf(NEWLINE));
      yield this.#take();
      start = end + 1;
    }
    if (last >= start) yield text.slice(start, last);
    this.#append(text.slice(last + 1), bytes.length - 1 - lastByte);
  }

  /** The last line, which ends in `cutBytes` bytes of an incomplete character. */
  *end(cutBytes: number): Generator<string | UnreadableLine> {
    if (cutBytes > 0) this.#appendBad(cutBytes);
    if (this.#pendingBytes > 0) yield this.#take();
  }

  /** Decodes line by line, so that a bad byte does not spoil the lines around it. */
  *#feedBadBytes(bytes: Uint8Array): Generator<string | UnreadableLine> {
    const end = bytes.indexOf(NEWLINE);
    if (end < 0 || end === bytes.length - 1) {
      this.#first = false;
      this.#appendBad(end < 0 ? bytes.length : end);
      if (end >= 0) yield this.#take();
    } else {
      for (let start = 0; start < bytes.length; ) {
        const lineEnd = bytes.indexOf(NEWLINE, start);
        const next = lineEnd < 0 ? bytes.length : lineEnd + 1;
        yield* this.feed(bytes.subarray(start, next));
        start = next;
      }
    }
  }

  #appendBad(bytes: number): void {
    this.#unreadable ??= 'not UTF-8';
    this.#append('', bytes);
  }

  #append(text: string, bytes: number): void {
    this.#pendingBytes += bytes;
    if (this.#pendingBytes > this.#maxLineBytes) this.#unreadable = 'too long';
    this.#pending = this.#unreadable === undefined ? this.#pending + text : '';
  }

  #take(): string | UnreadableLine {
    const line =
      this.#unreadable === undefined
        ? this.#pending
        : { reason: this.#unreadable, bytes: this.#pendingBytes };
    this.#pending = '';
    this.#pendingBytes = 0;
    this.#unreadable = undefined;
    return line;
  }
}

/**
 * Decodes whole characters. Runtimes on V8 decode ASCII several times faster in one call than as a stream, and other text about twice as
 * fast as a stream, so the previous bytes decide which way is used.
 */
class Utf8Decoder {
  #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  #ascii = true;

  /** The text of `bytes`, or undefined if they are not UTF-8. */
  decode(bytes: Uint8Array): string | undefined {
    // A stream would wait for the rest of a character that a bad byte cut short.
    if (wholeCharacters(bytes) < bytes.length) return undefined;
    try {
      const text = this.#decoder.decode(bytes, { stream: !this.#ascii });
      this.#ascii = text.length === bytes.length;
      return text;
    } catch {
      // The state of a decoder after a fault is not well defined, so replace it.
      this.#decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
      return undefined;
    }
  }
}
