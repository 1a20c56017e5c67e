import { Transform } from 'node:stream';
import { errorResponse, INVALID_REQUEST, type McpMessage } from '../../../runtime/adapters/mcp/index.js';

const LINE_FEED = 10;

/**
 * Removes from lines of JSON the requests with an id that are not valid messages of the protocol, and answers them with an error: the
 * sender waits for an answer, but the SDK drops such a request silently.
 *
 * @param isMessage whether a value is a message of the protocol
 * @param refuse sends the error
 * @param maxBytes maximal size of a line; a longer line is passed on unchanged, and the reader refuses it
 */
export function refuseInvalid(
  isMessage: (value: unknown) => boolean,
  refuse: (error: McpMessage) => void,
  maxBytes: number,
): Transform {
  let line: Buffer[] = [];
  let size = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      for (let from = 0; from < chunk.length; ) {
        const end = chunk.indexOf(LINE_FEED, from);
        const part = chunk.subarray(from, end === -1 ? chunk.length : end + 1);
        from += part.length;
        line.push(part);
        size += part.length;
        if (end === -1 && size <= maxBytes) continue;
        const whole = Buffer.concat(line);
        const error = end === -1 || size > maxBytes ? null : errorOf(whole, isMessage);
        if (error === null) this.push(whole);
        else refuse(error);
        [line, size] = [[], end === -1 ? maxBytes : 0];
      }
      done();
    },
    flush(done) {
      if (line.length > 0) this.push(Buffer.concat(line));
      done();
    },
  });
}

/** The error response to an invalid request; null if the line is valid, or its sender expects no answer. */
function errorOf(line: Buffer, isMessage: (value: unknown) => boolean): McpMessage | null {
  let value: unknown;
  try {
    value = JSON.parse(line.toString('utf8'));
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null || isMessage(value)) return null;
  const { id, method, result, error } = value as Readonly<Record<string, unknown>>;
  if (typeof id !== 'string' && typeof id !== 'number') return null;
  // A response gets no response.
  if (method === undefined && (result !== undefined || error !== undefined)) return null;
  const expected =
    'expected {"jsonrpc": "2.0", "id": …, "method": text, "params": an object or nothing} and no more';
  return errorResponse(id, INVALID_REQUEST, `this is not a request: ${expected}`);
}
