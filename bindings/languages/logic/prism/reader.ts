import type { ParseError } from '../../../base/errors.js';
import { TokenCursor } from '../../../base/tokenCursor.js';
import type { Place } from '../../expression/index.js';
import { type PrismToken, prismError, tokenizePrism } from './token.js';

/** Far deeper than any text written by hand. */
const MAX_NESTING = 500;

const opening: readonly string[] = ['(', '[', '{'];
const closing: readonly string[] = [')', ']', '}'];

/** Walks over the tokens of a text in PRISM's language and makes the errors that point into it. */
export class PrismReader extends TokenCursor<PrismToken> {
  constructor(
    readonly source: string,
    readonly name: string,
    keepInvalid = false,
  ) {
    super(tokenizePrism(source, name, keepInvalid), MAX_NESTING);
  }

  /** Offset just after the last token read. */
  get end(): number {
    const { kind, text, place } = this.last;
    return place.offset + text.length + (kind === 'quoted' ? 2 : 0);
  }

  atWord(...words: readonly string[]): boolean {
    return this.token.kind === 'identifier' && words.includes(this.token.text);
  }

  takeWord(word: string): boolean {
    if (!this.atWord(word)) return false;
    this.advance();
    return true;
  }

  override expect(symbol: string, what = `'${symbol}'`): PrismToken {
    return super.expect(symbol, what);
  }

  expectWord(word: string): PrismToken {
    if (!this.takeWord(word)) throw this.unexpected(`'${word}'`);
    return this.last;
  }

  expectIdentifier(what: string): PrismToken {
    if (this.token.kind !== 'identifier') throw this.unexpected(what);
    return this.advance();
  }

  /**
   * Skips the item that began at `start` and could not be read: to just after the next `;`, or to the first line that looks like the next
   * item because it begins like one and either no bracket is open or it is indented no further than this item.
   */
  skipItem(start: Place): void {
    this.rewind(({ place }) => place.offset >= start.offset);
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
    const isFirst = place.line > this.last.place.line;
    return (
      isFirst && (open <= 0 ? this.atItem() : place.column <= start.column && this.#atDeclarationOrOperator())
    );
  }

  /** Whether the current token can begin a declaration or a property. */
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
    // Rules write these arrows.
    const arrow =
      text !== '->'
        ? ''
        : this.last.text === '<'
          ? `, or '<=>' for "if and only if"`
          : `, or '=>' for "implies"`;
    return this.error(`unexpected ${found}`, `${expected}${arrow}`);
  }

  override error(message: string, expected?: string): ParseError {
    return this.errorAt(this.token.place, message, expected);
  }

  errorAt(place: Place, message: string, expected?: string): ParseError {
    return prismError(message, expected, place, this);
  }

  protected tooDeep(place: Place): ParseError {
    return this.errorAt(place, `nested more than ${MAX_NESTING} deep`, 'a flatter expression');
  }
}
