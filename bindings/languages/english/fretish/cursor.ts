import { ParseError } from '../../../base/errors.js';
import { nearestName } from '../../../base/suggest.js';
import { TokenCursor } from '../../../base/tokenCursor.js';
import { type FretishToken, tokenizeFretish } from './token.js';

const MAX_NESTING = 100;

/** Walks over the tokens of a sentence; its errors point into it. */
export class FretishCursor extends TokenCursor<FretishToken> {
  readonly #source: string;

  constructor(sentence: string, source: string) {
    super(tokenizeFretish(sentence, source), MAX_NESTING);
    this.#source = source;
  }

  /** Whether the words that follow are these. */
  sees(...words: readonly string[]): boolean {
    return words.every((word, i) => {
      const token = this.ahead(i);
      return token.kind === 'word' && token.lower === word;
    });
  }

  /** Reads one of these words, if it follows. */
  takeWord(...words: readonly string[]): string | undefined {
    const { kind, lower } = this.token;
    if (kind !== 'word' || !words.includes(lower)) return undefined;
    this.advance();
    return lower;
  }

  expectWord(...words: readonly string[]): string {
    const word = this.takeWord(...words);
    if (word === undefined) throw this.unexpected(words.join(', '), words);
    return word;
  }

  /** A name of a component or mode. */
  name(expected: string): string {
    const { kind, text } = this.token;
    if (kind === 'text') return JSON.parse(this.advance().text) as string;
    if (kind !== 'word') throw this.unexpected(expected);
    this.advance();
    return text;
  }

  /** @param words the words that may stand here; the nearest to what stands here is offered */
  override unexpected(expected: string, words: readonly string[] = []): ParseError {
    const { kind, text, lower } = this.token;
    const nearest = kind === 'word' ? nearestName(lower, words) : undefined;
    const found = kind === 'end' ? text : JSON.stringify(text);
    const hint = nearest === undefined ? '' : `; did you mean ${nearest}?`;
    return this.errorAt(this.token.place, `unexpected ${found}`, expected, hint);
  }

  errorAt(place: FretishToken['place'], message: string, expected: string, hint = ''): ParseError {
    const { line, column } = place;
    return new ParseError(`${message}; expected ${expected}${hint}`, {
      source: this.#source,
      line,
      column,
      expected,
    });
  }

  protected tooDeep(place: FretishToken['place']): ParseError {
    return this.errorAt(place, `nested deeper than ${MAX_NESTING}`, 'a shorter expression');
  }
}
