import type { Place } from '../expression/index.js';
import type { ScriptProblems } from './problems.js';

type Range = readonly [first: number, last: number];

const LAST = 0x10ffff;
const DIGIT: readonly Range[] = [[48, 57]];
const WORD: readonly Range[] = [
  [48, 57],
  [65, 90],
  [95, 95],
  [97, 122],
];
/** White space and line ends of JavaScript. */
const SPACE: readonly Range[] = [
  [9, 13],
  [32, 32],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
];
const LINE_ENDS: readonly Range[] = [
  [10, 10],
  [13, 13],
  [0x2028, 0x2029],
];
const CLASSES: Readonly<Record<string, readonly Range[]>> = {
  d: DIGIT,
  D: complement(DIGIT),
  w: WORD,
  W: complement(WORD),
  s: SPACE,
  S: complement(SPACE),
};
const CONTROLS: Readonly<Record<string, number>> = { f: 12, n: 10, r: 13, t: 9, v: 11, '0': 0 };
const SYNTAX = '^$\\.*+?()[]{}|/';
/** Most repetitions by numbers, one within the other multiplied: the bound of RE2. */
const MOST_REPEATED = 1000;
const MOST_NESTING = 50;
/** Longest pattern that is compiled. */
const MOST_LENGTH = 1000;

/**
 * Translates a pattern of JavaScript to RE2's syntax, with the same meaning for `test`. What cannot mean the same is a problem.
 *
 * Without the flag `u`, JavaScript matches UTF-16 units: whatever matches half of a character needs the flag. Case is folded for ASCII alone, which is what `i` does without `u`.
 *
 * @param text the literal, with slashes and flags
 * @returns null after a problem
 */
export function translatePattern(text: string, place: Place, problems: ScriptProblems): string | null {
  const end = text.lastIndexOf('/');
  const flags = text.slice(end + 1);
  const wrong = [...flags].find((flag, i) => !'ius'.includes(flag) || flags.indexOf(flag) !== i);
  if (wrong !== undefined) {
    problems.add(place, `the flag "${wrong}" of a pattern`, 'no flags but i, s and u');
    return null;
  }
  if (flags.includes('i') && flags.includes('u')) {
    problems.add(
      place,
      'a pattern with the flags i and u',
      'one of them: fold case by lowerAscii(text), or write [aA]',
    );
    return null;
  }
  try {
    const translated = new PatternTranslator(text.slice(1, end), flags).translate();
    if (translated.length <= MOST_LENGTH) return translated;
    problems.add(place, `a pattern of ${translated.length} characters`, `at most ${MOST_LENGTH}`);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const { offset, found, expected } = error;
    problems.add({ ...place, column: place.column + 1 + offset }, found, expected);
  }
  return null;
}

class Refused extends Error {
  constructor(
    readonly offset: number,
    readonly found: string,
    readonly expected: string,
  ) {
    super(found);
  }
}

class PatternTranslator {
  readonly #pattern: string;
  readonly #ignoresCase: boolean;
  readonly #byCharacters: boolean;
  readonly #dotMatchesAll: boolean;
  #at = 0;
  #nesting = 0;
  /** The greatest product of repetitions in the part that was read last. */
  #repeated = 1;

  constructor(pattern: string, flags: string) {
    this.#pattern = pattern;
    this.#ignoresCase = flags.includes('i');
    this.#byCharacters = flags.includes('u');
    this.#dotMatchesAll = flags.includes('s');
  }

