import { isObject } from '../../base/objectKind.js';
import { ApolloFrame, type Field, PLACE_FIELDS, type Reading, type Suspect } from './apolloFrame.js';
import { completeness, scenarioOf, settleEnd } from './apolloRun.js';
import { Unknown } from './apolloValues.js';
import { clockContradiction } from './chassisClock.js';
import { readDocument } from './document.js';
import { DRIVING_VARIABLES } from './drivingVariables.js';
import {
  headingMismatch,
  isAlongHeading,
  type Motion,
  oddGaps,
  speedMismatch,
  tellsSpeeds,
  ways,
} from './motion.js';
import { parseJsonWithNaN, type ReadOptions, readOrSkip, TraceFault, unexpected } from './reader.js';
import { deduceTimestampUnit, epochUnit, LEAST_METRES } from './timestampUnit.js';
import type { Step, Trace } from './trace.js';

/** Options for reading recordings of Apollo. */
export interface ReadApolloOptions extends ReadOptions {
  /** Seconds per unit of `timestamp`. Default: deduced from the vehicle's motion, which is noted. */
  timestampSeconds?: number;
}

/**
 * Reads recordings of Apollo as LawBreaker writes them: one JSON document, an object with `trace`, a list of frames, or an array of such
 * objects; bare `NaN` is accepted. A step's state has the variables of `DRIVING_VARIABLES` that its frame records or that follow from it,
 * truth values as 0 and 1, and `lane`, `road` and `inJunction`. Other variables are absent, and `notRecorded` of the trace gives the
 * reason; no default replaces them.
 * - `speed` is the length of `pose.linearVelocity`, which every frame updates (or `Chasis.speed` if it is absent: that value is repeated
 *   for seconds between two reports of the chassis); speeds are converted from m/s to km/h;
 * - `acc` is `pose.linearAcceleration` along the heading; if the pose's vectors are not in the axes of its heading, or the acceleration is
 *   absent, `acc` is the change of speed since the previous frame (in the first frame, to the next) divided by the time between;
 * - the vehicle ahead, nearest or oncoming is the obstacle that `truth` names, with its `distToEgo` and `speed`; if `truth` does not name
 *   it, `Traffic` finds it among the obstacles by LawBreaker's definitions. If there is no such vehicle, the distance is 200 m;
 * - the traffic light is the one that `traffic_lights.nearst` points to, else the first; 0 if the frame says that there is none, which is noted;
 * - in a junction `currentLanenumber` and `junctionAhead` are 0;
 * - `collision` is a distance of 0 to an obstacle, by the obstacle's own distance or by `minDistToEgo`, or, in the last frame, an accident
 *   among `testFailures`; without distances it is 0 if `testFailures` is empty, which is noted;
 * - weather and time of day are those of the scenario; `reach_destination` is 1 in the last frame of a run that reached its destination;
 * - a number that is NaN stays NaN; variables derived from a NaN or infinite number are left out.
 *
 * `time` counts seconds from the first frame. The unit of timestamps since 1970 is evident. The unit of other timestamps is not recorded:
 * it is deduced from the distance covered and the speeds, and if the vehicle hardly moved there is no `time`. Timestamps that contradict the
 * clock of the chassis are refused, unless `timestampSeconds` is given. `complete` is the recording's
 * `completed`, or false if that is absent, which is noted. The id is the file's name, followed in an array by the position.
 *
 * @throws ParseError unless `skipInvalid` is set.
 * @see Y. Sun, C. M. Poskitt, J. Sun, Y. Chen, Z. Yang, LawBreaker: an approach for specifying traffic laws and fuzzing
 *   autonomous vehicles, ASE 2022, doi:10.1145/3551349.3556897
 */
export async function* readApollo(
  chunks: AsyncIterable<Uint8Array>,
  options: ReadApolloOptions,
): AsyncGenerator<Trace[]> {
  const text = await readDocument(chunks, options);
  const recordings = readOrSkip(() => parseRecordings(text), 1, options) ?? [];
  const file = options.source.split(/[\\/]/).at(-1) ?? '';
  for (const [i, recording] of recordings.entries()) {
    const id = recordings.length === 1 ? file : `${file}:${i}`;
    const trace = readOrSkip(() => toTrace(recording, id, options), 1, options);
    if (trace !== undefined) yield [trace];
  }
}

function parseRecordings(text: string | TraceFault): unknown[] {
  if (typeof text !== 'string') throw text;
  const content = parseJsonWithNaN(text);
  return Array.isArray(content) ? content : [content];
}

const FIELDS: readonly Field[] = /* @__PURE__ */ (() => [
  ...DRIVING_VARIABLES.map(({ name }) => name),
  ...PLACE_FIELDS,
])();

