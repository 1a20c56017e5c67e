import { ParseError } from '../../errors.js';
import type { Place } from '../formula.js';

export type PrismTokenKind = 'identifier' | 'number' | 'quoted' | 'symbol' | 'end';

export interface PrismToken {
  readonly kind: PrismTokenKind;
  /** As written; for `quoted` without the quotes. */
  readonly text: string;
  readonly place: Place;
}

const tokenPattern =
  /(?<space>\s+|\/\/[^\n]*)|(?<identifier>[A-Za-z_][A-Za-z0-9_]*)|(?<number>(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?)|"(?<quoted>[^"\n]*)"|(?<symbol><=>|=\?|->|=>|<=|>=|!=|\.\.|<<|>>|[-+*/^&|!=<>?:;,.()[\]{}'])/uy;

/**
 * Cuts text in PRISM's language into tokens, the last of which has kind `end`. Comments run from `//` to the end of a line. With
 * `keepInvalid`, a character that begins no token becomes a symbol, for the parser to refuse where it stands.
 */
export function tokenizePrism(source: string, name: string, keepInvalid = false): PrismToken[] {
  const tokens: PrismToken[] = [];
  let line = 1;
  let lineStart = 0;
  let offset = 0;
  while (offset < source.length) {
    tokenPattern.lastIndex = offset;
    const match = tokenPattern.exec(source);
    const place = { line, column: offset - lineStart + 1, offset };
    if (match === null) {
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
    const groups = match.groups as Record<string, string | undefined>;
    if (groups.space !== undefined) {
      for (let i = offset; i < tokenPattern.lastIndex; i++) {
        if (source.charCodeAt(i) === 10) {
          line++;
          lineStart = i + 1;
        }
      }
    } else if (groups.identifier !== undefined)
      tokens.push({ kind: 'identifier', text: groups.identifier, place });
    else if (groups.number !== undefined) tokens.push({ kind: 'number', text: groups.number, place });
    else if (groups.quoted !== undefined) tokens.push({ kind: 'quoted', text: groups.quoted, place });
    else tokens.push({ kind: 'symbol', text: groups.symbol as string, place });
    offset = tokenPattern.lastIndex;
  }
  tokens.push({ kind: 'end', text: '', place: { line, column: offset - lineStart + 1, offset } });
  return tokens;
}

/** Letters of a line that an error shows. */
const MAX_SHOWN = 160;

/** An error that shows the line it is about, with a caret under the place. */
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

/** The line of a place, and below it a caret under the place, each on a line of its own. */
export function excerptAt(place: Place, source: string): string {
  const start = place.offset - (place.column - 1);
  const end = source.indexOf('\n', start);
  const line = source.slice(start, end < 0 ? undefined : end).replace(/\r$/, '');
  // Of lines that no terminal shows whole, the part around the place.
  const cut = line.length > MAX_SHOWN ? Math.max(0, place.column - 1 - MAX_SHOWN / 2) : 0;
  const text = line.slice(cut, cut + MAX_SHOWN);
  // Tabs stay tabs under tabs, so that the caret stands where the reader sees the place.
  const indent = text.slice(0, place.column - 1 - cut).replace(/[^\t]/g, ' ');
  return `\n  ${text}\n  ${indent}^`;
}
