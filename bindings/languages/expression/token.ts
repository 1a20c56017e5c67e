import { ParseError } from '../../base/errors.js';
import type { Place } from './expression.js';
import { quote } from './quote.js';
import { readString, startsString } from './stringLiteral.js';

/** A token of the source. `value` is the value of a number or string literal. */
export interface Token {
  readonly kind: 'number' | 'string' | 'name' | 'symbol' | 'end';
  readonly text: string;
  readonly value?: number | string;
  readonly place: Place;
}

/** Longest source accepted, in UTF-16 units. */
export const maximumSourceLength = 100_000;

const space = /(?:\s+|\/\/[^\n]*)+/y;
const number = /0[xX][0-9a-fA-F]+|(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?/y;
const word = /[A-Za-z_][A-Za-z0-9_]*/y;
const symbol = /&&|\|\||[<>=!]=|[-+*/%<>!?:.,()[\]{}]/y;

/**
 * Cuts a source into tokens, the last one of kind `end`.
 *
 * @throws ParseError at the first character that begins no token, and if the source is too long.
 */
export function tokenize(source: string, name: string): Token[] {
  let line = 1;
  let lineStart = 0;
  const fail = (offset: number, found: string, expected: string): never => {
    const place = { line, column: offset - lineStart + 1 };
    throw new ParseError(`${found}, expected ${expected}`, { source: name, ...place, expected });
  };
  if (source.length > maximumSourceLength) {
    const expected = `at most ${maximumSourceLength} characters`;
    fail(0, `found an expression of ${source.length} characters`, expected);
  }
  const match = (pattern: RegExp, offset: number): string | undefined => {
    pattern.lastIndex = offset;
    return pattern.exec(source)?.[0];
  };

  const tokens: Token[] = [];
  /** Advances over text that may contain line breaks. */
  const advance = (from: number, to: number): number => {
    for (let at = source.indexOf('\n', from); at !== -1 && at < to; at = source.indexOf('\n', at + 1)) {
      line++;
      lineStart = at + 1;
    }
    return to;
  };
  for (let offset = 0; ; ) {
    offset = advance(offset, offset + (match(space, offset)?.length ?? 0));
    const place = { line, column: offset - lineStart + 1, offset };
    if (offset === source.length) {
      tokens.push({ kind: 'end', text: '', place });
      return tokens;
    }
    let text: string | undefined;
    if (startsString(source, offset)) {
      const { value, end } = readString(source, offset, fail);
      tokens.push({ kind: 'string', text: source.slice(offset, end), value, place });
      offset = advance(offset, end);
    } else if ((text = match(number, offset)) !== undefined) {
      const suffix = match(word, offset + text.length);
      if (suffix !== undefined) {
        const expected = 'a number without suffix (there is one number type) or an operator after it';
        fail(offset, `found ${quote(text + suffix)}`, expected);
      }
      const value = Number(text);
      if (value === Number.POSITIVE_INFINITY) fail(offset, `found ${quote(text)}`, 'a number below 1.8e308');
      tokens.push({ kind: 'number', text, value, place });
      offset += text.length;
    } else if ((text = match(word, offset)) !== undefined) {
      tokens.push({ kind: 'name', text, place });
      offset += text.length;
    } else if ((text = match(symbol, offset)) !== undefined) {
      tokens.push({ kind: 'symbol', text, place });
      offset += text.length;
    } else {
      const found = String.fromCodePoint(source.codePointAt(offset)!);
      const doubled = { '=': '"==" to compare', '&': '"&&"', '|': '"||"' }[found];
      fail(offset, `found ${quote(found)}`, doubled ?? 'a literal, a name or an operator');
    }
  }
}
