import { ParseError } from '../../../base/errors.js';
import { fractionToDouble } from '../../../base/fraction.js';

/** A line of an explicit file that is neither empty nor a comment, cut into words. */
export class Line {
  constructor(
    readonly source: string,
    /** Line number, from 1. */
    readonly number: number,
    readonly text: string,
  ) {}

  /** Split again on each access: keeping the words of a million lines costs more. */
  get words(): readonly string[] {
    const trimmed = this.text.trim();
    return trimmed === '' ? [] : trimmed.split(/\s+/);
  }

  /** @throws ParseError at the word, or at the end of the line if the word is missing */
  fail(problem: string, expected: string, word = 0): never {
    let column = 1;
    for (let i = 0, from = 0; i <= word; i++) {
      const at = i < this.words.length ? this.text.indexOf(this.words[i], from) : this.text.length;
      column = at + 1;
      from = at + (this.words[i]?.length ?? 0);
    }
    throw new ParseError(`${problem}; expected ${expected}`, {
      source: this.source,
      line: this.number,
      column,
      expected,
    });
  }

  /** The natural number at a word, below `limit` if one is given. */
  index(word: number, what: string, limit = Number.MAX_SAFE_INTEGER): number {
    const text = this.words[word];
    const expected = limit === Number.MAX_SAFE_INTEGER ? what : `${what} from 0 to ${limit - 1}`;
    if (text === undefined) return this.fail('the line ends', expected, word);
    if (!/^\d+$/.test(text) || Number(text) >= limit) return this.fail(`found ${text}`, expected, word);
    return Number(text);
  }

  /** The decimal number or fraction at a word. */
  value(word: number, what: string): number {
    const text = this.words[word];
    const expected = `${what}, such as 0.25 or 1/4`;
    return text === undefined ? this.fail('the line ends', expected, word) : this.parse(text, expected, word);
  }

  /** The decimal number or fraction that is (part of) a word. */
  parse(text: string, expected: string, word: number): number {
    const value = numberOf(text);
    return Number.isFinite(value) ? value : this.fail(`found ${this.words[word]}`, expected, word);
  }

  /** Refuses words beyond the first `count`. */
  end(count: number): void {
    if (this.words.length > count) this.fail(`found ${this.words[count]}`, 'the end of the line', count);
  }
}

/** The double nearest to a decimal number or fraction; NaN if the text is neither. */
function numberOf(text: string): number {
  if (/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text)) return Number(text);
  const [, numerator, denominator] = /^([+-]?\d+)\/(\d+)$/.exec(text) ?? [];
  if (denominator === undefined || /^0+$/.test(denominator)) return Number.NaN;
  return fractionToDouble(BigInt(numerator.replace('+', '')), BigInt(denominator));
}

/** An explicit file: its lines, and its comments, in which PRISM says what the file holds. */
export interface ExplicitFile {
  readonly source: string;
  readonly lines: readonly Line[];
  readonly comments: readonly string[];
}

export function readLines(text: string, source: string): ExplicitFile {
  const lines: Line[] = [];
  const comments: string[] = [];
  text.split(/\r?\n/).forEach((line, i) => {
    const trimmed = line.trim();
    if (trimmed.startsWith('#')) comments.push(trimmed.slice(1).trim());
    else if (trimmed !== '') lines.push(new Line(source, i + 1, line));
  });
  return { source, lines, comments };
}

/** @throws ParseError if the file has no line that is not a comment */
export function headerLine({ source, lines }: ExplicitFile, expected: string): Line {
  return lines[0] ?? new Line(source, 1, '').fail('the file is empty', expected);
}

/** Refuses a file whose number of entries differs from its header. */
export function checkCount(header: Line, word: number, found: number, what: string): void {
  const promised = header.index(word, `the number of ${what}`);
  if (promised === found) return;
  header.fail(
    `the header promises ${promised} ${what}, the file has ${found}`,
    `the header to say ${found}`,
    word,
  );
}