function toTrace(recording: unknown, id: string, options: ReadApolloOptions): Trace {
  if (!isObject(recording)) throw unexpected('the recording', recording, 'an object with a trace');
  const { trace: frames } = recording;
  if (!Array.isArray(frames)) throw unexpected('trace', frames, 'an array of frames');
  if (frames.length === 0)
    throw new TraceFault(`${id} has no frames; expected at least one`, { reason: 'empty' });
  const assumed = new Counts();
  const readings: Reading[] = [];
  const motions: Motion[] = [];
  let before = Number.NEGATIVE_INFINITY;
  const read = frames.map((value: unknown, i) => new ApolloFrame(value, `trace[${i}]`));
  for (const [i, frame] of read.entries()) {
    const motion = frame.motion();
    if (motion.timestamp < before)
      throw unexpected(`trace[${i}].timestamp`, motion.timestamp, `at least ${before}, the one before it`);
    before = motion.timestamp;
    motions.push(motion);
  }
  const note = (message: string): void =>
    options.onNote?.({ source: options.source, message: `${id}: ${message}` });
  const seconds = secondsPerUnit(motions, options, note);
  const scenario = scenarioOf(recording, note);
  const suspect = suspectOf(motions, seconds, note);
  if (seconds !== null) checkClock(motions, seconds, suspect, options, note);
  for (const frame of read) {
    readings.push({ ...frame.read(suspect), ...scenario });
    for (const message of new Set(frame.assumed)) assumed.add(message);
  }
  if (suspect.speed === undefined) settleAcceleration(readings, motions, seconds, note);
  settleEnd(readings, recording, note);
  const complete = completeness(recording, note);
  for (const message of assumed.inWords(frames.length)) note(message);

  const { states, notRecorded } = statesOf(readings);
  const lacking = Object.entries(notRecorded).map(([name, why]) => `${name} (${why})`);
  if (lacking.length > 0) note(`not recorded, and left out: ${lacking.join(', ')}`);
  const steps = states.map((state, i): Step => {
    if (seconds === null) return { state };
    return { state, time: (motions[i].timestamp - motions[0].timestamp) * seconds };
  });
  return { id, complete, ...(lacking.length > 0 && { notRecorded }), steps };
}

/** Most reasons given for one field. */
const MAX_REASONS = 3;

/** Messages, each with the number of frames it applies to. */
class Counts {
  readonly #counts = new Map<string, number>();

  add(message: string): void {
    this.#counts.set(message, (this.#counts.get(message) ?? 0) + 1);
  }

