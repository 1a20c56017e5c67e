/** Unicode's white space, as in CEL: without U+FEFF and the spaces of no width. */
const SPACE = /[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;

/** Whether a character is white space. */
export function isSpace(character: string): boolean {
  return SPACE.test(character);
}

/** A text without the white space at both ends. */
export function trim(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && isSpace(text[start])) start++;
  while (start < end && isSpace(text[end - 1])) end--;
  return text.slice(start, end);
}
