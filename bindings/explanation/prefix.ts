import { InvalidArgumentError } from '../errors.js';

/** The first steps of a trace, as packed valuations; step i starts at word i * words. */
export interface Prefix {
  /** Names in the order of their bits. */
  readonly predicates: readonly string[];
  readonly words: number;
  readonly length: number;
  readonly valuations: Uint32Array;
  /** Bits that could be read; null is all. */
  readonly known: Uint32Array | null;
}

/**
 * Packs steps given by name. A predicate that a step lacks could not be read there.
 *
 * @throws InvalidArgumentError where a value is neither true nor false
 */
export function packPrefix(
  steps: readonly Readonly<Record<string, boolean | undefined>>[],
  predicates: readonly string[],
): Prefix {
  const words = Math.max(1, Math.ceil(predicates.length / 32));
  const valuations = new Uint32Array(words * steps.length);
  const known = new Uint32Array(words * steps.length);
  steps.forEach((step, i) => {
    predicates.forEach((name, p) => {
      const value = step[name];
      if (value === undefined) return;
      if (typeof value !== 'boolean') {
        throw new InvalidArgumentError(`step ${i}: predicate "${name}" is ${value}, expected true or false`);
      }
      const word = words * i + (p >>> 5);
      known[word] |= 1 << (p & 31);
      if (value) valuations[word] |= 1 << (p & 31);
    });
  });
  return { predicates, words, length: steps.length, valuations, known };
}