  translate(): string {
    const found = this.#choice();
    if (this.#at < this.#pattern.length) this.#refuse('a ")" without its "("', String.raw`"\)"`);
    return found;
  }

  #choice(): string {
    const parts = [this.#sequence()];
    while (this.#take('|')) parts.push(this.#sequence());
    return parts.join('|');
  }

  #sequence(): string {
    let found = '';
    let most = this.#repeated;
    while (this.#at < this.#pattern.length && !this.#sees('|') && !this.#sees(')')) {
      this.#repeated = 1;
      // JavaScript also looks between the halves of a character, with the flag u as well (V8): there \B holds.
      if (this.#sees('\\B')) this.#refuse('"\\B"', String.raw`the characters beside it, as in \w\w or \W`);
      const assertion = ['^', '$', '\\b'].find((one) => this.#take(one));
      if (assertion === undefined) {
        const part = this.#part();
        found += part + this.#repetition();
      } else {
        found += assertion;
        if (/[*+?{]/.test(this.#sign)) this.#refuse(`"${this.#sign}" after "${assertion}"`, 'nothing there');
      }
      most = Math.max(most, this.#repeated);
    }
    this.#repeated = most;
    return found;
  }

  #repetition(): string {
    const start = this.#at;
    const sign = this.#sign;
    let found = '';
    if (sign !== '' && '*+?'.includes(sign)) {
      this.#at++;
      found = sign;
    } else if (sign === '{') {
      const [whole, least, , most = ''] =
        /^\{(\d{1,6})(,(\d{0,6}))?\}/.exec(this.#pattern.slice(this.#at, this.#at + 20)) ?? [];
      if (whole === undefined) this.#refuse('"{"', String.raw`a repetition such as {2,3}, or "\{"`);
      const top = most === '' ? Number(least) : Number(most);
      if (Number(least) > top) this.#refuse(whole, 'the smaller number first');
      this.#repeated *= Math.max(top, 1);
      if (this.#repeated > MOST_REPEATED)
        this.#refuse(`more than ${MOST_REPEATED} repetitions`, `at most ${MOST_REPEATED} in all, or * or +`);
      this.#at += whole.length;
      found = whole;
    }
    if (found !== '') this.#take('?');
    if (found !== '' && /^[*+?{]/.test(this.#sign)) this.#refuseAt(start, 'two repetitions', 'one of them');
    return found;
  }

  #part(): string {
    const start = this.#at;
    const code = this.#next();
    const sign = String.fromCodePoint(code);
    switch (sign) {
      case '(':
        return this.#group(start);
      case '[':
        return this.#class(start);
      case '.':
        this.#requireCharacters(start, '"."');
        return this.#dotMatchesAll ? '(?s:.)' : printClass(LINE_ENDS, true);
      case '\\':
        return this.#escape(start);
      case '*':
      case '+':
      case '?':
        return this.#refuseAt(start, `"${sign}" of nothing`, `a part that it repeats, or "\\${sign}"`);
      case ']':
      case '{':
      case '}':
        return this.#refuseAt(start, `"${sign}"`, `"\\${sign}"`);
      default:
        return this.#literal(code, start);
    }
  }

  #group(start: number): string {
    if (++this.#nesting > MOST_NESTING)
      this.#refuseAt(start, 'nesting too deep', `at most ${MOST_NESTING} levels`);
    if (this.#take('?') && !this.#take(':')) {
      const isNamed = /^<[^=!]/.test(this.#pattern.slice(this.#at, this.#at + 2));
      if (isNamed) this.#refuseAt(start, 'a group with a name', 'one without');
      this.#refuseAt(start, 'a look ahead or behind', 'two tests joined by &&');
    }
    const inside = this.#choice();
    if (!this.#take(')')) this.#refuseAt(start, 'a "(" without its ")"', '")"');
    this.#nesting--;
    return `(?:${inside})`;
  }

  #escape(start: number): string {
    const set = CLASSES[this.#sign];
    if (set === undefined) return this.#literal(this.#escaped(start, false), start);
    const name = this.#pattern[this.#at++];
    if (name === name.toUpperCase()) this.#requireCharacters(start, `"\\${name}"`);
    return printClass(set);
  }

  /** The character that an escape stands for, after its backslash. */
  #escaped(start: number, inClass: boolean): number {
    if (this.#at >= this.#pattern.length)
      this.#refuseAt(start, 'a backslash at the end', 'what it stands for');
    const sign = String.fromCodePoint(this.#next());
    const rest = this.#pattern.slice(this.#at);
    if (Object.hasOwn(CONTROLS, sign) && !(sign === '0' && /^\d/.test(rest))) return CONTROLS[sign];
    if (sign === 'x' || sign === 'u') {
      const digits =
        (sign === 'x' ? /^[\da-fA-F]{2}/ : /^[\da-fA-F]{4}/).exec(rest)?.[0] ??
        (sign === 'u' && this.#byCharacters ? /^\{[\da-fA-F]{1,6}\}/.exec(rest)?.[0] : undefined);
      const code = Number.parseInt(digits?.replace('{', '') ?? '', 16);
      if (digits === undefined || code > LAST || (code >= 0xd800 && code <= 0xdfff))
        this.#refuseAt(start, `the escape "\\${sign}"`, String.raw`\xHH, \uHHHH, or \u{H} with the flag u`);
      this.#at += digits.length;
      return code;
    }
    if (inClass && sign === '-') return 45;
    const isPlain = SYNTAX.includes(sign) || (!this.#byCharacters && /^[!-/:-@[-`{-~]$/.test(sign));
    if (!isPlain)
      this.#refuseAt(
        start,
        `the escape "\\${sign}"`,
        String.raw`\d \w \s \b \n \r \t, a sign, or a class in brackets`,
      );
    return sign.codePointAt(0)!;
  }

  #literal(code: number, start: number): string {
    if (code > 0xffff) this.#requireCharacters(start, 'a character of two UTF-16 units');
    this.#requireAscii(code, start);
    const cases = this.#ignoresCase ? casesOf(code) : [code];
    return cases.length === 1 ? printCode(code) : `[${cases.map(printCode).join('')}]`;
  }

  #class(start: number): string {
    const isNegated = this.#take('^');
    if (isNegated) this.#requireCharacters(start, '"[^"');
    const ranges: Range[] = [];
    while (!this.#take(']')) {
      if (this.#at >= this.#pattern.length) this.#refuseAt(start, 'a "[" without its "]"', '"]"');
      const at = this.#at;
      const first = this.#classPart();
      if (typeof first !== 'number') {
        ranges.push(...first);
        if (this.#sees('-') && this.#pattern[this.#at + 1] !== ']')
          this.#refuse('"-" after a class', String.raw`"\-"`);
        continue;
      }
      let last: number | readonly Range[] = first;
      if (this.#sees('-') && this.#pattern[this.#at + 1] !== ']') {
        this.#at++;
        last = this.#classPart();
      }
      if (typeof last !== 'number' || last < first)
        return this.#refuseAt(at, 'a range without order', 'two characters, the smaller first');
      if (last > 0xffff || (first <= 0xdfff && last >= 0xd800))
        this.#requireCharacters(at, 'a class with characters of two UTF-16 units');
      this.#requireAscii(last, at);
      ranges.push([first, last]);
    }
    if (ranges.length === 0) {
      if (isNegated) return '(?s:.)';
      this.#refuseAt(start, 'a class of nothing', 'characters between "[" and "]"');
    }
    return printClass(this.#ignoresCase ? withBothCases(ranges) : ranges, isNegated);
  }

  #classPart(): number | readonly Range[] {
    const start = this.#at;
    const code = this.#next();
    if (code !== 92) return code;
    const set = CLASSES[this.#sign];
    if (this.#sign === 'b') this.#refuseAt(start, String.raw`"\b" in a class`, String.raw`\x08`);
    if (set === undefined) return this.#escaped(start, true);
    const name = this.#pattern[this.#at++];
    if (name === name.toUpperCase()) this.#requireCharacters(start, `"\\${name}"`);
    return set;
  }

  /** Without the flag `u`, what matches any character matches half of one. */
  #requireCharacters(start: number, what: string): void {
    if (!this.#byCharacters)
      this.#refuseAt(
        start,
        `${what}, which matches halves of characters without the flag u`,
        'the flag u: /…/u; with i, lowerAscii(text) in place of the flag',
      );
  }

  #requireAscii(code: number, start: number): void {
    if (this.#ignoresCase && code > 127)
      this.#refuseAt(
        start,
        'a character outside ASCII with the flag i',
        'both cases written, without the flag',
      );
  }

  get #sign(): string {
    return this.#pattern[this.#at] ?? '';
  }

  #sees(text: string): boolean {
    return this.#pattern.startsWith(text, this.#at);
  }

  #take(text: string): boolean {
    const found = this.#sees(text);
    if (found) this.#at += text.length;
    return found;
  }

  #next(): number {
    const code = this.#pattern.codePointAt(this.#at);
    if (code === undefined) return this.#refuse('the end of the pattern', 'more of it');
    if (code >= 0xd800 && code <= 0xdfff) this.#refuse('half of a surrogate pair', 'whole characters');
    this.#at += code > 0xffff ? 2 : 1;
    return code;
  }

  #refuse(found: string, expected: string): never {
    return this.#refuseAt(this.#at, found, expected);
  }

  #refuseAt(offset: number, found: string, expected: string): never {
    throw new Refused(offset, found, expected);
  }
}

function complement(ranges: readonly Range[]): Range[] {
  const found: Range[] = [];
  let next = 0;
  for (const [first, last] of ranges) {
    if (first > next) found.push([next, first - 1]);
    next = last + 1;
  }
  return [...found, [next, LAST]];
}

function isLetter(code: number): boolean {
  return (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}

function casesOf(code: number): readonly number[] {
  return isLetter(code) ? [code & ~32, code | 32] : [code];
}

function withBothCases(ranges: readonly Range[]): Range[] {
  return ranges.flatMap(([first, last]): Range[] => {
    const upper: Range = [Math.max(first, 65), Math.min(last, 90)];
    const lower: Range = [Math.max(first, 97), Math.min(last, 122)];
    const others: Range[] = [
      [upper[0] + 32, upper[1] + 32],
      [lower[0] - 32, lower[1] - 32],
    ];
    return [[first, last], ...others.filter(([from, to]) => from <= to)];
  });
}

function printClass(ranges: readonly Range[], isNegated = false): string {
  const printed = ranges.map(([first, last]) =>
    first === last ? printCode(first) : `${printCode(first)}-${printCode(last)}`,
  );
  return `[${isNegated ? '^' : ''}${printed.join('')}]`;
}

function printCode(code: number): string {
  const sign = String.fromCodePoint(code);
  if (/^[\w ]$/.test(sign)) return sign;
  return code > 32 && code < 127 ? `\\${sign}` : `\\x{${code.toString(16)}}`;
}
