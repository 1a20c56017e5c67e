import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ParseError } from '../../../bindings/base/errors.js';
import { readTraceBatches } from '../../../bindings/observations/trace/index.js';
import { sharedData } from '../../shared.js';
import { chunked, collect } from './bytes.js';
import { drive, type Json, readDrive } from './drives.js';

/** A drive of 60 frames whose timestamps count tenths of a second; from frame `from` on they are `by` more. */
const jumping = (from: number, by: number, change: (frame: Json, i: number) => void = () => {}): Json =>
  drive({
    change: (frame, i) => {
      frame.timestamp = i + (i >= from ? by : 0);
      change(frame, i);
    },
  });

const seconds = (frame: Json, i: number): void => {
  frame.ego.Chasis = { day: 25, hours: 17, minutes: 59, seconds: 57 + Math.floor(i / 10) };
};

describe('the unit of timestamps', () => {
  it('is the same wherever the clock or a position jumps once', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 59 }),
        fc.integer({ min: 100, max: 100_000 }),
        fc.boolean(),
        async (from, by, isClock) => {
          const recording = isClock
            ? jumping(from, by)
            : jumping(from, 0, (frame, i) => {
                if (i >= from) frame.ego.pose.position.x += by;
              });
          const { steps, notes, unknown } = await readDrive(recording);
          expect(notes[0]).toContain('taken for 0.1 s, by the way covered and the speeds');
          expect(steps[from - 1].time).toBeCloseTo(0.1 * (from - 1), 9);
          expect(unknown).not.toHaveProperty('speed');
          const odd = notes.filter((note) => note.includes('contradict timestamps'));
          expect(odd).toEqual([
            expect.stringContaining(`in 1 of 59 gaps between frames, the first at trace[${from}]:`),
          ]);
        },
      ),
    );
  });

  it('is that of the sums where positions are those of every third frame', async () => {
    const { notes } = await readDrive(
      jumping(60, 0, (frame, i) => {
        frame.ego.pose.position.x = 2.4 * Math.floor(i / 3);
      }),
    );
    expect(notes[0]).toMatch(/taken for 0\.(098|099|1|1[01]) s/);
    expect(notes.join()).not.toContain('contradict');
  });
});

describe('timestamps against the clock of the chassis', () => {
  it('are refused where they jump, with the place, and noted where the unit is given', async () => {
    await expect(readDrive(jumping(31, 400, seconds))).rejects.toThrow(
      /timestamps contradict the clock of ego\.Chasis: from trace\[30\] to trace\[40\] 41 s pass by timestamp \(of 0\.1 s\), and 1 s by the chassis; cut the recording/,
    );
    const notes: string[] = [];
    const onNote = ({ message }: { message: string }): void => void notes.push(message);
    const options = { source: 'drive.json', format: 'apollo', timestampSeconds: 0.1, onNote } as const;
    await collect(readTraceBatches(chunked(JSON.stringify(jumping(31, 400, seconds))), options));
    expect(notes.join()).toContain(
      'timestamps contradict the clock of ego.Chasis: from trace[30] to trace[40]',
    );
  });

  it.each<[string, (frame: Json, i: number) => void]>([
    ['agree', seconds],
    [
      'stands',
      (frame) => {
        seconds(frame, 0);
      },
    ],
    [
      'is repeated for some seconds',
      (frame, i) => {
        seconds(frame, i < 15 || i > 45 ? i : 15);
      },
    ],
    [
      'lacks a part',
      (frame, i) => {
        seconds(frame, 10 * i);
        delete frame.ego.Chasis.day;
      },
    ],
  ])('are as without it where it says nothing against them: %s', async (_, change) => {
    const { steps, notes } = await readDrive(jumping(60, 0, change));
    expect(steps[59].time).toBeCloseTo(5.9, 9);
    expect(notes.join()).not.toContain('contradict');
  });
});

const recorded = (path: string): Json =>
  JSON.parse(readFileSync(path, 'utf8').replaceAll(/\bNaN\b/g, 'null'));

sharedData('apollo/second-dialect.json', (path) => {
  it('contradicts no clock', async () => {
    const { notes } = await readDrive(recorded(path));
    expect(notes[0]).toContain('since 1970');
    expect(notes.join()).not.toContain('contradict');
  });
});

sharedData('apollo/trace.json', (path) => {
  it('contradicts no clock, and keeps its unit where the clock jumps by 400', async () => {
    const jumped = recorded(path);
    const { notes: before } = await readDrive(jumped);
    expect(before[0]).toContain('taken for 0.08 s');
    expect(before.join()).not.toContain('contradict');
    for (const [i, frame] of jumped.trace.entries()) if (i > 40) frame.timestamp += 400;
    await expect(readDrive(jumped)).rejects.toThrow(ParseError);
    await expect(readDrive(jumped)).rejects.toThrow(/contradict the clock of ego\.Chasis.*\(of 0\.08 s\)/);
    for (const { ego } of jumped.trace) delete ego.Chasis.seconds;
    const { notes } = await readDrive(jumped);
    expect(notes[0]).toContain('taken for 0.08 s');
    expect(notes.join()).toContain('in 1 of 67 gaps between frames, the first at trace[41]:');
  });
});
