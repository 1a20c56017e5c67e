import { ParseError } from '../../base/errors.js';
import type { Place } from '../expression/index.js';

/** `label` is text in double quotes, `text` in single ones, `inline` an expression between backticks. */
export type TokenKind = 'identifier' | 'number' | 'label' | 'text' | 'inline' | 'symbol' | 'end';

export interface Token {
  readonly kind: TokenKind;
  /** As written; for `inline` without the backticks. */
  readonly text: string;
  readonly place: Place;
  /** Offset just after the token. */
  readonly end: number;
}

const tokenPattern =
  /(?<space>\s+)|(?<identifier>[\p{L}_][\p{L}\p{N}_]*)|(?<number>\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(?<label>"(?:[^"\\\n]|\\.)*")|(?<text>'(?:[^'\\\n]|\\.)*')|`(?<inline>[^`]*)`|(?<symbol><->|<=>|->|=>|<=|>=|==|!=|&&|\|\||[-+*/%!&|<>=?:.,()[\]{}])/uy;

// Far above any formula written by hand; keeps every walk over the tree within the call stack.
const MAX_TOKENS = 5000;

/** Cuts a formula into tokens, the last of which has kind `end`. */
export function tokenize(source: string, name: string): Token[] {
  const tokens: Token[] = [];
  let line = 1;
  let lineStart = 0;
  let offset = 0;
  const place = (): Place => ({ line, column: offset - lineStart + 1, offset });
  while (offset < source.length) {
    tokenPattern.lastIndex = offset;
    const groups = tokenPattern.exec(source)?.groups;
    if (groups === undefined) {
      const found = String.fromCodePoint(source.codePointAt(offset) as number);
      const unclosed = found === '"' || found === "'" || found === '`';
      throw new ParseError(unclosed ? `${found} is never closed` : `unexpected character ${found}`, {
        source: name,
        ...place(),
        expected: unclosed ? `a closing ${found}` : 'a predicate, an operator or a bracket',
      });
    }
    const end = tokenPattern.lastIndex;
    for (const kind of ['identifier', 'number', 'label', 'text', 'inline', 'symbol'] as const) {
      const text = groups[kind];
      if (text !== undefined) tokens.push({ kind, text, place: place(), end });
    }
    if (tokens.length > MAX_TOKENS) {
      throw new ParseError(`the formula has more than ${MAX_TOKENS} tokens`, {
        source: name,
        ...place(),
        expected: 'a shorter formula: name parts of it as predicates',
      });
    }
    for (let i = source.indexOf('\n', offset); i >= 0 && i < end; i = source.indexOf('\n', i + 1)) {
      line++;
      lineStart = i + 1;
    }
    offset = end;
  }
  tokens.push({ kind: 'end', text: 'end of the formula', place: place(), end: offset });
  return tokens;
}
