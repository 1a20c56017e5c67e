import { NotSupportedError } from '../../base/errors.js';
import { caseClosure } from './caseFolding.js';
import {
  ANY_CHARACTER,
  type CharacterSet,
  characterSet,
  codePointsOf,
  complementOfSet,
  unionOfSets,
} from './characterSet.js';
import { choice, NOTHING, type Regex, repeat, sequence } from './nfa.js';

const DIGIT = characterSet([48, 57]);
const SPACE = characterSet('\t\n\f\r ');
const WORD = characterSet([48, 57], [65, 90], '_', [97, 122]);
const NOT_NEWLINE = complementOfSet(characterSet('\n'));

const PERL: Readonly<Record<string, CharacterSet>> = {
  d: DIGIT,
  s: SPACE,
  w: WORD,
  D: complementOfSet(DIGIT),
  S: complementOfSet(SPACE),
  W: complementOfSet(WORD),
};

const POSIX: Readonly<Record<string, CharacterSet>> = {
  alnum: characterSet([48, 57], [65, 90], [97, 122]),
  alpha: characterSet([65, 90], [97, 122]),
  ascii: characterSet([0, 127]),
  blank: characterSet('\t '),
  cntrl: characterSet([0, 31], [127, 127]),
  digit: DIGIT,
  graph: characterSet([33, 126]),
  lower: characterSet([97, 122]),
  print: characterSet([32, 126]),
  punct: characterSet([33, 47], [58, 64], [91, 96], [123, 126]),
  space: characterSet([9, 13], ' '),
  upper: characterSet([65, 90]),
  word: WORD,
  xdigit: characterSet([48, 57], [65, 70], [97, 102]),
};

const ESCAPED: Readonly<Record<string, number>> = { a: 7, f: 12, n: 10, r: 13, t: 9, v: 11 };

interface Flags {
  readonly i: boolean;
  readonly m: boolean;
  readonly s: boolean;
}

/**
 * Reads a pattern in RE2's syntax, of which another engine has found that it is valid, into the texts that match it. Whether a repetition is greedy, and what
 * is captured, does not matter for that.
 *
 * @throws NotSupportedError for what has no small automaton, or depends on the version of Unicode: classes such as `\p{L}`
 * @see https://github.com/google/re2/wiki/Syntax
 */
export function readPattern(pattern: string): Regex {
  return new PatternReader(pattern).read();
}

class PatternReader {
  readonly #pattern: string;
  readonly #codes: readonly number[];
  #at = 0;
  #flags: Flags = { i: false, m: false, s: false };

  constructor(pattern: string) {
    this.#pattern = pattern;
    this.#codes = codePointsOf(pattern);
  }

