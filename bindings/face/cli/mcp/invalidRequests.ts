import { Transform } from 'node:stream';
import {
  answerToNone,
  errorResponse,
  INVALID_REQUEST,
  type McpMessage,
  messageOf,
  PARSE_ERROR,
} from '../../../runtime/adapters/mcp/index.js';

const LINE_FEED = 10;
const EXPECTED = 'expected {"jsonrpc": "2.0", "id": …, "method": text, "params": an object or nothing}';

/**
 * Removes the lines that are not valid messages of the protocol, and answers them with an error as JSON-RPC 2.0 has it: the sender may wait for an answer, but
 * the SDK drops such a line silently.
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

/** The error response to a line that is no valid message; null if it is one, is blank, or is a response, which gets none. */
function errorOf(line: Buffer, isMessage: (value: unknown) => boolean): McpMessage | null {
  const text = line.toString('utf8');
  if (text.trim() === '') return null;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return answerToNone(PARSE_ERROR, `this is not JSON: ${messageOf(error)}; ${EXPECTED}, on one line`);
  }
  return isMessage(value) ? null : invalidRequest(value);
}

/** The error response to JSON that is no valid message; null if it is a response, which gets none. */
export function invalidRequest(value: unknown): McpMessage | null {
  if (Array.isArray(value))
    return answerToNone(
      INVALID_REQUEST,
      value.length === 0
        ? 'an empty batch asks for nothing'
        : 'the version of the protocol that this connection has agreed on has no batches: send each message alone',
    );
  const { id, method, result, error } = (value ?? {}) as Readonly<Record<string, unknown>>;
  const hasId = typeof id === 'string' || typeof id === 'number';
  if (hasId && method === undefined && (result !== undefined || error !== undefined)) return null;
  const why = `this is not a request: ${EXPECTED} and no more`;
  return hasId ? errorResponse(id, INVALID_REQUEST, why) : answerToNone(INVALID_REQUEST, why);
}
