import { ApolloFrame, at, type DrivingState, number } from './apolloFrame.js';
import { readDocument } from './document.js';
import {
  isObject,
  parseJsonWithNaN,
  type ReadOptions,
  readOrSkip,
  TraceFault,
  unexpected,
} from './reader.js';
import { deduceTimestampUnit, type Motion } from './timestampUnit.js';
import type { Step, Trace } from './trace.js';

/** How recordings of Apollo are read. */
export interface ReadApolloOptions extends ReadOptions {
  /** Seconds that one unit of `timestamp` is. Default: what the vehicle's motion says, which is noted. */
  timestampSeconds?: number;
}

/**
 * Reads recordings of Apollo as LawBreaker writes them: one JSON document, an object with `trace`, a list of frames, or an
 * array of such objects; bare `NaN` is accepted. A step's state has all variables of `DRIVING_VARIABLES`, truths as 0 and 1:
 * - `speed` is the length of `pose.linearVelocity`, which every frame has anew (`Chasis.speed` where there is none: it is
 *   repeated for seconds between two reports of the chassis); speeds, in m/s there, become km/h;
 * - `acc` is `pose.linearAcceleration` along the heading;
 * - a vehicle ahead, nearest or oncoming is the obstacle that `truth` names so, with its `distToEgo` and `speed`;
 * - the traffic light is the one that `traffic_lights.nearst` points to, else the first; 0 where the frame has none;
 * - `collision` is a distance of 0 to an obstacle, or, in the last frame, an accident among `testFailures`;
 * - weather and time of day are the scenario's; `reach_destination` is 1 in the last frame of a run that did;
 * - what a frame lacks, or has as null, has its default, which is noted; a number that is NaN stays NaN.
 *
 * `time` counts seconds from the first frame. The unit of `timestamp` is told nowhere: it is deduced from the way covered and the
 * speeds; where the vehicle hardly moved there is no `time`. `complete` is the recording's `completed`; the id is the file's name, and in
 * an array the position behind it.
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

function toTrace(recording: unknown, id: string, options: ReadApolloOptions): Trace {
  if (!isObject(recording)) throw unexpected('the recording', recording, 'an object with a trace');
  const { trace: frames } = recording;
  if (!Array.isArray(frames)) throw unexpected('trace', frames, 'an array of frames');
  if (frames.length === 0)
    throw new TraceFault(`${id} has no frames; expected at least one`, { reason: 'empty' });
  const absent = new Set<string>();
  const states: DrivingState[] = [];
  const motions: Motion[] = [];
  let before = Number.NEGATIVE_INFINITY;
  const scenario = {
    rain: number(at(recording, 'weather.rain'), 'weather.rain'),
    fog: number(at(recording, 'weather.fog'), 'weather.fog'),
    snow: number(at(recording, 'weather.snow'), 'weather.snow'),
    Time: timeOfDay(recording),
  };
  for (const [i, value] of frames.entries()) {
    const frame = new ApolloFrame(value, `trace[${i}]`);
    const motion = frame.motion();
    if (motion.timestamp < before)
      throw unexpected(`trace[${i}].timestamp`, motion.timestamp, `at least ${before}, the one before it`);
    before = motion.timestamp;
    states.push(frame.state(scenario, absent));
    motions.push(motion);
  }
  const last = states[states.length - 1];
  if (typeof recording.destinationReached === 'boolean') absent.delete('reach_destination');
  if (recording.destinationReached === true) last.reach_destination = 1;
  if (Array.isArray(recording.testFailures) && recording.testFailures.some(isAccident)) last.collision = 1;

  const note = (message: string): void =>
    options.onNote?.({ source: options.source, message: `${id}: ${message}` });
  const seconds = options.timestampSeconds ?? deduceTimestampUnit(motions);
  if (options.timestampSeconds === undefined) {
    note(
      seconds === null
        ? 'the unit of timestamp is not told and the vehicle hardly moved: steps have no time'
        : `the unit of timestamp is not told; taken for ${seconds} s, by the way covered and the speeds`,
    );
  }
  note('speeds are taken for m/s and given in km/h');
  if (absent.size > 0) note(`defaults stand for what it lacks: ${[...absent].join(', ')}`);
  const steps = states.map((state, i): Step => {
    if (seconds === null) return { state };
    return { state, time: (motions[i].timestamp - motions[0].timestamp) * seconds };
  });
  return { id, complete: recording.completed !== false, steps };
}

/** Hours. */
function timeOfDay(recording: unknown): number | undefined {
  const hour = number(at(recording, 'time.hour'), 'time.hour');
  return hour === undefined
    ? undefined
    : hour + (number(at(recording, 'time.minute'), 'time.minute') ?? 0) / 60;
}

function isAccident(failure: unknown): boolean {
  return typeof failure === 'string' && /accident|collision/i.test(failure);
}
