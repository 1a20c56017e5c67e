/** Where a vehicle was, and how fast, at a timestamp of its recording. */
export interface Motion {
  readonly timestamp: number;
  /** Metres. */
  readonly x: number;
  readonly y: number;
  readonly metresPerSecond: number;
}

/** Below it, what a position is off by counts. */
const LEAST_METRES = 5;

/**
 * How many seconds one unit of the timestamps is: the way covered divided by the way that the speeds would cover in as many
 * seconds as units, to two significant digits.
 *
 * @returns null where the vehicle covered less than 5 m, or its motion is not known.
 */
export function deduceTimestampUnit(motions: readonly Motion[]): number | null {
  let metres = 0;
  let metresPerUnitSecond = 0;
  for (let i = 1; i < motions.length; i++) {
    const from = motions[i - 1];
    const to = motions[i];
    metres += Math.hypot(to.x - from.x, to.y - from.y);
    metresPerUnitSecond +=
      ((from.metresPerSecond + to.metresPerSecond) / 2) * (to.timestamp - from.timestamp);
  }
  const seconds = metres / metresPerUnitSecond;
  return metres >= LEAST_METRES && Number.isFinite(seconds) ? Number(seconds.toPrecision(2)) : null;
}
