import { ParseError } from '../../base/errors.js';
import { TokenCursor } from '../../base/tokenCursor.js';
import type { Place } from '../expression/index.js';
import type { ScriptProblems } from './problems.js';
import type { Token } from './token.js';

/** Deepest nesting of blocks, parentheses and types, and longest chain of operators that one level holds. */
const MOST_NESTING = 100;
const MOST_CHAINED = 150;

const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** Words that TypeScript keeps for itself. */
const RESERVED = new Set([
  'arguments',
  'await',
  'break',
  'case',
  'catch',
  'class',
  'const',
  'continue',
  'debugger',
  'default',
  'delete',
  'do',
  'else',
  'enum',
  'eval',
  'export',
  'extends',
  'false',
  'finally',
  'for',
  'function',
  'if',
  'implements',
  'import',
  'in',
  'instanceof',
  'interface',
  'let',
  'new',
  'null',
  'package',
  'private',
  'protected',
  'public',
  'return',
  'static',
  'super',
  'switch',
  'this',
  'throw',
  'true',
  'try',
  'typeof',
  'var',
  'void',
  'while',
  'with',
  'yield',
]);

/** Walks over the tokens of a script. An error is recorded when it is made; whoever catches it reads on behind what is wrong. */
export abstract class ScriptCursor extends TokenCursor<Token> {
  readonly problems: ScriptProblems;
  #depth = 0;

  constructor(tokens: readonly Token[], problems: ScriptProblems) {
    super(tokens, MOST_NESTING);
    this.problems = problems;
  }

  unexpected(expected: string): ParseError {
    return this.errorAt(this.token.place, this.found, expected);
  }

  /** The current token, in words. */
  get found(): string {
    const { kind, text } = this.token;
    if (kind === 'end') return 'the end';
    return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
  }

  errorAt(place: Place, found: string, expected: string): ParseError {
    this.problems.add(place, found, expected);
    return new ParseError(found, { source: '', line: place.line, column: place.column });
  }

  protected tooDeep(place: Place): ParseError {
    return this.problems.stop(
      place,
      `nesting deeper than ${MOST_NESTING} levels, or a chain longer than ${MOST_CHAINED}`,
      'a flatter script',
    );
  }

  /** Unlike `nested`, it counts right where an error passes through it. */
  protected deeper<T>(parse: () => T): T {
    if (++this.#depth > MOST_NESTING) this.tooDeep(this.token.place);
    try {
      return parse();
    } finally {
      this.#depth--;
    }
  }

  /** @param length how many operators or members hang together so far */
  protected requireShort(length: number): void {
    if (length > MOST_CHAINED) this.tooDeep(this.token.place);
  }

  atWord(...words: readonly string[]): boolean {
    return this.token.kind === 'name' && words.includes(this.token.text);
  }

  takeWord(word: string): boolean {
    if (!this.atWord(word)) return false;
    this.advance();
    return true;
  }

  expectSymbol(symbol: string): Token {
    return this.expect(symbol, `"${symbol}"`);
  }

  /** A name that a script may give. */
  newName(what: string): Token {
    if (this.token.kind !== 'name' || RESERVED.has(this.token.text)) throw this.unexpected(what);
    return this.advance();
  }

  isReserved(word: string): boolean {
    return RESERVED.has(word);
  }

  /** Passes over a bracket and what is in it, if one stands here. */
  skipBrackets(): void {
    if (!this.at('(', '[', '{')) return;
    const open: string[] = [];
    do {
      const { text, kind } = this.advance();
      if (kind === 'symbol' && Object.hasOwn(CLOSING, text)) open.push(CLOSING[text]);
      else if (kind === 'symbol' && open.at(-1) === text) open.pop();
    } while (open.length > 0 && this.token.kind !== 'end');
  }

  /** How many tokens ahead the bracket is closed that stands here. */
  closingAhead(): number {
    let depth = 0;
    for (let i = 0; ; i++) {
      const { kind, text } = this.ahead(i);
      if (kind === 'end') return i;
      if (kind !== 'symbol') continue;
      if (text === '(' || text === '[' || text === '{') depth++;
      if ((text === ')' || text === ']' || text === '}') && --depth === 0) return i;
    }
  }
}
