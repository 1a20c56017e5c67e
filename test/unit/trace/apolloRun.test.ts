import { describe, expect, it } from 'vitest';
import { car, drive, type Json, readDrive } from './drives.js';

/** Obstacles of which no distance is known. */
const somewhere = (x: number): Json[] => [car(x + 50, { length: undefined })];

describe('testFailures', () => {
  const read = (testFailures: Json, obstacles = somewhere) =>
    readDrive({ ...drive({ frames: 3, obstacles }), testFailures });
  const collisions = async (...args: Parameters<typeof read>) =>
    (await read(...args)).steps.map(({ state }) => state.collision);

  it.each<[string, Json]>([
    ['testFailures[0] is an object with type', [{ type: 'collision' }]],
    ['testFailures.crash is an object with kind', { crash: { kind: 'collision' } }],
    ['testFailures[0] is "hit npc1"', ['hit npc1']],
    ['testFailures[0] is "no collision"', ['no collision']],
    ['testFailures.collision is false', { collision: false }],
    ['testFailures is "collision"', 'collision'],
    ['testFailures is 3', 3],
  ])('tells nothing of collisions where it is not understood, but frames do: %s', async (why, failures) => {
    const { steps, unknown, notes } = await read(failures);
    for (const { state } of steps) expect(state).not.toHaveProperty('collision');
    expect(unknown.collision).toContain(`an obstacle without distToEgo, nor what it follows from; ${why}`);
    expect(notes.join('\n')).toContain(`nothing follows from what is not understood: ${why}`);
    expect(await collisions(failures, (x) => [car(x + 50)])).toEqual([0, 0, 0]);
  });

  it.each<[Json]>([[['Accident!']], [{ npc1: 'collision' }], [{ Accident: true }]])(
    'has an accident: %j',
    async (failures) => {
      expect(await collisions(failures)).toEqual([0, 0, 1]);
    },
  );

  it('is taken at its word where it is empty and frames have no distances, and a note says so', async () => {
    for (const failures of [[], {}]) {
      const { steps, notes } = await read(failures);
      expect(steps.map(({ state }) => state.collision)).toEqual([0, 0, 0]);
      expect(notes).toContain(
        'drive.json: collision is 0 as testFailures is empty: distances are not recorded in 3 of 3 frames',
      );
      expect((await read(failures, (x) => [car(x + 50)])).notes.join()).not.toContain('testFailures');
    }
    expect(await collisions(null)).toEqual([undefined, undefined, undefined]);
  });

  it('does not stand in for distances that are NaN', async () => {
    const broken = (x: number) => [car(x + 50, { distToEgo: Number.NaN })];
    expect(await collisions([], broken)).toEqual([undefined, undefined, undefined]);
    expect(await collisions(['Accident!'], broken)).toEqual([undefined, undefined, 1]);
  });
});

describe('traffic lights', () => {
  const read = (lights: Json) =>
    readDrive(
      drive({
        frames: 2,
        change: (frame, i) => {
          if (i === 1) frame.traffic_lights = lights;
        },
      }),
    );
  const variables = ['signalAhead', 'trafficLightAheadcolor', 'trafficLightAheadblink'];
  const light = { color: 1, blink: false };

  it('are noted where there are none', async () => {
    for (const none of [{ containLights: false }, { trafficLightList: [] }])
      expect((await read(none)).notes).toContain(
        'drive.json: where no traffic lights are there, signalAhead, trafficLightAheadcolor and trafficLightAheadblink are 0 in 1 of 2 frames',
      );
    const { notes } = await read({ trafficLightList: [light] });
    expect(notes.join()).not.toContain('where no traffic lights');
  });

  it.each<[string, Json, Json, string]>([
    [
      'an unknown colour',
      { trafficLightList: [{ color: 'UNKNOWN', blink: false }] },
      [1, undefined, 0],
      'traffic_lights.trafficLightList.color is "UNKNOWN"',
    ],
    [
      'colour 0',
      { trafficLightList: [{ color: 0, blink: true }] },
      [1, undefined, 1],
      'traffic_lights.trafficLightList.color is 0',
    ],
    ...['PINK', '3', true, [3], 5, 1.5].map((color): [string, Json, Json, string] => [
      `a colour that is ${JSON.stringify(color)}`,
      { trafficLightList: [{ color, blink: true }] },
      [1, undefined, 1],
      `traffic_lights.trafficLightList.color is ${Array.isArray(color) ? 'an array of 1' : JSON.stringify(color)}; expected 1 to 4, or one of RED, YELLOW, GREEN, BLACK`,
    ]),
    [
      'none listed of those there',
      { containLights: true, trafficLightList: [] },
      [1, undefined, undefined],
      'traffic_lights.containLights is true, and traffic_lights.trafficLightList is empty',
    ],
    [
      'some listed where none should be',
      { containLights: false, trafficLightList: [light] },
      [undefined, undefined, undefined],
      'traffic_lights.containLights is false, and traffic_lights.trafficLightList lists some',
    ],
    [
      'NaN for whether there are any',
      { containLights: Number.NaN, trafficLightList: [light] },
      [undefined, undefined, undefined],
      'traffic_lights.containLights is NaN',
    ],
    [
      'NaN for the nearest',
      { trafficLightList: [light], nearst: Number.NaN },
      [1, undefined, undefined],
      'traffic_lights.nearst is NaN',
    ],
  ])('are not recorded: %s', async (_, lights, values, why) => {
    const { steps, unknown } = await read(lights);
    expect(variables.map((name) => steps[1].state[name])).toEqual(values);
    expect(unknown.trafficLightAheadcolor).toContain(why);
  });
});

