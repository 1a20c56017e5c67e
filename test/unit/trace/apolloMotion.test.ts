import { describe, expect, it } from 'vitest';
import { car, drive, type Json, readDrive } from './drives.js';

/** A drive whose headings are `heading`, in a gear where one is given. */
const headed = (heading: number, gear?: number) =>
  readDrive(
    drive({
      change: (frame) => {
        frame.ego.pose.heading = heading;
        if (gear !== undefined) frame.ego.Chasis = { gear };
      },
    }),
  );

describe('a heading against where positions move', () => {
  it.each<[string, number, number | undefined, string]>([
    ['turned by half a turn', Math.PI, undefined, '180°'],
    ['in degrees that look like radians', 3.1, undefined, '178°'],
    ['turned in forward gear', -Math.PI, 1, '180°'],
    ['straight on in reverse gear', 0, 2, '180°'],
  ])('is not used: %s', async (_, heading, gear, angle) => {
    const { steps, notes, unknown } = await headed(heading, gear);
    for (const { state } of steps)
      for (const field of ['NPCAheadAhead', 'NearestNPCAhead', 'collision'])
        expect(state).not.toHaveProperty(field);
    expect(unknown.NPCAheadAhead).toContain(`ego.pose.heading points ${angle} away`);
    expect(notes.join()).toContain(
      `ego.pose.heading is not used: it points ${angle} away from where positions move`,
    );
  });

  it('is used in reverse gear, where the vehicle backs away', async () => {
    const { steps, notes } = await headed(Math.PI, 2);
    // The car that it approaches is behind it.
    expect(steps[0].state).toMatchObject({ NPCAheadAhead: 200, NearestNPCAhead: expect.any(Number) });
    expect(notes.join()).not.toContain('heading');
  });

  it('is used where the vehicle backs now and then, whether a gear is recorded or not', async () => {
    for (const gear of [undefined, 2]) {
      const backs = drive({ frames: 40 });
      for (const [i, frame] of backs.trace.entries()) {
        const back = i >= 30;
        frame.ego.pose.position.x = back ? 0.8 * (60 - i) : 0.8 * i;
        if (back) frame.ego.pose.linearVelocity.x = -8;
        if (gear !== undefined) frame.ego.Chasis = { gear: back ? gear : 1 };
      }
      const { notes, steps } = await readDrive(backs);
      expect(notes.join()).not.toContain('heading');
      expect(steps[35].state.acc).toBe(0);
    }
  });
});

const without = (part: string, frames: readonly number[]) => (frame: Json, i: number) => {
  if (frames.includes(i)) frame.ego.pose[part].x = null;
};

describe('a position or speed that is missing', () => {
  it.each(['position', 'linearVelocity'])(
    'leaves the rest to tell the unit of timestamps: %s',
    async (part) => {
      const { steps, notes } = await readDrive(drive({ start: 500, change: without(part, [30]) }));
      expect(notes[0]).toBe(
        'drive.json: the unit of timestamp is not told; taken for 1 s, by the way covered and the speeds',
      );
      expect(steps[59].time).toBeCloseTo(5.9, 9);
    },
  );

  it('leaves the rest to tell that speeds have another unit', async () => {
    const kmh = drive({ change: without('position', [30]) });
    for (const { ego } of kmh.trace) ego.pose.linearVelocity.x *= 3.6;
    const { unknown } = await readDrive(kmh);
    expect(unknown.speed).toContain('positions move 0.28 times as far as such speeds would');
  });

  it('is said where too little is left', async () => {
    const most = Array.from({ length: 56 }, (_, i) => i + 2);
    const untimed = await readDrive(drive({ start: 500, change: without('position', most) }));
    const left = 'positions and speeds are recorded in 2 of 59 gaps between frames, over 1.6 m';
    expect(untimed.notes[0]).toBe(
      `drive.json: the unit of timestamp is not told and ${left}: steps have no time`,
    );
    const timed = await readDrive(drive({ change: without('position', most) }));
    expect(timed.notes).toContain(`drive.json: speeds are not held against positions: ${left}`);
  });

  it('is not said to be missing where speeds are 0 and positions move', async () => {
    const { notes } = await readDrive(
      drive({
        start: 500,
        change: (frame) => {
          frame.ego.pose.linearVelocity.x = 0;
        },
      }),
    );
    expect(notes[0]).toContain('by the speeds and timestamps the vehicle stands, though its positions move');
  });
});

describe('speeds of another unit than was taken', () => {
  const kmh = (obstacles: (x: number) => Json[]) =>
    readDrive(
      drive({
        obstacles,
        change: ({ ego }) => {
          ego.pose.linearVelocity.x *= 3.6;
        },
      }),
    );
  const why = 'positions move 0.28 times as far as such speeds would';

  it('are left out with those of obstacles, and with accelerations and jams, which have that unit too', async () => {
    const oncoming = (x: number) => car(x + 20, { theta: Math.PI, name: 'npc2' });
    const { steps, unknown } = await kmh((x) => [car(x + 15), oncoming(x), car(x + 60)]);
    for (const field of [
      'speed',
      'acc',
      'NPCAheadspeed',
      'NearestNPCspeed',
      'NPCOppositespeed',
      'isTrafficJam',
    ]) {
      for (const { state } of steps) expect(state, field).not.toHaveProperty(field);
      expect(unknown[field], field).toContain(why);
    }
    expect(steps[0].state).toMatchObject({ NPCAheadAhead: expect.any(Number), collision: 0 });
  });

  it('are not missed where nobody is there', async () => {
    const { steps } = await kmh(() => []);
    expect(steps[0].state).toMatchObject({ NPCAheadspeed: 120, isTrafficJam: 0 });
  });
});
