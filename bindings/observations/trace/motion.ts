/** A vehicle's position and speed at a timestamp of its recording; NaN for values that are not recorded. */
export interface Motion {
  readonly timestamp: number;
  /** Metres. */
  readonly x: number;
  readonly y: number;
  readonly metresPerSecond: number;
  /** The direction of its velocity, and its heading, in radians. */
  readonly course: number;
  readonly heading: number;
  /** As in `DRIVING_VARIABLES`. */
  readonly gear: number;
  /** The chassis' own clock in seconds, whole ones, from any zero; a report is repeated until the next. */
  readonly clock: number;
}

/** Enough data to compare speeds with positions: with few frames, speeds between them may differ. */
const ENOUGH = { frames: 10, metres: 20 } as const;

/**
 * The distance covered divided by the distance that the speeds imply, if they differ by more than a factor of two: speeds, or time, are
 * then in another unit. Null if they agree, or if there is too little data.
 */
export function speedMismatch(motions: readonly Motion[], secondsPerUnit: number): number | null {
  if (!tellsSpeeds(motions)) return null;
  const ratio = usualRatio(motions) / secondsPerUnit;
  return ratio > 2 || ratio < 0.5 ? ratio : null;
}

/** Into how many parts a drive is cut. In each the ratio is one of sums, as positions may repeat for some frames. */
const PARTS = 9;
/** Metres below which a part says nothing. */
const PART_METRES = 0.5;

/**
 * The distance covered divided by the distance that the speeds would cover if one timestamp unit were a second: the median over nine parts of
 * the drive, so that one jump of the clock or of a position changes nothing. NaN if no part covers half a metre.
 */
export function usualRatio(motions: readonly Motion[]): number {
  const moving = gapsOf(motions).filter(({ covered, said }) => covered + said > 0);
  const parts = Math.min(PARTS, moving.length);
  const ratios: number[] = [];
  for (let k = 0; k < parts; k++) {
    const bound = (part: number): number => Math.round((part * moving.length) / parts);
    let [metres, metresPerUnitSecond] = [0, 0];
    for (const { covered, said } of moving.slice(bound(k), bound(k + 1))) {
      metres += covered;
      metresPerUnitSecond += said;
    }
    if (metres >= PART_METRES) ratios.push(metres / metresPerUnitSecond);
  }
  if (ratios.length === 0) return Number.NaN;
  return ratios.sort((a, b) => a - b)[ratios.length >> 1];
}

/** Metres by which positions and speeds may differ in a gap: below, speeds that change and positions that repeat explain it. */
const GAP_METRES = 5;

/** The gaps in which positions move less than half or more than twice as far as the speeds say, and 5 m or more differently: there the clock or a position jumps, or frames are lost. */
export function oddGaps(motions: readonly Motion[], secondsPerUnit: number): Gap[] {
  return gapsOf(motions)
    .map((gap) => ({ ...gap, said: gap.said * secondsPerUnit }))
    .filter(
      ({ covered, said }) =>
        Math.abs(covered - said) >= GAP_METRES && (covered > 2 * said || said > 2 * covered),
    );
}

/** Whether positions cover enough to compare speeds with them. */
export function tellsSpeeds(motions: readonly Motion[]): boolean {
  const { gaps, metres } = ways(motions);
  return gaps + 1 >= ENOUGH.frames && metres >= ENOUGH.metres;
}

/** Below this speed, the direction of a velocity is unreliable. */
const MOVING_METRES_PER_SECOND = 1;

/**
 * Whether velocities point along the heading, forwards or backwards, in most frames in which the vehicle moves. If not, the pose's vectors
 * are in axes other than the heading's, as in LawBreaker's recordings, where they are rotated by 90°.
 */
export function isAlongHeading(motions: readonly Motion[]): boolean {
  const moving = motions.filter(
    ({ metresPerSecond, course, heading }) =>
      metresPerSecond >= MOVING_METRES_PER_SECOND && Number.isFinite(course - heading),
  );
  const along = moving.filter(({ course, heading }) => Math.abs(Math.cos(course - heading)) > Math.SQRT1_2);
  return 2 * along.length >= moving.length;
}

/** Below `STEP_METRES`, the direction between two frames is unreliable; a drive is judged only if longer steps cover `JUDGED_METRES`. */
const STEP_METRES = 0.5;
const JUDGED_METRES = 5;

/**
 * The median angle, in degrees, between the heading (reversed in reverse gear) and the direction in which positions move, over the frames
 * that move, if it exceeds 45°: headings then have another unit or another zero. Null if they agree, or if there is too little data.
 */
export function headingMismatch(motions: readonly Motion[]): number | null {
  const turns: number[] = [];
  let judged = 0;
  for (const [i, to] of motions.entries()) {
    const from = motions[i - 1];
    if (from === undefined) continue;
    const [dx, dy] = [to.x - from.x, to.y - from.y];
    const metres = Math.hypot(dx, dy);
    if (!(metres >= STEP_METRES) || Number.isNaN(from.heading)) continue;
    judged += metres;
    turns.push(offHeading(Math.atan2(dy, dx), from));
  }
  if (judged < JUDGED_METRES) return null;
  const middle = turns.sort((a, b) => a - b)[turns.length >> 1];
  return middle > Math.PI / 4 ? Math.round((180 * middle) / Math.PI) : null;
}

const REVERSE = 2;

/**
 * The angle, 0 to π, between a direction and the one in which the vehicle should move: along its heading, or opposite to it in reverse
 * gear. Without a recorded gear, forward motion is assumed.
 */
function offHeading(direction: number, { heading, gear }: Motion): number {
  const cos = Math.cos(direction - heading);
  return Math.acos(Math.max(-1, Math.min(1, gear === REVERSE ? -cos : cos)));
}

/** Totals of the motion over the gaps between frames, except gaps that lack a position or a speed at either end. */
export interface Ways {
  /** Number of gaps that count, and of those left out. */
  readonly gaps: number;
  readonly leftOut: number;
  /** Metres covered. */
  readonly metres: number;
  /** Metres that the speeds would cover if one timestamp unit were a second. */
  readonly metresPerUnitSecond: number;
}

/** Computes the totals of a motion. */
export function ways(motions: readonly Motion[]): Ways {
  const gaps = gapsOf(motions);
  return {
    gaps: gaps.length,
    leftOut: Math.max(0, motions.length - 1) - gaps.length,
    metres: gaps.reduce((sum, { covered }) => sum + covered, 0),
    metresPerUnitSecond: gaps.reduce((sum, { said }) => sum + said, 0),
  };
}

/** A gap between two frames that both have a position and a speed. */
export interface Gap {
  /** The number of the frame at its end. */
  readonly to: number;
  /** Metres between the positions. */
  readonly covered: number;
  /** Metres that the speeds would cover, if one timestamp unit were a second. */
  readonly said: number;
}

function gapsOf(motions: readonly Motion[]): Gap[] {
  const gaps: Gap[] = [];
  for (let i = 1; i < motions.length; i++) {
    const [from, to] = [motions[i - 1], motions[i]];
    const covered = Math.hypot(to.x - from.x, to.y - from.y);
    const said = ((from.metresPerSecond + to.metresPerSecond) / 2) * (to.timestamp - from.timestamp);
    if (Number.isFinite(covered + said)) gaps.push({ to: i, covered, said });
  }
  return gaps;
}
