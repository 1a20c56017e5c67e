import { describe, expect, it } from 'vitest';
import { car, type Drive, drive, type Json, readDrive } from './drives.js';

/** A drive of 4 frames of which the last two are changed. */
const cut = (change: (frame: Json) => void, more: Drive = {}) =>
  readDrive(drive({ frames: 4, ...more, change: (frame, i) => i >= 2 && change(frame) }));

const FROM_OBSTACLES = [
  'NPCAheadAhead',
  'NearestNPCAhead',
  'NPCOppositeAhead',
  'PriorityNPCAhead',
  'collision',
];

describe('what follows from a number that is NaN', () => {
  it.each<[string, (frame: Json) => void, string, string[]]>([
    ['a position', (f) => (f.ego.pose.position.x = Number.NaN), 'ego.pose.position.x is NaN', FROM_OBSTACLES],
    ['a heading', (f) => (f.ego.pose.heading = Number.NaN), 'ego.pose.heading is NaN', FROM_OBSTACLES],
    [
      'a size',
      (f) => (f.ego.size.length = Number.POSITIVE_INFINITY),
      'ego.size.length is Infinity',
      ['collision'],
    ],
    [
      'a distance',
      (f) => (f.truth.obsList[0].distToEgo = Number.NaN),
      'distToEgo of an obstacle is NaN',
      [
        'NPCAheadAhead',
        'NPCAheadspeed',
        'NearestNPCAhead',
        'NearestNPCspeed',
        'PriorityNPCAhead',
        'collision',
      ],
    ],
    [
      'the least distance',
      (f) => (f.truth.minDistToEgo = Number.NaN),
      'truth.minDistToEgo is NaN',
      ['collision'],
    ],
    [
      'the angle of an obstacle',
      (f) => (f.truth.obsList[0].theta = Number.NaN),
      'theta of an obstacle is NaN',
      FROM_OBSTACLES,
    ],
    [
      'the speed of an obstacle',
      (f) => (f.truth.obsList[0].speed = Number.NaN),
      'speed of an obstacle is NaN',
      ['NPCAheadspeed', 'NearestNPCspeed'],
    ],
    [
      'the velocity of an obstacle',
      (f) => (f.truth.obsList[0].velocity.y = Number.NaN),
      'velocity.y of an obstacle is NaN',
      ['NPCAheadspeed', 'NearestNPCspeed'],
    ],
    [
      'the lane of an obstacle',
      (f) => (f.truth.obsList[0].lane_position.lane = Number.NaN),
      'lane_position.lane of an obstacle is NaN',
      ['NPCAheadAhead'],
    ],
    [
      'a velocity',
      (f) => (f.ego.pose.linearVelocity.x = Number.NaN),
      'ego.pose.linearVelocity.x is NaN',
      ['speed'],
    ],
    [
      'an acceleration',
      (f) => (f.ego.pose.linearAcceleration.y = Number.NaN),
      'ego.pose.linearAcceleration.y is NaN',
      ['acc'],
    ],
    [
      'a junction',
      (f) => (f.ego.junction = Number.NaN),
      'ego.junction is NaN',
      ['inJunction', 'NPCAheadAhead'],
    ],
    ['a lane', (f) => (f.ego.lane = Number.NaN), 'ego.lane is NaN', ['lane', 'NPCAheadAhead']],
    [
      'the name of the vehicle ahead',
      (f) => (f.truth.NPCAhead = Number.NaN),
      'truth.NPCAhead is NaN',
      ['NPCAheadAhead', 'NPCAheadspeed'],
    ],
  ])('is not recorded in these frames, with the name of the field: %s', async (_, change, why, fields) => {
    const { steps, unknown } = await cut(change);
    for (const field of fields) {
      const told = steps.map(({ state }) => field in state);
      expect(told, field).toEqual([true, true, false, false]);
      expect(unknown[field], field).toContain(why);
    }
  });

  it('is not recorded where there might be a jam', async () => {
    const slow = (speeds: number[]) =>
      cut(() => {}, { obstacles: (x) => speeds.map((speed, i) => car(x + 20 + 8 * i, { speed })) });
    expect((await slow([0, 0, Number.NaN])).unknown.isTrafficJam).toContain('speed of an obstacle is NaN');
    expect((await slow([0, 9, Number.NaN])).steps[0].state.isTrafficJam).toBe(0);
  });

  it('still has what another obstacle decides: that one touches, or that one is nearer', async () => {
    const broken = (x: number) => car(x, { theta: Number.NaN });
    const hit = await cut(() => {}, { obstacles: (x) => [car(x + 5), broken(x + 50)] });
    expect(hit.steps[0].state.collision).toBe(1);
    const known = { distToEgo: 80 };
    const near = await cut(() => {}, {
      obstacles: (x) => [car(x + 20), car(x + 90, { ...known, type: Number.NaN })],
    });
    expect(near.steps[0].state.NearestNPCAhead).toBeCloseTo(14.3, 1);
  });
});

