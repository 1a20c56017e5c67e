import { ParseError } from '../../../base/errors.js';
import type { Place } from '../../expression/index.js';

/** A word, a number, a text in quotes, a symbol, or the end of the sentence. */
export interface FretishToken {
  readonly kind: 'word' | 'number' | 'text' | 'symbol' | 'end';
  readonly text: string;
  /** Words in small letters: FRET's own words are written in any case. */
  readonly lower: string;
  readonly place: Place;
}

const pattern =
  /(?<word>[A-Za-z_][A-Za-z0-9_.%]*)|(?<number>[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)|(?<text>"(?:\\.|[^"\\])*")|(?<symbol><->|<=>|->|=>|<=|>=|!=|==|[!~&|()<>=+\-*/^,.])/y;

/** @throws ParseError at a character that no sentence has */
export function tokenizeFretish(sentence: string, source: string): FretishToken[] {
  const tokens: FretishToken[] = [];
  let [line, column] = [1, 1];
  let index = 0;
  while (index < sentence.length) {
    const character = sentence[index];
    if (/\s/.test(character)) {
      if (character === '\n') [line, column] = [line + 1, 1];
      else column++;
      index++;
      continue;
    }
    pattern.lastIndex = index;
    const match = pattern.exec(sentence);
    if (match === null) {
      throw new ParseError(
        `unexpected character ${JSON.stringify(String.fromCodePoint(sentence.codePointAt(index) as number))}; expected a word, a number or an operator`,
        { source, line, column, expected: 'a word, a number or an operator' },
      );
    }
    const [kind, whole] = Object.entries(match.groups as object).find(([, value]) => value !== undefined) as [
      FretishToken['kind'],
      string,
    ];
    // A name may have a full stop within it; one at its end closes the sentence.
    const text = kind === 'word' ? whole.replace(/\.+$/, '') : whole;
    tokens.push({ kind, text, lower: text.toLowerCase(), place: { offset: index, line, column } });
    index += text.length;
    column += text.length;
  }
  tokens.push({
    kind: 'end',
    text: 'the end of the sentence',
    lower: '',
    place: { offset: index, line, column },
  });
  return tokens;
}
