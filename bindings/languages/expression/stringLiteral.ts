/** Throws the error for the text found at an offset. */
type Fail = (offset: number, found: string, expected: string) => never;

const opening = /(?:[rR]|[bB][rR]?|[rR][bB])?(?:"""|'''|"|')/y;
const single: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  '?': '?',
  '"': '"',
  "'": "'",
  '`': '`',
};
/** The digits of numeric escapes, by escape letter. */
const numeric: Readonly<Record<string, RegExp>> = {
  x: /[0-9a-fA-F]{2}/y,
  X: /[0-9a-fA-F]{2}/y,
  u: /[0-9a-fA-F]{4}/y,
  U: /[0-9a-fA-F]{8}/y,
};
const octal = /[0-3][0-7]{2}/y;

/** Whether a string literal, of any prefix, begins at `offset`. */
export function startsString(source: string, offset: number): boolean {
  opening.lastIndex = offset;
  return opening.test(source);
}

/** Reads the string literal at `offset`: single or triple quotes of both kinds, CEL's escapes, raw with prefix `r`. */
export function readString(source: string, offset: number, fail: Fail): { value: string; end: number } {
  opening.lastIndex = offset;
  const open = opening.exec(source)![0];
  if (/b/i.test(open))
    fail(offset, 'found a bytes literal', 'a string without prefix "b" (JSON has no bytes)');
  const raw = /r/i.test(open);
  const delimiter = open.replace(/^r/i, '');
  const multiline = delimiter.length === 3;

  let value = '';
  let at = offset + open.length;
  while (!source.startsWith(delimiter, at)) {
    if (at === source.length || (!multiline && (source[at] === '\n' || source[at] === '\r'))) {
      fail(offset, 'found a string without its end', `the closing ${delimiter}`);
    }
    if (source[at] === '\\' && !raw) {
      const { text, end } = readEscape(source, at, fail);
      value += text;
      at = end;
    } else if (isLoneSurrogate(source, at)) {
      fail(at, 'found half of a surrogate pair', 'Unicode text');
    } else {
      const length = source.codePointAt(at)! > 0xffff ? 2 : 1;
      value += source.slice(at, at + length);
      at += length;
    }
  }
  return { value, end: at + delimiter.length };
}

function readEscape(source: string, at: number, fail: Fail): { text: string; end: number } {
  const letter = source[at + 1] ?? '';
  if (Object.hasOwn(single, letter)) return { text: single[letter], end: at + 2 };
  const isNumeric = Object.hasOwn(numeric, letter);
  const digits = isNumeric ? numeric[letter] : octal;
  digits.lastIndex = at + (isNumeric ? 2 : 1);
  const found = digits.exec(source)?.[0];
  if (found === undefined) {
    const expected = String.raw`one of \n \r \t \\ \" \' \a \b \f \v \? \xHH \uHHHH \UHHHHHHHH \OOO`;
    return fail(at, `found the escape ${JSON.stringify(source.slice(at, at + 2))}`, expected);
  }
  const code = Number.parseInt(found, isNumeric ? 16 : 8);
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) {
    return fail(
      at,
      `found the escape of code point ${found}`,
      'a code point up to 10ffff outside d800..dfff',
    );
  }
  return { text: String.fromCodePoint(code), end: digits.lastIndex };
}

function isLoneSurrogate(source: string, at: number): boolean {
  const code = source.codePointAt(at)!;
  return code >= 0xd800 && code <= 0xdfff;
}
