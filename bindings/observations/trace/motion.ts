/** Where a vehicle was, and how fast, at a timestamp of its recording; NaN for what is not recorded. */
export interface Motion {
  readonly timestamp: number;
  /** Metres. */
  readonly x: number;
  readonly y: number;
  readonly metresPerSecond: number;
  /** Where its velocity points, and where it heads, in radians. */
  readonly course: number;
  readonly heading: number;
  /** As `DRIVING_VARIABLES` has it. */
  readonly gear: number;
}

/** Enough to hold speeds against positions: where frames are few, speeds between them may be others. */
const ENOUGH = { frames: 10, metres: 20 } as const;

/**
 * The way covered divided by the way that the speeds say, where both differ by more than twice: speeds are in another unit then, or time
 * is. Null where they agree, or nothing can be said.
 */
export function speedMismatch(motions: readonly Motion[], secondsPerUnit: number): number | null {
  const { metres, metresPerUnitSecond } = ways(motions);
  if (!tellsSpeeds(motions)) return null;
  const ratio = metres / (metresPerUnitSecond * secondsPerUnit);
  return ratio > 2 || ratio < 0.5 ? ratio : null;
}

/** Whether positions cover enough to hold speeds against them. */
export function tellsSpeeds(motions: readonly Motion[]): boolean {
  const { gaps, metres } = ways(motions);
  return gaps + 1 >= ENOUGH.frames && metres >= ENOUGH.metres;
}

/** Slower, a velocity has no direction worth the name. */
const MOVING_METRES_PER_SECOND = 1;

/**
 * Whether velocities point along the heading, forwards or backwards, in most frames that move. Where they do not, vectors of the pose are
 * in other axes than the heading, as in LawBreaker's recordings, which have them turned by 90°.
 */
export function isAlongHeading(motions: readonly Motion[]): boolean {
  const moving = motions.filter(
    ({ metresPerSecond, course, heading }) =>
      metresPerSecond >= MOVING_METRES_PER_SECOND && Number.isFinite(course - heading),
  );
  const along = moving.filter(({ course, heading }) => Math.abs(Math.cos(course - heading)) > Math.SQRT1_2);
  return 2 * along.length >= moving.length;
}

/** Shorter, a way between two frames has no direction worth the name; a drive needs so many metres of others to be judged by. */
const STEP_METRES = 0.5;
const JUDGED_METRES = 5;

/**
 * How far, in degrees, headings are from where positions move, backwards in reverse gear, in the middle one of the frames that move, where
 * that is more than 45°: headings have another unit or another zero then. Null where they agree, or nothing can be said.
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
 * The angle, 0 to π, between a direction and the one in which the vehicle should move: where it heads, or from there in reverse gear.
 * Without a gear it should move forwards, as vehicles do most of the way.
 */
function offHeading(direction: number, { heading, gear }: Motion): number {
  const cos = Math.cos(direction - heading);
  return Math.acos(Math.max(-1, Math.min(1, gear === REVERSE ? -cos : cos)));
}

/** What the gaps between frames say of the motion, those left out that lack a position or a speed at either end. */
export interface Ways {
  /** How many gaps count, and how many are left out. */
  readonly gaps: number;
  readonly leftOut: number;
  /** Covered. */
  readonly metres: number;
  /** What the speeds would cover if a unit of the timestamps were a second. */
  readonly metresPerUnitSecond: number;
}

/** Sums up a motion. */
export function ways(motions: readonly Motion[]): Ways {
  let gaps = 0;
  let metres = 0;
  let metresPerUnitSecond = 0;
  for (let i = 1; i < motions.length; i++) {
    const from = motions[i - 1];
    const to = motions[i];
    const covered = Math.hypot(to.x - from.x, to.y - from.y);
    const said = ((from.metresPerSecond + to.metresPerSecond) / 2) * (to.timestamp - from.timestamp);
    if (!Number.isFinite(covered + said)) continue;
    gaps++;
    metres += covered;
    metresPerUnitSecond += said;
  }
  return { gaps, leftOut: Math.max(0, motions.length - 1) - gaps, metres, metresPerUnitSecond };
}
