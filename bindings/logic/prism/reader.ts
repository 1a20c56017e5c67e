import type { ParseError } from '../../errors.js';
import type { Place } from '../../expression/index.js';
import { type PrismToken, prismError, tokenizePrism } from './token.js';

/** Keeps every walk over a tree within the call stack; nothing a person writes comes near. */
const MAX_NESTING = 500;

const opening: readonly string[] = ['(', '[', '{'];
const closing: readonly string[] = [')', ']', '}'];

/** Walks over the tokens of a text in PRISM's language and makes the errors that point into it. */
export class PrismReader {
  readonly #tokens: readonly PrismToken[];
  #index = 0;
  #nesting = 0;

  constructor(
    readonly source: string,
    readonly name: string,
    keepInvalid = false,
  ) {
    this.#tokens = tokenizePrism(source, name, keepInvalid);
  }

  get token(): PrismToken {
    return this.#tokens[this.#index];
  }

  /** The token `distance` behind the one at hand; past the end, the last one. */
  ahead(distance: number): PrismToken {
    return this.#tokens[Math.min(this.#index + distance, this.#tokens.length - 1)];
  }

  /** Offset behind the last token read. */
  get end(): number {
    const { kind, text, place } = this.#tokens[Math.max(0, this.#index - 1)];
    return place.offset + text.length + (kind === 'quoted' ? 2 : 0);
  }

  advance(): PrismToken {
    const token = this.#tokens[this.#index];
    if (token.kind !== 'end') this.#index++;
    return token;
  }

  /** Whether the token at hand is one of these symbols. */
  at(...symbols: readonly string[]): boolean {
    return this.token.kind === 'symbol' && symbols.includes(this.token.text);
  }

  atWord(...words: readonly string[]): boolean {
    return this.token.kind === 'identifier' && words.includes(this.token.text);
  }

  take(symbol: string): boolean {
    if (!this.at(symbol)) return false;
    this.#index++;
    return true;
  }

  takeWord(word: string): boolean {
    if (!this.atWord(word)) return false;
    this.#index++;
    return true;
  }

  expect(symbol: string, what = `'${symbol}'`): PrismToken {
    const token = this.token;
    if (!this.take(symbol)) throw this.unexpected(what);
    return token;
  }

  expectWord(word: string): PrismToken {
    const token = this.token;
    if (!this.takeWord(word)) throw this.unexpected(`'${word}'`);
    return token;
  }

  expectIdentifier(what: string): PrismToken {
    if (this.token.kind !== 'identifier') throw this.unexpected(what);
    return this.advance();
  }

  nested<T>(parse: () => T): T {
    if (++this.#nesting > MAX_NESTING) {
      throw this.error(`nested more than ${MAX_NESTING} deep`, 'a flatter expression');
    }
    const result = parse();
    this.#nesting--;
    return result;
  }

  /**
   * Leaves the item that began at `start` and could not be read: behind the next `;`, or before the first line that looks like the
   * next item, as it begins like one and no bracket is open, or stands no further right than this one began.
   */
  skipItem(start: Place): void {
    this.#nesting = 0;
    while (this.#index > 0 && this.#tokens[this.#index - 1].place.offset >= start.offset) this.#index--;
    let open = 0;
    do {
      const { kind, text } = this.advance();
      if (kind !== 'symbol') continue;
      if (text === ';') return;
      if (opening.includes(text)) open++;
      if (closing.includes(text)) open--;
    } while (this.token.kind !== 'end' && !this.#startsNextItem(start, open));
  }

  #startsNextItem(start: Place, open: number): boolean {
    const { place } = this.token;
    const isFirst = place.line > this.#tokens[this.#index - 1].place.line;
    return (
      isFirst && (open <= 0 ? this.atItem() : place.column <= start.column && this.#atDeclarationOrOperator())
    );
  }

  /** Whether the token at hand can be the first of a declaration or a property. */
  atItem(): boolean {
    return this.token.kind !== 'symbol' || this.at('(', '!', '-', '<<', '[');
  }

  #atDeclarationOrOperator(): boolean {
    const { kind, text } = this.ahead(1);
    if (this.token.kind === 'quoted') return text === ':';
    if (this.atWord('const', 'formula', 'label')) return kind === 'identifier' || kind === 'quoted';
    return /^(?:[PRTS](?:min|max)*|[AE]|filter|multi)$/.test(this.token.text) && kind === 'symbol';
  }

  unexpected(expected: string): ParseError {
    const { kind, text } = this.token;
    const found = kind === 'end' ? 'end of the text' : kind === 'quoted' ? `"${text}"` : `'${text}'`;
    return this.error(`unexpected ${found}`, expected);
  }

  error(message: string, expected?: string): ParseError {
    return this.errorAt(this.token.place, message, expected);
  }

  errorAt(place: Place, message: string, expected?: string): ParseError {
    return prismError(message, expected, place, this);
  }
}
