import { ParseError } from '../../base/errors.js';
import { TokenCursor } from '../../base/tokenCursor.js';
import type { Place } from '../expression/index.js';
import { type Token, tokenize } from './token.js';

const MAX_NESTING = 200;

/** Walks over the tokens of one formula and makes the errors that point into it. */
export class TokenReader extends TokenCursor<Token> {
  constructor(
    readonly source: string,
    readonly name: string,
  ) {
    super(tokenize(source, name), MAX_NESTING);
  }

  /** Offset just after the last token read. */
  get end(): number {
    return this.last.end;
  }

  override expect(symbol: string): Token {
    return super.expect(symbol, symbol);
  }

  expectNumber(expected: string): string {
    if (this.token.kind !== 'number') throw this.unexpected(expected);
    return this.advance().text;
  }

  /** Skips a bracket and its content, which the expression parser reads. */
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
      this.advance();
    } while (closing.length > 0);
  }

  /** Describes the current token for messages. */
  found(): string {
    const { kind, text } = this.token;
    return kind === 'end' ? text : `"${text}"`;
  }

  unexpected(expected: string): ParseError {
    return this.error(`unexpected ${this.found()}`, expected);
  }

  errorAt(place: Place, message: string, expected: string): ParseError {
    return new ParseError(`${message}; expected ${expected}`, {
      source: this.name,
      line: place.line,
      column: place.column,
      expected,
    });
  }

  protected tooDeep(place: Place): ParseError {
    return this.errorAt(place, `the formula is nested more than ${MAX_NESTING} deep`, 'a flatter formula');
  }
}
