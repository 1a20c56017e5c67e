import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { canonicalJson } from '../../base/canonicalJson.js';
import { InvalidArgumentError } from '../../base/errors.js';
import type { Answer, Inspection } from './inspection.js';

const LEAST_KEY = 32;

/** Seals questions and answers that are stored in a place where others can write: the key shows which of them its holders wrote. */
export class InspectionSeal {
  readonly #key: Uint8Array;

  /** @throws InvalidArgumentError if there is no key, or it has less than 32 characters or bytes */
  constructor(key: string | Uint8Array) {
    const length = typeof key === 'string' || key instanceof Uint8Array ? key.length : 0;
    if (length < LEAST_KEY)
      throw new InvalidArgumentError(
        `the key of inspections has ${length} characters; expected ${LEAST_KEY} or more, at random: without one, anyone who can write to their folder approves calls. foreguard inspections key FILE makes one`,
      );
    this.#key = typeof key === 'string' ? utf8ToBytes(key) : Uint8Array.from(key);
  }

  /** Seals a question as it is stored: its whole content, its deadline, and whether the asking process has gone on. */
  ofQuestion(inspection: Inspection, expired: boolean): string {
    return this.#mac(['question', inspection, expired]);
  }

  /** Seals an answer: its question, word for word, the answer with its arguments, the person, and the time. It fits no other question, nor the same one asked later. */
  ofAnswer(inspection: Inspection, answer: SealedAnswer): string {
    const { approved, by, comment, answeredAt, arguments: given } = answer;
    const edit = given === undefined ? [] : [{ arguments: given }];
    return this.#mac(['answer', inspection, approved, by ?? null, comment ?? null, answeredAt, ...edit]);
  }

  #mac(content: readonly unknown[]): string {
    return bytesToHex(
      hmac(sha256, this.#key, utf8ToBytes(canonicalJson(['foreguard inspection 1', ...content]))),
    );
  }
}

type SealedAnswer = Answer & { readonly answeredAt: number };

/** Compares two seals in constant time, which does not reveal where they differ. */
export function isSameSeal(expected: string, found: unknown): boolean {
  if (typeof found !== 'string' || found.length !== expected.length) return false;
  let differing = 0;
  for (let i = 0; i < expected.length; i++) differing |= expected.charCodeAt(i) ^ found.charCodeAt(i);
  return differing === 0;
}