describe('an obstacle of a kind that is not known', () => {
  const kinds: [string, Json][] = [
    ['type 0', { type: 0 }],
    ['type 1', { type: 1 }],
    ['a type beyond those of Apollo', { type: 77 }],
    ['a type that is NaN', { type: Number.NaN }],
    ['TYPE_UNKNOWN', { type: undefined, typeName: 'TYPE_UNKNOWN' }],
    ['the name of another dialect', { type: undefined, typeName: 'CAR' }],
  ];

  it.each(kinds)('may be the nearest, the vehicle ahead, or one with priority: %s', async (_, kind) => {
    const { steps, unknown } = await cut(() => {}, { obstacles: (x) => [car(x + 8, kind), car(x + 40)] });
    for (const field of [
      'NPCAheadAhead',
      'NPCAheadspeed',
      'NearestNPCAhead',
      'PriorityNPCAhead',
      'PriorityPedsAhead',
    ]) {
      expect(steps[0].state, field).not.toHaveProperty(field);
      expect(unknown[field], field).toMatch(/an obstacle whose type|type of an obstacle is NaN/);
    }
    // Whatever it is, it does not touch, is not turned against the ego vehicle, and makes no jam alone.
    expect(steps[0].state).toMatchObject({ collision: 0, NPCOppositeAhead: 200, isTrafficJam: 0 });
  });

  it.each(kinds)(
    'changes nothing where it is further away than a vehicle, or than matters: %s',
    async (_, kind) => {
      const { steps } = await cut(() => {}, { obstacles: (x) => [car(x + 80, kind), car(x + 40)] });
      expect(steps[0].state.NPCAheadAhead).toBeCloseTo(34.3, 1);
      expect(steps[0].state).toMatchObject({ PriorityNPCAhead: 0, PriorityPedsAhead: 0 });
    },
  );

  it.each<[string, Json, string]>([
    ['type 2, unmovable', { type: 2 }, 'other'],
    ['type 4, a bicycle', { type: 4 }, 'other'],
    ['TYPE_UNKNOWN_UNMOVABLE', { type: undefined, typeName: 'TYPE_UNKNOWN_UNMOVABLE' }, 'other'],
    ['TYPE_VEHICLE', { type: undefined, typeName: 'TYPE_VEHICLE' }, 'vehicle'],
    ['PEDESTRIAN', { type: undefined, typeName: 'PEDESTRIAN' }, 'pedestrian'],
    ['an unknown type with a name that is known', { type: 0, typeName: 'TYPE_PEDESTRIAN' }, 'pedestrian'],
  ])('is told from %s', async (_, told, kind) => {
    const { state } = (await cut(() => {}, { obstacles: (x) => [car(x + 8, told)] })).steps[0];
    expect('PriorityNPCAhead' in state).toBe(kind !== 'vehicle');
    expect('PriorityPedsAhead' in state).toBe(kind !== 'pedestrian');
    expect(state.NearestNPCAhead === 200).toBe(kind !== 'vehicle');
  });
});

describe('what recordings say in two ways, or in none', () => {
  it.each([
    [0, 200, 1],
    [3, 0, 1],
    [3, 200, 0],
    [undefined, 200, 0],
    [Number.NaN, 0, 1],
    [0, Number.NaN, 1],
  ])('is a collision where any distance is 0: %s, and the least %s', async (distToEgo, least, collision) => {
    const recording = drive({
      frames: 2,
      obstacles: (x) => [car(x + 50, { distToEgo })],
      change: (frame) => (frame.truth.minDistToEgo = least),
    });
    const { steps, notes } = await readDrive(recording);
    expect(steps.map(({ state }) => state.collision)).toEqual([collision, collision]);
    expect(notes.join().includes('collision is 1, as an obstacle is at a distance of 0')).toBe(
      distToEgo === 0 && least === 200,
    );
  });

  it('is on no lane and in no junction that is named by an empty text', async () => {
    const nowhere = (frame: Json): void => {
      frame.ego.lane = '';
      frame.ego.junction = '';
    };
    const obstacles = (x: number) => [car(x + 50, { lane_position: { lane: '' } })];
    const { steps, unknown } = await readDrive(drive({ frames: 2, obstacles, change: nowhere }));
    expect(steps[0].state).toMatchObject({ inJunction: 0 });
    for (const field of ['lane', 'NPCAheadAhead']) expect(steps[0].state).not.toHaveProperty(field);
    expect(unknown.lane).toBe('neither ego.lane nor ego.currentLane.currentLaneId');
  });
});
