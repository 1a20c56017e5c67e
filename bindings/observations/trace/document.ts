import { lineLimit, type ReadOptions, TraceFault } from './reader.js';

/**
 * Reads a file that is one document as a whole; `maxLineBytes` limits its length.
 *
 * @returns the text, or a fault if it is not UTF-8 or too long.
 */
export async function readDocument(
  chunks: AsyncIterable<Uint8Array>,
  options: ReadOptions,
): Promise<string | TraceFault> {
  const maxBytes = lineLimit(options);
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let bytes = 0;
  let text = '';
  try {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (bytes > maxBytes) break;
      text += decoder.decode(chunk, { stream: true });
    }
    if (bytes <= maxBytes) return text + decoder.decode();
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    return new TraceFault('the file is not UTF-8; convert it', {
      reason: 'malformed',
      expected: 'UTF-8',
      cause,
    });
  }
  return new TraceFault(
    `the file has more than ${maxBytes} bytes; cut it into several, or raise maxLineBytes`,
    {
      reason: 'too-long',
    },
  );
}