  inWords(frames: number): string[] {
    return Array.from(this.#counts, ([message, count]) => `${message}${share(count, frames)}`);
  }

  /** The most frequent messages, and the number of frames with another. */
  mostInWords(frames: number): string[] {
    const sorted = [...this.#counts].sort(([, a], [, b]) => b - a);
    const others = sorted.slice(MAX_REASONS).reduce((sum, [, count]) => sum + count, 0);
    return [
      ...sorted.slice(0, MAX_REASONS).map(([message, count]) => `${message}${share(count, frames)}`),
      ...(others > 0 ? [`other reasons${share(others, frames)}`] : []),
    ];
  }
}

function share(count: number, frames: number): string {
  return count === frames ? '' : ` in ${count} of ${frames} frames`;
}

/** The states without unknown fields, and for each field that some state lacks, the reasons with their counts. */
function statesOf(readings: readonly Reading[]): {
  states: Record<string, unknown>[];
  notRecorded: Record<string, string>;
} {
  const lacks = new Map<string, Counts>();
  const states = readings.map((reading) => {
    const state: Record<string, unknown> = {};
    for (const field of FIELDS) {
      const value = reading[field] ?? new Unknown(`no ${field}`);
      if (value instanceof Unknown) {
        const reasons = lacks.get(field) ?? new Counts();
        reasons.add(value.why);
        lacks.set(field, reasons);
      } else state[field] = value;
    }
    return state;
  });
  const notRecorded = Object.fromEntries(
    Array.from(lacks, ([field, reasons]) => [field, reasons.mostInWords(readings.length).join('; ')]),
  );
  return { states, notRecorded };
}

/** Seconds per unit of the timestamps: from the options, from their size if they count from 1970, or from the motion; null if none of these applies. */
function secondsPerUnit(
  motions: readonly Motion[],
  { timestampSeconds }: ReadApolloOptions,
  note: (message: string) => void,
): number | null {
  if (timestampSeconds !== undefined) return timestampSeconds;
  const epoch = epochUnit(motions[0].timestamp);
  const seconds = epoch ?? deduceTimestampUnit(motions);
  note(
    seconds === null
      ? `the unit of timestamp is not told and ${whyNoUnit(motions)}: steps have no time`
      : epoch !== null
        ? `timestamps are taken for ${{ 1: 's', 0.001: 'ms', 0.000001: 'µs' }[epoch] ?? 'ns'} since 1970`
        : `the unit of timestamp is not told; taken for ${seconds} s, by the way covered and the speeds`,
  );
  return seconds;
}

/** Digits of figures in messages. */
const DIGITS = 3;

/**
 * Notes where positions and speeds contradict the timestamps.
 * @throws TraceFault where the chassis' clock does, unless `timestampSeconds` vouches for the timestamps; then it is noted
 */
function checkClock(
  motions: readonly Motion[],
  seconds: number,
  suspect: Suspect,
  { timestampSeconds }: ReadApolloOptions,
  note: (message: string) => void,
): void {
  const short = (value: number): number => Number(value.toPrecision(DIGITS));
  const clock = clockContradiction(motions, seconds);
  if (clock !== null) {
    const { from, to, byTimestamps, byChassis } = clock;
    const said = `timestamps contradict the clock of ego.Chasis: from trace[${from}] to trace[${to}] ${short(byTimestamps)} s pass by timestamp (of ${seconds} s), and ${byChassis} s by the chassis`;
    const advice = 'cut the recording where its clock jumps, correct it, or give timestampSeconds';
    if (timestampSeconds === undefined) throw new TraceFault(`${said}; ${advice}`);
    note(said);
  }
  const odd = suspect.speed === undefined ? oddGaps(motions, seconds) : [];
  if (odd.length === 0) return;
  const [{ to, covered, said }] = odd;
  const units = motions[to].timestamp - motions[to - 1].timestamp;
  note(
    `positions and speeds contradict timestamps in ${odd.length} of ${motions.length - 1} gaps between frames, the first at trace[${to}]: ${units} units (${short(units * seconds)} s) after the frame before, positions have moved ${short(covered)} m, where the speeds say ${short(said)} m: the clock or a position jumps, or frames are lost, and windows in seconds may be wrong there`,
  );
}

/** The reason why the motion does not determine the unit of the timestamps. */
function whyNoUnit(motions: readonly Motion[]): string {
  const { leftOut, metres } = ways(motions);
  if (motions.length === 1) return 'there is one frame only';
  if (metres >= LEAST_METRES)
    return 'by the speeds and timestamps the vehicle stands, though its positions move';
  return leftOut === 0 ? 'the vehicle hardly moved' : recordedWay(motions);
}

/** Describes how much of the distance has both positions and speeds. */
function recordedWay(motions: readonly Motion[]): string {
  const { gaps, leftOut, metres } = ways(motions);
  if (gaps === 0) return 'positions and speeds are not recorded';
  return `positions and speeds are recorded in ${gaps} of ${gaps + leftOut} gaps between frames, over ${metres.toFixed(1)} m`;
}

/** The fields that the motion as a whole shows to be wrong. */
function suspectOf(
  motions: readonly Motion[],
  seconds: number | null,
  note: (message: string) => void,
): Suspect {
  const turned = headingMismatch(motions);
  const ratio = seconds === null ? null : speedMismatch(motions, seconds);
  if (ratio === null) note('speeds are taken for m/s and given in km/h');
  if (seconds !== null && ways(motions).leftOut > 0 && !tellsSpeeds(motions))
    note(`speeds are not held against positions: ${recordedWay(motions)}`);
  if (turned !== null)
    note(
      `ego.pose.heading is not used: it points ${turned}° away from where positions move, and should count radians counterclockwise from the x axis`,
    );
  return {
    ...(turned !== null && {
      heading: new Unknown(`ego.pose.heading points ${turned}° away from where positions move`, true),
    }),
    ...(ratio !== null && {
      speed: new Unknown(
        `positions move ${ratio.toPrecision(2)} times as far as such speeds would in the time: either has another unit than was taken`,
        true,
      ),
    }),
  };
}

/** Replaces accelerations that are absent, or in axes other than the heading's, by the change of speed. */
function settleAcceleration(
  readings: readonly Reading[],
  motions: readonly Motion[],
  seconds: number | null,
  note: (message: string) => void,
): void {
  const along = isAlongHeading(motions);
  const recorded = readings.some(({ acc }) => typeof acc === 'number');
  if (along && recorded) return;
  const why = recorded
    ? 'velocities of the pose do not point along its heading'
    : 'no ego.pose.linearAcceleration with a heading of use';
  const changes = readings.map((_, i) => {
    const [from, to] = i === 0 ? [motions[0], motions[1]] : [motions[i - 1], motions[i]];
    if (seconds === null || to === undefined || readings[i].speed instanceof Unknown) return new Unknown(why);
    const change = (to.metresPerSecond - from.metresPerSecond) / ((to.timestamp - from.timestamp) * seconds);
    return Number.isFinite(change) ? change : new Unknown(`${why}; no change of speed over time`);
  });
  for (const [i, change] of changes.entries()) readings[i].acc = change;
  if (changes.some((change) => typeof change === 'number'))
    note(`acc is the change of speed from frame to frame: ${why}`);
}
