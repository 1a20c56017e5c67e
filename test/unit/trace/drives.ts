import { readTraceBatches, type Trace } from '../../../bindings/observations/trace/index.js';
import { chunked, collect } from './bytes.js';

// biome-ignore lint/suspicious/noExplicitAny: recordings are changed at any place, to any value.
export type Json = any;

/** A car that is `x` metres along the road, its outline that of its position, heading and size. */
export const car = (x: number, more: Json = {}): Json => ({
  name: 'npc1',
  type: 5,
  position: { x, y: 0 },
  theta: 0,
  velocity: { x: 8, y: 0 },
  length: 4,
  width: 2,
  lane_position: { lane: 'lane_1' },
  ...more,
});

/** What a drive is made of; where nothing is said, 60 frames at 8 m/s, 0.1 s apart, behind a car 50 m ahead at the same speed. */
export interface Drive {
  frames?: number;
  metresPerSecond?: number;
  /** Timestamp of the first frame: one that is no date has no unit. */
  start?: number;
  /** Those of a frame in which the rear axle is at x. */
  obstacles?: (x: number) => Json[];
  /** Changes frame i. */
  change?: (frame: Json, i: number) => void;
}

/** A recording of a vehicle that heads along the x axis and drives so, unless `change` says otherwise. */
export function drive({
  frames = 60,
  metresPerSecond = 8,
  start = 1_624_187_395,
  obstacles = (x) => [car(x + 50)],
  change = () => {},
}: Drive = {}): Json {
  const trace = Array.from({ length: frames }, (_, i) => {
    const x = 0.1 * i * metresPerSecond;
    const frame = {
      timestamp: start + 0.1 * i,
      ego: {
        size: { length: 4.7, width: 2 },
        pose: {
          position: { x, y: 0 },
          linearVelocity: { x: metresPerSecond, y: 0 },
          linearAcceleration: { x: 0, y: 0 },
          heading: 0,
        },
        lane: 'lane_1',
        junction: null,
      },
      truth: { obsList: obstacles(x) },
    };
    change(frame, i);
    return frame;
  });
  return { trace, completed: true };
}

/** Reads a recording, NaN and infinities written as Python does. */
export async function readDrive(recording: Json): Promise<Trace & { notes: string[]; unknown: Json }> {
  const mark = (_: string, value: unknown): unknown =>
    typeof value === 'number' && !Number.isFinite(value) ? `@${value}@` : value;
  const text = JSON.stringify(recording, mark).replace(/"@(-?\w+)@"/g, '$1');
  const notes: string[] = [];
  const onNote = ({ message }: { message: string }): void => void notes.push(message);
  const options = { source: 'drive.json', format: 'apollo', onNote } as const;
  const [trace] = await collect(readTraceBatches(chunked(text), options));
  return { ...trace, notes, unknown: trace.notRecorded ?? {} };
}
