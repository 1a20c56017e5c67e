import type { Random } from '../random.js';

/** Uniform between two numbers. */
export function between(random: Random, low: number, high: number): number {
  return low + (high - low) * random.next();
}

/** Nearly normal, mean 0 and standard deviation 1: a sum of three uniform numbers, within [-3, 3]. */
export function normal(random: Random): number {
  return 2 * (random.next() + random.next() + random.next()) - 3;
}