  read(): Regex {
    const regex = this.#choice();
    if (this.#at < this.#codes.length) this.#refuse();
    return regex;
  }

  #choice(): Regex {
    const outside = this.#flags;
    const parts = [this.#sequence()];
    while (this.#takes('|')) parts.push(this.#sequence());
    this.#flags = outside;
    return choice(...parts);
  }

  #sequence(): Regex {
    const parts: Regex[] = [];
    while (this.#at < this.#codes.length && !this.#sees('|') && !this.#sees(')')) {
      if (this.#takes('\\Q')) {
        while (this.#at < this.#codes.length && !this.#takes('\\E')) parts.push(this.#literal(this.#next()));
        // What repeats is the last character.
        if (parts.length > 0) parts.push(this.#repeated(parts.pop()!));
      } else {
        const part = this.#part();
        if (part !== null) parts.push(this.#repeated(part));
      }
    }
    return parts.length === 0 ? NOTHING : sequence(...parts);
  }

  /** One part without its repetition; null for a change of flags. */
  #part(): Regex | null {
    if (this.#takes('(')) return this.#group();
    if (this.#takes('[')) return this.#set(this.#class());
    const code = this.#next();
    switch (String.fromCodePoint(code)) {
      case '.':
        return this.#set(this.#flags.s ? ANY_CHARACTER : NOT_NEWLINE);
      case '^':
        return { kind: 'assert', assertion: this.#flags.m ? 'lineStart' : 'textStart' };
      case '$':
        return { kind: 'assert', assertion: this.#flags.m ? 'lineEnd' : 'textEnd' };
      case '\\':
        return this.#escape();
      default:
        return this.#literal(code);
    }
  }

  #group(): Regex | null {
    if (!this.#takes('?')) return this.#closed(this.#choice());
    if (this.#takes('P<') || this.#takes('<')) {
      while (!this.#takes('>')) this.#next();
      return this.#closed(this.#choice());
    }
    const outside = this.#flags;
    let on = true;
    for (;;) {
      const sign = String.fromCodePoint(this.#next());
      if (sign === '-') on = false;
      else if (sign === 'i' || sign === 'm' || sign === 's') this.#flags = { ...this.#flags, [sign]: on };
      else if (sign === ')') return null;
      else if (sign === ':') {
        const inside = this.#closed(this.#choice());
        this.#flags = outside;
        return inside;
      } else if (sign !== 'U') this.#refuse();
    }
  }

  #closed(inside: Regex): Regex {
    if (!this.#takes(')')) this.#refuse();
    return inside;
  }

  #repeated(part: Regex): Regex {
    let regex = part;
    for (;;) {
      if (this.#takes('*')) regex = repeat(regex);
      else if (this.#takes('+')) regex = repeat(regex, 1);
      else if (this.#takes('?')) regex = repeat(regex, 0, 1);
      else {
        const counted = this.#sees('{') ? this.#counts() : null;
        if (counted === null) return regex;
        regex = repeat(regex, ...counted);
      }
      this.#takes('?');
    }
  }

  /** The numbers of `{2}`, `{2,}` or `{2,3}`; null if the brace is a character. */
  #counts(): [number, number | null] | null {
    const rest = String.fromCodePoint(...this.#codes.slice(this.#at, this.#at + 12));
    const [whole, least, comma, most] = /^\{(\d+)(,?)(\d*)\}/.exec(rest) ?? [];
    if (whole === undefined) return null;
    this.#at += whole.length;
    if (comma === '') return [Number(least), Number(least)];
    return [Number(least), most === '' ? null : Number(most)];
  }

  #escape(): Regex {
    const sign = String.fromCodePoint(this.#next());
    if (sign === 'A') return { kind: 'assert', assertion: 'textStart' };
    if (sign === 'z') return { kind: 'assert', assertion: 'textEnd' };
    if (sign === 'b') return { kind: 'assert', assertion: 'wordBoundary' };
    if (sign === 'B') return { kind: 'assert', assertion: 'noWordBoundary' };
    this.#at--;
    return this.#set(this.#escapedSet());
  }

  /** What stands after a backslash, as a set. */
  #escapedSet(): CharacterSet {
    const code = this.#next();
    const sign = String.fromCodePoint(code);
    if (Object.hasOwn(PERL, sign)) return this.#perl(sign);
    const escaped = this.#escapedCode(code);
    return characterSet([escaped, escaped]);
  }

  /** `\W` without case is all but what `\w` without case is. */
  #perl(sign: string): CharacterSet {
    if (!this.#flags.i) return PERL[sign];
    const folded = caseClosure(PERL[sign.toLowerCase()]);
    return sign === sign.toLowerCase() ? folded : complementOfSet(folded);
  }

  #escapedCode(code: number): number {
    const sign = String.fromCodePoint(code);
    if (Object.hasOwn(ESCAPED, sign)) return ESCAPED[sign];
    if (sign === 'x') return this.#hexadecimal();
    if (/[0-7]/.test(sign)) return this.#octal(sign);
    return /[A-Za-z0-9]/.test(sign) ? this.#refuse() : code;
  }

  #hexadecimal(): number {
    if (!this.#takes('{')) return Number.parseInt(String.fromCodePoint(this.#next(), this.#next()), 16);
    let digits = '';
    while (!this.#takes('}')) digits += String.fromCodePoint(this.#next());
    return Number.parseInt(digits, 16);
  }

  #octal(first: string): number {
    let digits = first;
    while (digits.length < 3 && this.#at < this.#codes.length) {
      const sign = String.fromCodePoint(this.#codes[this.#at]);
      if (!/[0-7]/.test(sign)) break;
      digits += sign;
      this.#at++;
    }
    return Number.parseInt(digits, 8);
  }

  /** A class in brackets, after the first of them. */
  #class(): CharacterSet {
    const negated = this.#takes('^');
    const sets: CharacterSet[] = [];
    for (let isFirst = true; isFirst || !this.#takes(']'); isFirst = false) {
      if (this.#takes('[:')) {
        sets.push(this.#posix());
        continue;
      }
      if (this.#sees('\\') && this.#isSetEscape()) {
        this.#at++;
        sets.push(this.#escapedSet());
        continue;
      }
      const first = this.#classCharacter();
      const isRange =
        this.#sees('-') && this.#codes[this.#at + 1] !== 0x5d && this.#at + 1 < this.#codes.length;
      if (isRange) this.#at++;
      const last = isRange ? this.#classCharacter() : first;
      sets.push(characterSet([first, last]));
    }
    const all = this.#flags.i ? caseClosure(unionOfSets(...sets)) : unionOfSets(...sets);
    return negated ? complementOfSet(all) : all;
  }

  #isSetEscape(): boolean {
    const code = this.#codes[this.#at + 1];
    return code !== undefined && /[dswDSWpP]/.test(String.fromCodePoint(code));
  }

  #classCharacter(): number {
    const code = this.#next();
    return code === 0x5c ? this.#escapedCode(this.#next()) : code;
  }

  #posix(): CharacterSet {
    const negated = this.#takes('^');
    let name = '';
    while (!this.#takes(':]')) name += String.fromCodePoint(this.#next());
    if (!Object.hasOwn(POSIX, name)) this.#refuse();
    const set = this.#flags.i ? caseClosure(POSIX[name]) : POSIX[name];
    return negated ? complementOfSet(set) : set;
  }

  #literal(code: number): Regex {
    return this.#set(characterSet([code, code]));
  }

  /** @param set of any case, if it came of a letter */
  #set(set: CharacterSet): Regex {
    const isLiteral = set.length === 1 && set[0][0] === set[0][1];
    return { kind: 'set', set: this.#flags.i && isLiteral ? caseClosure(set) : set };
  }

  #sees(text: string): boolean {
    return codePointsOf(text).every((code, i) => this.#codes[this.#at + i] === code);
  }

  #takes(text: string): boolean {
    const found = this.#sees(text);
    if (found) this.#at += text.length;
    return found;
  }

  #next(): number {
    return this.#codes[this.#at] === undefined ? this.#refuse() : this.#codes[this.#at++];
  }

  #refuse(): never {
    const near = String.fromCodePoint(...this.#codes.slice(Math.max(0, this.#at - 2), this.#at + 6));
    throw new NotSupportedError(
      `the pattern ${JSON.stringify(this.#pattern)} has no automaton here because of what stands near ${JSON.stringify(near)}; write it with characters, classes in brackets, groups and repetitions`,
    );
  }
}
