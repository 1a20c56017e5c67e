const SINGLE: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };
const CODE = /x([\da-fA-F]{2})|u([\da-fA-F]{4})|u\{([\da-fA-F]{1,8})\}/y;

/**
 * Reads the text in quotes at `start` by the rules of JavaScript.
 *
 * @param wrong is told what is wrong, and where; reading goes on
 */
export function readText(
  source: string,
  start: number,
  wrong: (offset: number, found: string, expected: string) => void,
): { readonly value: string; readonly end: number } {
  const quote = source[start];
  let value = '';
  let at = start + 1;
  for (; source[at] !== quote; ) {
    if (at >= source.length || source[at] === '\n' || source[at] === '\r') {
      wrong(start, 'a text without its end', `the closing ${quote}`);
      return { value, end: at };
    }
    if (source[at] !== '\\') value += source[at++];
    else {
      const read = readEscape(source, at, wrong);
      value += read.value;
      at = read.end;
    }
  }
  if (/[\ud800-\udfff]/u.test(value)) wrong(start, 'half of a surrogate pair in a text', 'whole characters');
  return { value, end: at + 1 };
}

function readEscape(
  source: string,
  at: number,
  wrong: (offset: number, found: string, expected: string) => void,
): { readonly value: string; readonly end: number } {
  const sign = source[at + 1] ?? '';
  if (Object.hasOwn(SINGLE, sign)) return { value: SINGLE[sign], end: at + 2 };
  if (sign === 'x' || sign === 'u') {
    CODE.lastIndex = at + 1;
    const found = CODE.exec(source);
    const code = Number.parseInt(found?.[1] ?? found?.[2] ?? found?.[3] ?? '', 16);
    if (found !== null && code <= 0x10ffff)
      return {
        value: code > 0xffff ? String.fromCodePoint(code) : String.fromCharCode(code),
        end: CODE.lastIndex,
      };
    wrong(at, `the escape \\${sign}`, String.raw`\xHH, \uHHHH or \u{H} up to \u{10ffff}`);
    return { value: '', end: at + 2 };
  }
  if (/\d/.test(sign)) {
    const isZero = sign === '0' && !/\d/.test(source[at + 2] ?? '');
    if (!isZero) wrong(at, `the escape \\${sign}`, String.raw`\x and two hexadecimal digits`);
    return { value: '\0', end: at + 2 };
  }
  // A line that goes on.
  if (source.startsWith('\r\n', at + 1)) return { value: '', end: at + 3 };
  if (/[\n\r\u2028\u2029]/.test(sign)) return { value: '', end: at + 2 };
  return { value: sign, end: at + 1 + sign.length };
}
