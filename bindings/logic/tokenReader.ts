import { ParseError } from '../errors.js';
import type { Place } from '../expression/index.js';
import { type Token, tokenize } from './token.js';

const MAX_NESTING = 200;

/** Walks over the tokens of one formula and makes the errors that point into it. */
export class TokenReader {
  readonly #tokens: readonly Token[];
  #index = 0;
  #nesting = 0;

  constructor(
    readonly source: string,
    readonly name: string,
  ) {
    this.#tokens = tokenize(source, name);
  }

  get token(): Token {
    return this.#tokens[this.#index];
  }

  get next(): Token {
    return this.#tokens[Math.min(this.#index + 1, this.#tokens.length - 1)];
  }

  /** Offset behind the last token read. */
  get end(): number {
    return this.#tokens[this.#index - 1].end;
  }

  advance(): Token {
    return this.#tokens[this.#index++];
  }

  /** Whether the token at hand is one of these symbols; the same text in quotes is none. */
  at(...symbols: readonly string[]): boolean {
    return this.token.kind === 'symbol' && symbols.includes(this.token.text);
  }

  take(symbol: string): boolean {
    if (!this.at(symbol)) return false;
    this.#index++;
    return true;
  }

  expect(symbol: string): Token {
    const token = this.token;
    if (!this.take(symbol)) throw this.error(`unexpected ${this.found()}`, symbol);
    return token;
  }

  expectNumber(expected: string): string {
    const { kind, text } = this.token;
    if (kind !== 'number') throw this.error(`unexpected ${this.found()}`, expected);
    this.#index++;
    return text;
  }

  /** Passes over a bracket and all it holds; what is inside is the expression parser's business. */
  skipBrackets(): void {
    const closing: string[] = [];
    do {
      const { kind, text } = this.token;
      if (kind === 'end') throw this.error('the formula ends inside a bracket', closing.at(-1) as string);
      if (kind === 'symbol') {
        if (text === '(') closing.push(')');
        else if (text === '[') closing.push(']');
        else if (text === '{') closing.push('}');
        else if (text === ')' || text === ']' || text === '}') {
          if (closing.pop() !== text) throw this.error(`unexpected ${text}`, 'brackets that match');
        }
      }
      this.#index++;
    } while (closing.length > 0);
  }

  nested<T>(parse: () => T): T {
    if (++this.#nesting > MAX_NESTING) {
      throw this.error(`the formula is nested more than ${MAX_NESTING} deep`, 'a flatter formula');
    }
    const result = parse();
    this.#nesting--;
    return result;
  }

  /** The token at hand, for messages. */
  found(): string {
    const { kind, text } = this.token;
    return kind === 'end' ? text : `"${text}"`;
  }

  error(message: string, expected: string): ParseError {
    return this.errorAt(this.token.place, message, expected);
  }

  errorAt(place: Place, message: string, expected: string): ParseError {
    return new ParseError(`${message}; expected ${expected}`, {
      source: this.name,
      line: place.line,
      column: place.column,
      expected,
    });
  }
}
