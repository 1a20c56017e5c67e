import { InvalidArgumentError } from '../../base/errors.js';
import { nearestName } from '../../base/suggest.js';

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
 * Packs steps whose values are given by name. A predicate that a step lacks counts as unreadable there.
 *
 * @throws InvalidArgumentError if a value is neither true nor false, or no step names a predicate, not even as undefined
 */
export function packPrefix(
  steps: readonly Readonly<Record<string, boolean | undefined>>[],
  predicates: readonly string[],
): Prefix {
  for (const name of predicates) {
    if (steps.length === 0 || steps.some((step) => name in step)) continue;
    const nearest = nearestName(name, Object.keys(steps[0]));
    throw new InvalidArgumentError(
      `no step has predicate "${name}"${nearest === undefined ? '' : `; did you mean "${nearest}"?`}`,
    );
  }
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
