import { ParseError } from '../../../base/errors.js';
import type { Place } from '../../expression/index.js';

export type PrismTokenKind = 'identifier' | 'number' | 'quoted' | 'symbol' | 'end';

export interface PrismToken {
  readonly kind: PrismTokenKind;
  /** As written; for `quoted` without the quotes. */
  readonly text: string;
  readonly place: Place;
}

/** Matches white space, a comment or a token. It has no groups, because returning them would take most of the time of parsing a model. */
const tokenPattern =
  /\s+|\/\/[^\n]*|[A-Za-z_][A-Za-z0-9_]*|(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?|"[^"\n]*"|<=>|=\?|->|=>|<=|>=|!=|\.\.|<<|>>|[-+*/^&|!=<>?:;,.()[\]{}']/uy;

/** The kind of a match of the pattern, judged by its beginning. */
function kindOf(text: string): PrismTokenKind | 'space' {
  if (/^[A-Za-z_]/.test(text)) return 'identifier';
  if (/^\.?\d/.test(text)) return 'number';
  if (/^(?:\s|\/\/)/.test(text)) return 'space';
  return text.startsWith('"') ? 'quoted' : 'symbol';
}

/**
 * Cuts text in PRISM's language into tokens, the last of which has kind `end`. Comments run from `//` to the end of a line. With
 * `keepInvalid`, a character that begins no token becomes a symbol, which the parser refuses at its place.
 */
export function tokenizePrism(source: string, name: string, keepInvalid = false): PrismToken[] {
  const tokens: PrismToken[] = [];
  let line = 1;
  let lineStart = 0;
  let offset = 0;
  while (offset < source.length) {
    tokenPattern.lastIndex = offset;
    const isToken = tokenPattern.test(source);
    const place = { line, column: offset - lineStart + 1, offset };
    if (!isToken) {
      const found = String.fromCodePoint(source.codePointAt(offset) as number);
      if (keepInvalid) {
        tokens.push({ kind: 'symbol', text: found, place });
        offset += found.length;
        continue;
      }
      throw prismError(
        found === '"' ? 'a quoted name is never closed' : `unexpected character ${found}`,
        found === '"' ? 'a closing " on the same line' : 'a name, a number or an operator',
        place,
        { source, name },
      );
    }
    const text = source.slice(offset, tokenPattern.lastIndex);
    const kind = kindOf(text);
    if (kind === 'space') {
      for (let i = offset; i < tokenPattern.lastIndex; i++) {
        if (source.charCodeAt(i) === 10) {
          line++;
          lineStart = i + 1;
        }
      }
    } else tokens.push({ kind, text: kind === 'quoted' ? text.slice(1, -1) : text, place });
    offset = tokenPattern.lastIndex;
  }
  tokens.push({ kind: 'end', text: '', place: { line, column: offset - lineStart + 1, offset } });
  return tokens;
}

/** Most characters of a line that an error shows. */
const MAX_SHOWN = 160;

/** Creates an error that shows its line, with a caret under the place. */
export function prismError(
  message: string,
  expected: string | undefined,
  place: Place,
  { source, name }: { source: string; name: string },
): ParseError {
  const hint = expected === undefined ? '' : `; expected ${expected}`;
  return new ParseError(`${message}${hint}${excerptAt(place, source)}`, {
    source: name,
    line: place.line,
    column: place.column,
    ...(expected !== undefined && { expected }),
  });
}

/** The line of a place and, on the next line, a caret under the place. */
export function excerptAt(place: Place, source: string): string {
  const start = place.offset - (place.column - 1);
  const end = source.indexOf('\n', start);
  const line = source.slice(start, end < 0 ? undefined : end).replace(/\r$/, '');
  // Lines too long for a terminal are cut to the part around the place.
  const cut = line.length > MAX_SHOWN ? Math.max(0, place.column - 1 - MAX_SHOWN / 2) : 0;
  const text = line.slice(cut, cut + MAX_SHOWN);
  // Tabs are kept below tabs, so that the caret is aligned with the place.
  const indent = text.slice(0, place.column - 1 - cut).replace(/[^\t]/g, ' ');
  return `\n  ${text}\n  ${indent}^`;
}