describe('what is said of the run', () => {
  const read = (more: Json) => readDrive({ ...drive({ frames: 2 }), ...more });

  it.each([
    [true, true],
    [1, true],
    [false, false],
    [0, false],
  ])('is complete where completed is %s: %s', async (completed, complete) => {
    const { complete: told, notes } = await read({ completed });
    expect(told).toBe(complete);
    expect(notes.join()).not.toContain('completed');
  });

  it.each([null, undefined])('is cut where completed is %s, which a note says', async (completed) => {
    const { complete, notes } = await read({ completed });
    expect(complete).toBe(false);
    expect(notes).toContain(
      'drive.json: completed is not recorded: the run is assumed to be cut off, and nothing follows from where it ends',
    );
  });

  it.each<[string, Json]>([
    ['completed is "no"; expected a truth, 0, 1 or null', { completed: 'no' }],
    ['completed is 2', { completed: 2 }],
    ['destinationReached is "yes"', { destinationReached: 'yes' }],
    ['time.hour is 99; expected an hour from 0 to 24', { time: { hour: 99, minute: 75 } }],
    ['time.hour is -1', { time: { hour: -1 } }],
    ['time.minute is 75; expected a minute from 0 to 59', { time: { hour: 9, minute: 75 } }],
    ['time.minute is 1; expected 0 in hour 24', { time: { hour: 24, minute: 1 } }],
  ])('is refused: %s', async (message, more) => {
    await expect(read(more)).rejects.toThrow(message);
  });

  it('has arrived where destinationReached is 1', async () => {
    const { steps } = await read({ destinationReached: 1 });
    expect(steps.map(({ state }) => state.reach_destination)).toEqual([0, 1]);
  });

  it('is at the full hour without a minute, and a note says so', async () => {
    const note = 'drive.json: time.minute is not recorded: Time is taken for the full hour';
    const full = await read({ time: { hour: 20 } });
    expect(full.steps[0].state.Time).toBe(20);
    expect(full.notes).toContain(note);
    const told = await read({ time: { hour: 20, minute: 0 } });
    expect(told.steps[0].state.Time).toBe(20);
    expect(told.notes).not.toContain(note);
  });

  it('is at no time where the hour or the minute is NaN', async () => {
    expect((await read({ time: { hour: 20, minute: Number.NaN } })).unknown.Time).toBe('time.minute is NaN');
  });
});

it('gives each reason its own count', async () => {
  const { unknown } = await readDrive(
    drive({
      frames: 9,
      obstacles: (x) => [car(x + 20)],
      change: (frame, i) => {
        if (i < 2) frame.truth.obsList = null;
        if (i === 8) frame.ego.PriorityNPCAhead = true;
      },
    }),
  );
  expect(unknown.PriorityNPCAhead).toBe(
    'no ego.PriorityNPCAhead; a vehicle is within 30 m, and whether it has priority is not told in 6 of 9 frames; ' +
      'neither ego.PriorityNPCAhead nor truth.obsList in 2 of 9 frames',
  );
});

it('gives the most frequent reasons, and counts the others together', async () => {
  const { unknown } = await readDrive(
    drive({
      frames: 9,
      change: (frame, i) => {
        frame.truth = { NPCAhead: `npc${Math.max(0, i - 4)}`, obsList: [] };
      },
    }),
  );
  expect(unknown.NPCAheadAhead).toMatch(
    /^truth.NPCAhead names "npc0".* in 5 of 9 frames; .*; other reasons in 2 of 9 frames$/,
  );
});
