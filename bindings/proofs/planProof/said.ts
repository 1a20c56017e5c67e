import type { Json } from '../workflow/index.js';

/**
 * Whether a user's words have a value: each text and each number in it, as words of their own and whatever their case, so that `13` is not in `2013`, nor `bob@bank.example` in `bob@bank.example.com`. Nothing
 * at all (null, an empty text or list) is in any words; true and false are in none. Names of fields are words, too.
 */
export function isSaid(value: Json, words: string): boolean {
  if (value === null) return true;
  if (typeof value === 'boolean') return false;
  if (Array.isArray(value)) return value.every((one: Json) => isSaid(one, words));
  if (typeof value === 'object')
    return Object.entries(value).every(([name, one]) => isSaid(name, words) && isSaid(one, words));
  const text = lower(String(value));
  if (text === '') return true;
  const all = lower(words);
  for (let at = all.indexOf(text); at >= 0; at = all.indexOf(text, at + 1))
    if (!goesOn(text, all, at, -1) && !goesOn(text, all, at + text.length, 1)) return true;
  return false;
}

const isWord = (character: string): boolean => /[\p{L}\p{N}\p{M}_]/u.test(character);
const isDigit = (character: string): boolean => /\p{Nd}/u.test(character);

/** Whether the word with which a text begins or ends goes on beyond this place of all words. */
function goesOn(text: string, all: string, at: number, direction: 1 | -1): boolean {
  const edge = direction < 0 ? after(text, 0) : before(text, text.length);
  const next = direction < 0 ? before(all, at) : after(all, at);
  if (!isWord(edge)) return direction < 0 && /^[-+.]/.test(text) && isWord(next);
  if (isWord(next)) return true;
  const place = at + direction * next.length;
  const beyond = direction < 0 ? before(all, place) : after(all, place);
  // Parts of a number, and its sign.
  if (isDigit(edge) && /[.,]/.test(next) && isDigit(beyond)) return true;
  if (direction < 0 && isDigit(edge) && next === '-' && !isWord(beyond)) return true;
  // Parts of an address, a host or a path.
  if (!/[@/]|[^\s]\.[^\s]/.test(text) || !isWord(beyond)) return false;
  return /[.@_+%~-]/.test(next) || (direction > 0 && next === '/' && text.includes('/'));
}

/** In small letters, but for signs that are written like letters: they are others. */
function lower(text: string): string {
  return text.replace(/[^\u2126\u212a\u212b]+/g, (part) => part.toLowerCase());
}

/** The code point that ends at a place of a text; none at its beginning. */
function before(text: string, at: number): string {
  return at >= 2 && text.codePointAt(at - 2)! > 0xffff ? text.slice(at - 2, at) : text.charAt(at - 1);
}

function after(text: string, at: number): string {
  const point = text.codePointAt(at);
  return point === undefined ? '' : String.fromCodePoint(point);
}
