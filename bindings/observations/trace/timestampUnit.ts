import { type Motion, usualRatio, ways } from './motion.js';

/** Shortest distance in metres that is judged; below it, position errors matter. */
export const LEAST_METRES = 5;

/** The range of seconds since 1970, from 1998 to 2128; frame counters and simulator clocks stay far below it. */
const EPOCH_SECONDS = [9e8, 5e9] as const;

/** Seconds per unit of a timestamp that counts s, ms, µs or ns since 1970; null for any other timestamp. */
export function epochUnit(timestamp: number): number | null {
  const [from, to] = EPOCH_SECONDS;
  return [1, 1e-3, 1e-6, 1e-9].find((unit) => timestamp * unit >= from && timestamp * unit < to) ?? null;
}

/**
 * Deduces the seconds per unit of the timestamps: the distance covered divided by the distance that the speeds would cover in as many
 * seconds as units, to two significant digits, as it is in most of the drive (`usualRatio`).
 *
 * @returns null if the vehicle covered less than 5 m between frames that record its motion.
 */
export function deduceTimestampUnit(motions: readonly Motion[]): number | null {
  const seconds = usualRatio(motions);
  return ways(motions).metres >= LEAST_METRES && Number.isFinite(seconds)
    ? Number(seconds.toPrecision(2))
    : null;
}
