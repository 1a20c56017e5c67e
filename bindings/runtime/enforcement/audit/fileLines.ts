/** A line of a file with its exact bytes, so that no byte can change unnoticed. */
export interface FileLine {
  /** Without its line break; null if it is not UTF-8, or longer than `MAX_LINE_BYTES`. */
  readonly text: string | null;
  readonly bytes: number;
  /** Whether a line break follows. */
  readonly ended: boolean;
}

/** Far longer than any record: a longer line is skipped, not kept. */
export const MAX_LINE_BYTES = 1 << 26;

const NEWLINE = 10;

/** Reads the lines of a file, one at a time in memory; any text after the last line break is a line too. */
export async function* readFileLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<FileLine> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let parts: Uint8Array[] = [];
  let bytes = 0;
  const keep = (part: Uint8Array): void => {
    bytes += part.length;
    if (bytes > MAX_LINE_BYTES) parts = [];
    else if (part.length > 0) parts.push(part);
  };
  const take = (ended: boolean): FileLine => {
    const line = { text: bytes > MAX_LINE_BYTES ? null : decode(decoder, parts, bytes), bytes, ended };
    parts = [];
    bytes = 0;
    return line;
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      keep(chunk.subarray(start, end));
      yield take(true);
      start = end + 1;
    }
    // Copy the bytes, which `slice` of Node's buffers does not: the caller may reuse the chunk's memory.
    keep(new Uint8Array(chunk.subarray(start)));
  }
  if (bytes > 0) yield take(false);
}

function decode(decoder: TextDecoder, parts: readonly Uint8Array[], bytes: number): string | null {
  try {
    return decoder.decode(parts.length === 1 ? parts[0] : joined(parts, bytes));
  } catch {
    return null;
  }
}

function joined(parts: readonly Uint8Array[], bytes: number): Uint8Array {
  const all = new Uint8Array(bytes);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
