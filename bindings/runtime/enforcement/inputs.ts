import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { canonicalJson } from '../../base/canonicalJson.js';
import { InvalidArgumentError } from '../../base/errors.js';
import { refuseUnknownOptions } from '../../base/suggest.js';

/** How inputs are hashed. */
export interface InputHashOptions {
  /**
   * With a key of 16 characters or more it is an HMAC. Without one, whoever reads the log can try out what the inputs may have been, and find those of few
   * possibilities, such as a card's number, also where they are redacted.
   */
  readonly hashKey?: string | Uint8Array;
  /** Characters of the canonical JSON beyond which there is no hash; default 1,048,576. */
  readonly maxLength?: number;
}

/**
 * SHA-256, in hexadecimal, of the canonical JSON of what a decision was made on, not redacted: whoever has kept the inputs can show that they were these.
 *
 * @returns null where there is none: the value is cyclic, nested more than 1000 deep, too large, no JSON, or cannot be read
 * @throws InvalidArgumentError where the key is too short
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
