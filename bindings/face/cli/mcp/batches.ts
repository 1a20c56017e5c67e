import { Transform } from 'node:stream';

const LINE_FEED = 10;
const OPENING_BRACKET = 91;

/**
 * Splits each batch in lines of JSON, that is a line with an array, into one line per message: the protocol of 2025-03-26 has batches, but
 * the SDK does not read them from a stream.
 *
 * @param maxBytes maximal size of a line; a longer line is passed on unchanged, and the reader refuses it
 * @param areAllowed whether there are batches; where not, their lines are passed on unchanged
 */
export function splitBatches(maxBytes: number, areAllowed: () => boolean = () => true): Transform {
  let batch: Buffer[] | null = null;
  let size = 0;
  let atStart = true;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      for (let from = 0; from < chunk.length; ) {
        const end = chunk.indexOf(LINE_FEED, from);
        const line = chunk.subarray(from, end === -1 ? chunk.length : end + 1);
        if (atStart && line[0] === OPENING_BRACKET && areAllowed()) [batch, size] = [[], 0];
        if (batch === null) this.push(line);
        else {
          batch.push(line);
          size += line.length;
          if (end !== -1 || size > maxBytes) {
            this.push(unpacked(Buffer.concat(batch)));
            batch = null;
          }
        }
        atStart = end !== -1;
        from += line.length;
      }
      done();
    },
  });
}

/** Whether a version of the protocol has batches: those before 2025-06-18 have, and none is agreed on yet where it is undefined. */
export function hasBatches(version: string | undefined): boolean {
  return version === undefined || version < '2025-06-18';
}

/** Invalid lines are passed on, and the reader of messages refuses them. */
function unpacked(line: Buffer): Buffer | string {
  try {
    const messages: unknown[] = JSON.parse(line.toString('utf8'));
    return messages.length === 0 ? line : messages.map((message) => `${JSON.stringify(message)}\n`).join('');
  } catch {
    return line;
  }
}
