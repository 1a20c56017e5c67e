import type { ParseError } from '../../errors.js';
import type { Place } from '../formula.js';
import { type PrismToken, prismError, tokenizePrism } from './token.js';

/** Keeps every walk over a tree within the call stack; nothing a person writes comes near. */
const MAX_NESTING = 500;

/** Walks over the tokens of a text in PRISM's language and makes the errors that point into it. */
export class PrismReader {
  private readonly tokens: readonly PrismToken[];
  private index = 0;
  private nesting = 0;

  constructor(
    readonly source: string,
    readonly name: string,
    keepInvalid = false,
  ) {
    this.tokens = tokenizePrism(source, name, keepInvalid);
  }

  get token(): PrismToken {
    return this.tokens[this.index];
  }

  /** The token `distance` behind the one at hand; past the end, the last one. */
  ahead(distance: number): PrismToken {
    return this.tokens[Math.min(this.index + distance, this.tokens.length - 1)];
  }

  /** Offset behind the last token read. */
  get end(): number {
    const { kind, text, place } = this.tokens[Math.max(0, this.index - 1)];
    return place.offset + text.length + (kind === 'quoted' ? 2 : 0);
  }

  advance(): PrismToken {
    const token = this.tokens[this.index];
    if (token.kind !== 'end') this.index++;
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
    this.index++;
    return true;
  }

  takeWord(word: string): boolean {
    if (!this.atWord(word)) return false;
    this.index++;
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
    if (++this.nesting > MAX_NESTING) {
      throw this.error(`nested more than ${MAX_NESTING} deep`, 'a flatter expression');
    }
    const result = parse();
    this.nesting--;
    return result;
  }

  /**
   * Leaves the item that began at `start` and could not be read: behind the next `;`, or else where the line of the token at hand
   * ends, or begins if that token is the first of a later line, and so of the next item.
   */
  skipItem(start: Place): void {
    this.nesting = 0;
    const previous = this.tokens[this.index - 1]?.place;
    if (this.index > 0 && previous.offset >= start.offset && previous.line < this.token.place.line) return;
    const { line } = this.token.place;
    while (this.token.kind !== 'end' && this.token.place.line === line) {
      if (this.advance().text === ';') break;
    }
  }

  unexpected(expected: string): ParseError {
    const { kind, text } = this.token;
    const found = kind === 'end' ? 'the end of the text' : kind === 'quoted' ? `"${text}"` : `'${text}'`;
    return this.error(`unexpected ${found}`, expected);
  }

  error(message: string, expected?: string): ParseError {
    return this.errorAt(this.token.place, message, expected);
  }

  errorAt(place: Place, message: string, expected?: string): ParseError {
    return prismError(message, expected, place, this);
  }
}
