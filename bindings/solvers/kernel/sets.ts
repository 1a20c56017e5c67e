import { InvalidArgumentError } from '../../base/errors.js';
import { BitSet } from './bitSet.js';

/**
 * Refuses sets that are not over the `states` states of a model, because bits past the last state would return as members of
 * results.
 *
 * @param holder the model's name in messages, e.g. `the chain`.
 */
export function checkSets(sets: Readonly<Record<string, BitSet>>, states: number, holder: string): void {
  for (const [name, set] of Object.entries(sets)) {
    if (!(set instanceof BitSet)) {
      throw new InvalidArgumentError(`${name} is ${String(set)}: it is a BitSet over ${states} states`);
    }
    if (set.size !== states) {
      throw new InvalidArgumentError(`${name} is a set over ${set.size} states, but ${holder} has ${states}`);
    }
    const words = (states + 31) >>> 5;
    if (set.words.length !== words || (states & 31 && set.words[words - 1] >>> (states & 31))) {
      throw new InvalidArgumentError(
        `${name} has ${set.words.length} words of bits, or bits at or above its size: a set over ${states} states has ${words} words, and bits below ${states} alone`,
      );
    }
  }
}
