import { type Motion, ways } from './motion.js';

/** Below it, what a position is off by counts. */
export const LEAST_METRES = 5;

/** Seconds since 1970 between 1998 and 2128; counters of frames and clocks of simulators stay far below. */
const EPOCH_SECONDS = [9e8, 5e9] as const;

/** How many seconds one unit of a timestamp is that counts s, ms, µs or ns since 1970; null for any other. */
export function epochUnit(timestamp: number): number | null {
  const [from, to] = EPOCH_SECONDS;
  return [1, 1e-3, 1e-6, 1e-9].find((unit) => timestamp * unit >= from && timestamp * unit < to) ?? null;
}

/**
 * How many seconds one unit of the timestamps is: the way covered divided by the way that the speeds would cover in as many
 * seconds as units, to two significant digits.
 *
 * @returns null where the vehicle covered less than 5 m between frames that tell its motion.
 */
export function deduceTimestampUnit(motions: readonly Motion[]): number | null {
  const { metres, metresPerUnitSecond } = ways(motions);
  const seconds = metres / metresPerUnitSecond;
  return metres >= LEAST_METRES && Number.isFinite(seconds) ? Number(seconds.toPrecision(2)) : null;
}
