import type { ParseError } from './errors.js';

interface TokenBase {
  readonly kind: string;
  readonly text: string;
  readonly place: object;
}

/** Walks over the tokens of a text, the last of which has kind `end`. Subclasses add a grammar's errors and its own words. */
export abstract class TokenCursor<Token extends TokenBase> {
  readonly #tokens: readonly Token[];
  readonly #maxNesting: number;
  #index = 0;
  #nesting = 0;

  /** @param maxNesting how deep `nested` may go, so that every walk over the tree stays within the call stack */
  constructor(tokens: readonly Token[], maxNesting: number) {
    this.#tokens = tokens;
    this.#maxNesting = maxNesting;
  }

  get token(): Token {
    return this.#tokens[this.#index];
  }

  /** The token `distance` places after the current one; past the end, the last token. */
  ahead(distance: number): Token {
    return this.#tokens[Math.min(this.#index + distance, this.#tokens.length - 1)];
  }

  /** The last token read; before any has been read, the first. */
  get last(): Token {
    return this.#tokens[Math.max(0, this.#index - 1)];
  }

  /** Returns the current token and moves to the next; stays at the end. */
  advance(): Token {
    const { token } = this;
    if (token.kind !== 'end') this.#index++;
    return token;
  }

  /** Whether the current token is one of these symbols; the same text in quotes does not count. */
  at(...symbols: readonly string[]): boolean {
    return this.token.kind === 'symbol' && symbols.includes(this.token.text);
  }

  take(symbol: string): boolean {
    if (!this.at(symbol)) return false;
    this.#index++;
    return true;
  }

  expect(symbol: string, expected: string): Token {
    if (!this.take(symbol)) throw this.unexpected(expected);
    return this.last;
  }

  nested<T>(parse: () => T): T {
    if (++this.#nesting > this.#maxNesting) throw this.tooDeep(this.token.place);
    const result = parse();
    this.#nesting--;
    return result;
  }

  /** Returns to the first token for which `isBehind` holds and resets the nesting depth, as after an error. */
  protected rewind(isBehind: (token: Token) => boolean): void {
    this.#nesting = 0;
    while (this.#index > 0 && isBehind(this.last)) this.#index--;
  }

  error(message: string, expected: string): ParseError {
    return this.errorAt(this.token.place, message, expected);
  }

  /** An error about the current token. */
  abstract unexpected(expected: string): ParseError;

  abstract errorAt(place: Token['place'], message: string, expected: string): ParseError;

  protected abstract tooDeep(place: Token['place']): ParseError;
}
