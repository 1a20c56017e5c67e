import type { Json } from '../workflow/index.js';

/**
 * Whether a user's words have a value: each text and each number in it, as words of their own and whatever their case, so that `13` is not in `2013`. Nothing at all (null, an empty text or
 * list) is in any words; true and false are in none.
 */
export function isSaid(value: Json, words: string): boolean {
  if (value === null) return true;
  if (typeof value === 'boolean') return false;
  if (typeof value === 'object')
    return (Array.isArray(value) ? value : Object.values(value)).every((one: Json) => isSaid(one, words));
  const text = String(value).trim().toLowerCase();
  if (text === '') return true;
  const all = words.toLowerCase();
  for (let at = all.indexOf(text); at >= 0; at = all.indexOf(text, at + 1))
    if (!isWord(before(all, at)) && !isWord(after(all, at + text.length))) return true;
  return false;
}

const isWord = (character: string): boolean => /[\p{L}\p{N}]/u.test(character);

/** The code point that ends at a place of a text; none at its beginning. */
function before(text: string, at: number): string {
  return at >= 2 && text.codePointAt(at - 2)! > 0xffff ? text.slice(at - 2, at) : text.charAt(at - 1);
}

function after(text: string, at: number): string {
  const point = text.codePointAt(at);
  return point === undefined ? '' : String.fromCodePoint(point);
}
