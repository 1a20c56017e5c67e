import { ParseError } from '../../base/errors.js';
import type { Argument, RulePlace } from './rule.js';

/** Words that begin a part of a rule; they cannot be names. */
export const KEYWORDS = ['rule', 'trigger', 'check', 'enforce', 'end'] as const;
export type Keyword = (typeof KEYWORDS)[number];

const space = /(?:\s+|\/\/[^\n]*)+/y;
const sameLineSpace = /(?:[^\S\n]+|\/\/[^\n]*)+/y;
const word = /(?:(?!\/\/)[^\s|&!=(){}[\],"])+/y;
const quoted = /"(?:[^"\\\n]|\\.)*"/y;
const number = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/;
const closing: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** Reads the text of rules token by token, and makes the errors that point into it. */
export class Reader {
  #offset = 0;
  readonly #lineStarts: number[] = [0];
  readonly #text: string;
  readonly #source: string;

  constructor(text: string, source: string) {
    this.#text = text;
    this.#source = source;
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1))
      this.#lineStarts.push(at + 1);
  }

  /** The current reading position. */
  get place(): RulePlace {
    return this.#placeOf(this.#offset);
  }

  get atEnd(): boolean {
    return this.#offset === this.#text.length;
  }

  /** Skips spaces, line ends and comments. */
  skipSpace(): void {
    this.#offset += this.#match(space).length;
  }

  /** Skips spaces and comments up to the end of the line. */
  skipSpaceOfLine(): void {
    this.#offset += this.#match(sameLineSpace).length;
  }

  at(symbol: string): boolean {
    return this.#text.startsWith(symbol, this.#offset);
  }

  take(symbol: string): boolean {
    if (!this.at(symbol)) return false;
    this.#offset += symbol.length;
    return true;
  }

  /** The word at the current position; empty if there is none. */
  peekWord(): string {
    return this.#match(word);
  }

  takeWord(): string {
    const text = this.#match(word);
    this.#offset += text.length;
    return text;
  }

  /** The keyword at the current position, if there is one. */
  peekKeyword(): Keyword | undefined {
    const text = this.#match(word);
    return KEYWORDS.find((keyword) => keyword === text);
  }

  /** Takes the rest of the line, without its comment. */
  takeLine(): string {
    const end = this.#text.indexOf('\n', this.#offset);
    const line = this.#text.slice(this.#offset, end === -1 ? undefined : end);
    this.#offset += line.length;
    return line.replace(/\/\/.*/, '').trim();
  }

  /** Takes text in quotes, with the escapes of JSON. */
  takeQuoted(): string {
    const text = this.#match(quoted);
    try {
      const value = JSON.parse(text) as string;
      this.#offset += text.length;
      return value;
    } catch {
      throw this.error(
        'text that does not end on its line, or an unknown escape',
        'text in quotes, as in JSON',
      );
    }
  }

  takeNumber(): number {
    const text = this.takeWord();
    const value = asNumber(text);
    if (value !== undefined) return value;
    this.#offset -= text.length;
    throw this.error(`found ${this.found()}`, 'a number');
  }

  /** Takes arguments in brackets, if there are any: numbers, text in quotes, or bare text with matching brackets. */
  takeArguments(): Argument[] {
    const open = this.#offset;
    if (!this.take('(')) return [];
    this.skipSpace();
    if (this.take(')')) return [];
    const found: Argument[] = [];
    do found.push(this.#takeArgument(open));
    while (this.take(','));
    this.take(')');
    return found;
  }

  /** Reads up to the comma or bracket after an argument. */
  #takeArgument(open: number): Argument {
    this.skipSpace();
    const start = this.#offset;
    if (this.at('"')) {
      const text = this.takeQuoted();
      this.skipSpace();
      if (this.at(',') || this.at(')')) return text;
      this.#offset = start;
    }
    const brackets: string[] = [];
    while (brackets.length > 0 || !(this.at(',') || this.at(')'))) {
      if (this.#offset >= this.#text.length) {
        this.#offset = open;
        throw this.error('a bracket that is never closed', '")"');
      }
      const character = this.#text[this.#offset];
      if (character === '"') {
        this.takeQuoted();
        continue;
      }
      if (character in closing) brackets.push(closing[character]);
      else if (character === brackets.at(-1)) brackets.pop();
      this.#offset++;
    }
    const text = this.#text.slice(start, this.#offset).trim();
    if (text === '') throw this.error(`found ${this.found()}`, 'an argument');
    return asNumber(text) ?? text;
  }

  /** The text at the current position, for messages. */
  found(): string {
    if (this.atEnd) return 'the end of the text';
    const text = this.#match(word) || String.fromCodePoint(this.#text.codePointAt(this.#offset)!);
    return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
  }

  error(message: string, expected: string): ParseError {
    return new ParseError(`${message}; expected ${expected}`, { ...this.place, expected });
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#offset;
    return pattern.exec(this.#text)?.[0] ?? '';
  }

  #placeOf(offset: number): RulePlace {
    let [from, to] = [0, this.#lineStarts.length];
    while (to - from > 1) {
      const middle = (from + to) >> 1;
      if (this.#lineStarts[middle] <= offset) from = middle;
      else to = middle;
    }
    return { source: this.#source, line: from + 1, column: offset - this.#lineStarts[from] + 1 };
  }
}

function asNumber(text: string): number | undefined {
  const value = number.test(text) ? Number(text) : Number.NaN;
  // -0 is written as 0.
  return Number.isFinite(value) ? value + 0 : undefined;
}

/** Whether text reads as one plain word that is not a keyword. */
export function isWord(text: string): boolean {
  word.lastIndex = 0;
  return word.exec(text)?.[0] === text && !KEYWORDS.some((keyword) => keyword === text);
}

/** Whether a name in a condition is `true` or `false`, case-insensitively, as published rules write it. */
export function isConstant(name: string): boolean {
  return /^(?:true|false)$/i.test(name);
}
