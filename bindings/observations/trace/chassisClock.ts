import type { Motion } from './motion.js';

/** Seconds, and a share of the chassis' time, by which both clocks may differ: the chassis tells whole seconds, and the unit of timestamps is deduced. */
const MAY_DIFFER = { seconds: 2, share: 0.2 } as const;

/** Two frames between which the clocks differ most, and the seconds between them by each clock. */
export interface ClockContradiction {
  readonly from: number;
  readonly to: number;
  readonly byTimestamps: number;
  readonly byChassis: number;
}

/**
 * Holds timestamps against the chassis' own clock, from its first new report to its last, as a report is repeated until the next.
 *
 * @returns null if both agree, or the chassis has no clock that moves, or one that is set back
 */
export function clockContradiction(
  motions: readonly Motion[],
  secondsPerUnit: number,
): ClockContradiction | null {
  const fresh: number[] = [];
  for (let i = 1; i < motions.length; i++) {
    const moved = motions[i].clock - motions[i - 1].clock;
    if (moved < 0) return null;
    if (moved > 0) fresh.push(i);
  }
  const between = (from: number, to: number): ClockContradiction => ({
    from,
    to,
    byTimestamps: (motions[to].timestamp - motions[from].timestamp) * secondsPerUnit,
    byChassis: motions[to].clock - motions[from].clock,
  });
  if (fresh.length < 2) return null;
  const { byChassis, byTimestamps } = between(fresh[0], fresh[fresh.length - 1]);
  const off = Math.abs(byTimestamps - byChassis);
  if (off <= MAY_DIFFER.seconds || off <= MAY_DIFFER.share * byChassis) return null;
  let most = between(fresh[0], fresh[1]);
  for (let i = 2; i < fresh.length; i++) {
    const next = between(fresh[i - 1], fresh[i]);
    if (Math.abs(next.byTimestamps - next.byChassis) > Math.abs(most.byTimestamps - most.byChassis))
      most = next;
  }
  return most;
}
