import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** JSON with the keys of every object in ascending order, so that equal content has equal text. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, canonical(item)]));
}

/** SHA-256, in hexadecimal, of a JSON value; the order of keys does not matter. */
export function hashJson(value: unknown): string {
  return bytesToHex(sha256(utf8ToBytes(JSON.stringify(canonical(value)))));
}
