/** How far apart steps are meant to be. */
export interface SamplingPeriod {
  readonly seconds: number;
  /** Fraction of `seconds` by which a gap may differ. */
  readonly tolerance: number;
}

/**
 * Whether the gap between two times is the sampling period, within its tolerance.
 *
 * @param previous in seconds, as `time`
 */
export function isRegularGap(
  { seconds, tolerance }: SamplingPeriod,
  previous: number,
  time: number,
): boolean {
  // A gap at the very edge of the tolerance is regular: two roundings of the clock are allowed for.
  const rounding = 2 * Number.EPSILON * Math.max(Math.abs(time), Math.abs(previous));
  return Math.abs(time - previous - seconds) <= seconds * tolerance + rounding;
}
