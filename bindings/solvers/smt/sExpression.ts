import { InvalidDataError } from '../../base/errors.js';

/** A word or number as text, a text in quotes, or a list. */
export type SExpression = string | { readonly text: string } | readonly SExpression[];

/** Deepest nesting that is read. */
const MOST_DEPTH = 1000;

/**
 * Reads what a solver writes.
 *
 * @throws InvalidDataError for what is no sequence of S-expressions
 */
export function readSExpressions(source: string): SExpression[] {
  const open: SExpression[][] = [[]];
  const tokens = /\s+|;[^\n]*|([()])|"((?:[^"]|"")*)"|\|([^|\\]*)\||([^\s()"|;]+)|(.)/gy;
  for (let token = tokens.exec(source); token !== null; token = tokens.exec(source)) {
    const [, bracket, text, quoted, word, other] = token;
    const place = () => `at character ${token!.index + 1}`;
    if (other !== undefined)
      throw new InvalidDataError(`found ${JSON.stringify(other)} ${place()} without its end`);
    if (bracket === '(') {
      if (open.length > MOST_DEPTH)
        throw new InvalidDataError(`found more than ${MOST_DEPTH} brackets in each other`);
      open.push([]);
    } else if (bracket === ')') {
      const list = open.pop()!;
      if (open.length === 0) throw new InvalidDataError(`found a closing bracket too many ${place()}`);
      open.at(-1)!.push(list);
    } else if (text !== undefined) open.at(-1)!.push({ text: text.replaceAll('""', '"') });
    else if (quoted !== undefined || word !== undefined) open.at(-1)!.push(quoted ?? word);
  }
  if (open.length > 1) throw new InvalidDataError(`found ${open.length - 1} brackets without their ends`);
  return open[0];
}
