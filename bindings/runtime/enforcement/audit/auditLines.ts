import { InvalidDataError } from '../../../base/errors.js';
import { type FileLine, readFileLines } from './fileLines.js';

const BEGINNING = '{"hash":"';

/**
 * Reads the lines of an audit file, whole or damaged.
 *
 * @throws InvalidDataError if neither of the first two lines resembles an entry: the file is not an altered log, but no log at all
 */
export async function* auditLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<FileLine> {
  let number = 0;
  let odd: FileLine | null = null;
  for await (const line of readFileLines(chunks)) {
    if (number++ === 0 && !isLikeEntry(line)) {
      odd = line;
      continue;
    }
    if (odd !== null) {
      if (!isLikeEntry(line)) throw noLog(odd);
      yield odd;
      odd = null;
    }
    yield line;
  }
  if (odd !== null) throw noLog(odd);
}

/** A crash may leave the beginning of a line, or zeros. */
function isLikeEntry({ text }: FileLine): boolean {
  if (text === null) return false;
  if (text.startsWith(BEGINNING) || text.includes('"foreguard-audit"')) return true;
  return BEGINNING.startsWith(text) || text.split('\0').join('') === '';
}

function noLog({ text, bytes }: FileLine): InvalidDataError {
  const found = text === null ? `${bytes} bytes that are not text` : JSON.stringify(text.slice(0, 80));
  return new InvalidDataError(
    `this is not an audit log: its first line is ${found}; expected one that begins with ${BEGINNING}, as sessions write it to a log`,
  );
}
