import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { canonicalJson } from '../../base/canonicalJson.js';
import { isObject } from '../../base/objectKind.js';

/** SHA-256, in hexadecimal, of a JSON value; the order of keys does not matter. */
export function hashJson(value: unknown): string {
  return bytesToHex(sha256(utf8ToBytes(canonicalJson(value))));
}

/** The hash of a specification's content: what guards are compiled and models learnt from. Tools, which only check the file, and tests are not part of it: adding one changes no guard. */
export function hashSpecification(content: unknown): string {
  if (!isObject(content)) return hashJson(content);
  const { tests: _, tools: __, ...rest } = content;
  return hashJson(rest);
}
