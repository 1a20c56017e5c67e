import fc from 'fast-check';
import { describe, it } from 'vitest';
import { type ReadTracesOptions, readTraceBatches } from '../../bindings/observations/trace/index.js';
import { chunked, collect } from '../unit/trace/bytes.js';
import { mcapFile, type Sent } from '../unit/trace/mcapFiles.js';
import { FUZZ_TIMEOUT_MS, fuzz } from './fuzz.js';
import { mutatedText } from './mutations.js';

const car = { speed: 1, gear: 0, odometer: 0n, axes: [0, 0, 0], stamp: { sec: 0, nanosec: 0 } };
const messages: Sent[] = Array.from({ length: 6 }, (_, i) => [
  i % 2 === 0 ? '/json' : '/ros/car',
  i / 10,
  i % 2 === 0 ? { speed: i } : car,
]);

const frame = {
  timestamp: 1,
  ego: {
    pose: { position: { x: 1, y: 2 }, linearVelocity: { x: 3, y: 4 } },
    Chasis: { gear: 1 },
    stoplineAhead: 5,
  },
  truth: { NPCAhead: 'npc1', minDistToEgo: 8, obsList: [{ name: 'npc1', distToEgo: 9, speed: 2 }] },
  traffic_lights: { containLights: true, trafficLightList: [{ color: 3, blink: false }] },
};
const drive = JSON.stringify({ time: { hour: 9, minute: 30 }, weather: { rain: 0 }, trace: [frame, frame] });

const read = (content: string | Uint8Array, options: Partial<ReadTracesOptions>) =>
  collect(readTraceBatches(chunked(content), { source: 'x', ...options }));

describe('recordings are read, or refused with a message', () => {
  it(
    'of Apollo, whatever their text',
    async () => {
      const odd = ['NaN', '-Infinity', '1e999', 'null', '{', ']', '"', '\\u', ',', '[[', 'true'];
      await fuzz(400, mutatedText([drive], odd), (text) => read(text, { format: 'apollo' }));
    },
    FUZZ_TIMEOUT_MS,
  );

  it(
    'in MCAP, whatever their bytes',
    async () => {
      // Without chunks, whose checksums would find most of it.
      const whole = await mcapFile(messages, { useChunks: false });
      const edits = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 3 });
      await fuzz(
        100,
        fc.tuple(edits, fc.oneof({ weight: 4, arbitrary: fc.constant(whole.length) }, fc.nat(whole.length))),
        ([changes, length]) => {
          const bytes = whole.slice(0, length);
          for (const [at, value] of changes) if (at < length) bytes[at] = value;
          return read(bytes, {
            format: 'mcap',
            topics: { '/json': '', '/ros/car': 'car' },
            periodSeconds: 0.1,
          });
        },
      );
    },
    FUZZ_TIMEOUT_MS,
  );
});
