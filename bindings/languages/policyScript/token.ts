import type { Place } from '../expression/index.js';
import type { ScriptProblems } from './problems.js';
import { readText } from './text.js';

export interface Token {
  readonly kind: 'number' | 'string' | 'name' | 'symbol' | 'pattern' | 'wrong' | 'end';
  readonly text: string;
  readonly place: Place;
  /** The value of a number or a text. */
  readonly value?: number | string;
  /** Whether a line ends between the token and the one before it. */
  readonly afterLine: boolean;
}

/** Longest script accepted, in UTF-16 units. */
export const MOST_CHARACTERS = 100_000;

const SPACE = /\s+|\/\/[^\n\r\u2028\u2029]*|\/\*[\s\S]*?\*\//y;
const NUMBER =
  /0[xX][\da-fA-F]+|0[bB][01]+|0[oO][0-7]+|(?:(?:0|[1-9]\d*(?:_\d+)*)(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y;
const WORD = /[A-Za-z_$][\w$]*/y;
const SYMBOL =
  /===|!==|\*\*=?|=>|\.\.\.|\?\?=?|\?\.(?!\d)|&&=?|\|\|=?|<<=?|>>>?=?|[<>=!]=|\+\+|--|[-+*/%&|^]=|[-+*/%<>!?:.,;()[\]{}=&|^~@#]/y;
const PATTERN =
  /\/(?![*/])(?:[^\\/[\n\r\u2028\u2029]|\\[^\n\r\u2028\u2029]|\[(?:[^\\\]\n\r\u2028\u2029]|\\[^\n\r\u2028\u2029])*\])+\/[A-Za-z]*/y;
const LINE_END = /\r\n|[\n\r\u2028\u2029]/g;
/** After these words an operand stands. */
const BEFORE_OPERAND = new Set([
  'return',
  'else',
  'in',
  'of',
  'typeof',
  'case',
  'do',
  'void',
  'await',
  'throw',
]);

/** Cuts a script into tokens, the last of which has kind `end`. What begins no token is a problem, and left out. @throws Unreadable */
export function tokenize(source: string, problems: ScriptProblems): Token[] {
  const lines = new Lines(source);
  if (source.length > MOST_CHARACTERS)
    problems.stop(
      lines.placeOf(0),
      `a script of ${source.length} characters`,
      `at most ${MOST_CHARACTERS} characters`,
    );
  const match = (pattern: RegExp, at: number): string | undefined => {
    pattern.lastIndex = at;
    return pattern.exec(source)?.[0];
  };
  const tokens: Token[] = [];
  let line = 0;
  for (let at = 0; ; ) {
    for (let space = match(SPACE, at); space !== undefined; space = match(SPACE, at)) at += space.length;
    const place = lines.placeOf(at);
    const afterLine = place.line > line;
    const add = (kind: Token['kind'], text: string, value?: number | string) => {
      tokens.push({ kind, text, place, afterLine, ...(value !== undefined && { value }) });
      at += text.length;
      line = lines.placeOf(at).line;
    };
    if (at >= source.length) {
      add('end', '');
      return tokens;
    }
    const sign = source[at];
    let text: string | undefined;
    if (sign === '"' || sign === "'") {
      const { value, end } = readText(source, at, (offset, found, expected) =>
        problems.add(lines.placeOf(offset), found, expected),
      );
      add('string', source.slice(at, end), value);
    } else if (sign === '`') {
      problems.add(place, 'a template', "texts in quotes, joined by +: 'a' + b");
      add('wrong', source.slice(at, endOfTemplate(source, at)));
    } else if ((text = match(NUMBER, at)) !== undefined) {
      const rest = match(/[\w$]+/y, at + text.length);
      if (rest !== undefined) {
        problems.add(place, `"${text}${rest}".`.slice(0, 40), 'a number such as 10, 2.5, 1e3 or 0xff');
        add('wrong', text + rest);
        continue;
      }
      const value = Number(text.replaceAll('_', ''));
      if (!Number.isFinite(value)) problems.add(place, text, 'a number below 1.8e308');
      add('number', text, value);
    } else if ((text = match(WORD, at)) !== undefined) add('name', text);
    else if (source.startsWith('/*', at)) problems.stop(place, 'a comment without its end', '*/');
    else if (sign === '/' && operandFollows(tokens.at(-1))) {
      text = match(PATTERN, at);
      if (text === undefined) problems.add(place, 'a pattern without its end', 'the closing / on this line');
      add(text === undefined ? 'wrong' : 'pattern', text ?? match(/.+/y, at)!);
    } else if ((text = match(SYMBOL, at)) !== undefined) add('symbol', text);
    else {
      const found = String.fromCodePoint(source.codePointAt(at)!);
      problems.add(place, JSON.stringify(found), 'a name of the letters A to Z, a literal or an operator');
      at += found.length;
    }
  }
}

function operandFollows(last: Token | undefined): boolean {
  if (last === undefined) return true;
  if (last.kind === 'name') return BEFORE_OPERAND.has(last.text);
  return last.kind === 'symbol' && ![')', ']', '}'].includes(last.text);
}

/** Where a template ends, with what stands in its braces. */
function endOfTemplate(source: string, start: number): number {
  let depth = 0;
  for (let at = start + 1; at < source.length; at++) {
    if (source[at] === '\\') at++;
    else if (source.startsWith('${', at)) depth++;
    else if (source[at] === '}' && depth > 0) depth--;
    else if (source[at] === '`' && depth === 0) return at + 1;
  }
  return source.length;
}

class Lines {
  readonly #starts = [0];

  constructor(source: string) {
    for (const { index, 0: end } of source.matchAll(LINE_END)) this.#starts.push(index + end.length);
  }

  placeOf(offset: number): Place {
    let [low, high] = [0, this.#starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#starts[middle] <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - this.#starts[low] + 1, offset };
  }
}
