import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { canonicalJson } from '../../base/canonicalJson.js';
import { InvalidArgumentError } from '../../base/errors.js';
import { refuseUnknownOptions } from '../../base/suggest.js';

/** Options of `hashInputs`. */
export interface InputHashOptions {
  /**
   * With a key of at least 16 characters the hash is an HMAC. Without a key, a reader of the log can try candidate inputs and find those with few possible
   * values, such as a card number, even if they are redacted.
   */
  readonly hashKey?: string | Uint8Array;
  /** Maximum number of characters of the canonical JSON; beyond it there is no hash. Default 1,048,576. */
  readonly maxLength?: number;
}

/**
 * SHA-256, in hexadecimal, of the canonical JSON of the inputs of a decision, not redacted: with the stored inputs it can be proven that these were the inputs.
 *
 * @returns null if there is no hash: the value is cyclic, nested more than 1000 deep, too large, not JSON, or unreadable
 * @throws InvalidArgumentError if the key is too short
 */
export function hashInputs(value: unknown, options: InputHashOptions = {}): string | null {
  refuseUnknownOptions('hashInputs', options, { hashKey: true, maxLength: true });
  const { hashKey, maxLength = 1 << 20 } = options;
  if (hashKey !== undefined && hashKey.length < LEAST_KEY) {
    throw new InvalidArgumentError(
      `hashKey has ${hashKey.length} characters; expected ${LEAST_KEY} or more, at random`,
    );
  }
  let text: string;
  try {
    text = canonicalJson(value, maxLength);
  } catch {
    return null;
  }
  const bytes = utf8ToBytes(text);
  if (hashKey === undefined) return bytesToHex(sha256(bytes));
  return bytesToHex(hmac(sha256, typeof hashKey === 'string' ? utf8ToBytes(hashKey) : hashKey, bytes));
}

const LEAST_KEY = 16;
