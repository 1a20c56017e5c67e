import type { Random } from '../../../bindings/base/random.js';

/**
 * What a field that holds numbers is declared with, before its first value: such a field is a double from the beginning, and
 * writing to it allocates nothing. One that began as a small integer, or undefined, would change what its object looks like
 * later on, and code optimised for the one would box numbers for the other.
 */
export const UNSET = Number.NaN;

/** Uniform between two numbers. */
export function between(random: Random, low: number, high: number): number {
  return low + (high - low) * random.next();
}

/** Nearly normal, mean 0 and standard deviation 1: a sum of three uniform numbers, within [-3, 3]. */
export function normal(random: Random): number {
  return 2 * (random.next() + random.next() + random.next()) - 3;
}
