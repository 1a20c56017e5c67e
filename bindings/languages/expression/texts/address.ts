import { domainName } from './domainName.js';
import { isSpace } from './space.js';

/** An e-mail address; its domain is in lower case. */
export interface Address {
  readonly local: string;
  readonly domain: string;
}

/**
 * The characters of RFC 5322's dot-atom without `%` and `!`, by which relays were told to send a message on to another domain.
 */
const LOCAL = /^[A-Za-z0-9#$&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9#$&'*+/=?^_`{|}~-]+)*$/;

/** Reads a text that is one e-mail address and nothing else; undefined for any other text. */
export function readAddress(text: string): Address | undefined {
  const at = text.indexOf('@');
  const local = text.slice(0, at);
  if (at < 0 || at > 64 || !LOCAL.test(local)) return undefined;
  const domain = domainName(text.slice(at + 1));
  return domain === undefined ? undefined : { local, domain };
}

/** Signs that people and some programs take for `@`. */
const LOOKS_LIKE_AT = /[\uff20\ufe6b]/;
/** Characters of local parts that are no marks around an address as well. */
const OF_LOCAL = /[A-Za-z0-9._+-]/;
const OF_DOMAIN = /[A-Za-z0-9.-]/;
/** Characters that may stand before and after an address, beside white space; any other could be a part of it. */
const BESIDE_START = /["-$&-?[\]-~]/;
const BESIDE_END = /[!-$&')*,-?\]^`-~]/;

/**
 * The e-mail addresses in a text, in order. An `@` between white space is none, and neither is one that begins a word, as in `@ann`.
 *
 * @returns undefined if any other `@` belongs to no address that can be read with certainty
 */
export function findAddresses(text: string): string[] | undefined {
  if (LOOKS_LIKE_AT.test(text)) return undefined;
  const found: string[] = [];
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    if (at === 0 || isSpace(text[at - 1]) || '([,;:'.includes(text[at - 1])) continue;
    let start = at;
    while (start > 0 && OF_LOCAL.test(text[start - 1])) start--;
    let end = at + 1;
    if (end === text.length || isSpace(text[end])) continue;
    while (end < text.length && OF_DOMAIN.test(text[end])) end++;
    const [before = ' ', after = ' '] = [text[start - 1], text[end]];
    if (!isSpace(before) && !BESIDE_START.test(before)) return undefined;
    if (!isSpace(after) && !BESIDE_END.test(after)) return undefined;
    // The stop at the end of a sentence.
    while (text[end - 1] === '.') end--;
    const address = readAddress(text.slice(start, end));
    if (address === undefined) return undefined;
    found.push(`${address.local}@${address.domain}`);
  }
  return found;
}
