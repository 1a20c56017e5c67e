import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ParseError } from '../../../bindings/base/errors.js';
import {
  DRIVING_VARIABLES,
  detectTraceFormat,
  type ReadTracesOptions,
  readTraceBatches,
  type SkippedTrace,
  type TraceNote,
} from '../../../bindings/observations/trace/index.js';
import { sharedData } from '../../shared.js';
import { chunked, collect } from './bytes.js';

/** A vehicle that goes east at `metresPerSecond`, `units` of its timestamp between two frames. */
const frame = (i: number, { metresPerSecond = 10, units = 1, seconds = 0.1 } = {}, more: object = {}) => ({
  timestamp: 500 + i * units,
  ego: {
    pose: {
      position: { x: 1000 + i * units * seconds * metresPerSecond, y: 7, z: 0 },
      linearVelocity: { x: metresPerSecond, y: 0, z: 0 },
    },
  },
  traffic_lights: {},
  ...more,
});
const frames = (count: number, motion = {}) => Array.from({ length: count }, (_, i) => frame(i, motion));

async function read(recording: unknown, options: Partial<ReadTracesOptions> = {}) {
  const notes: string[] = [];
  const text = typeof recording === 'string' ? recording : JSON.stringify(recording);
  const traces = await collect(
    readTraceBatches(chunked(text, [1000]), {
      source: 'runs/drive.json',
      format: 'apollo',
      onNote: ({ message }: TraceNote) => notes.push(message),
      ...options,
    }),
  );
  return { traces, notes, states: traces[0]?.steps.map(({ state }) => state) };
}

describe('readApollo', () => {
  it('leaves out what a frame does not tell, and says of each variable why', async () => {
    const { traces, notes } = await read({ trace: frames(2) });
    expect(traces).toHaveLength(1);
    expect(traces[0]).toMatchObject({ id: 'drive.json', complete: false });
    // Two frames, 1 m apart, tell no time, and so no acceleration.
    expect(traces[0].steps.map(({ state }) => state)).toEqual([{ speed: 36 }, { speed: 36 }]);
    const { notRecorded = {} } = traces[0];
    const absent = DRIVING_VARIABLES.map(({ name }) => name).filter((name) => name !== 'speed');
    expect(Object.keys(notRecorded)).toEqual([...absent, 'lane', 'road', 'inJunction']);
    expect(notRecorded).toMatchObject({
      gear: 'no ego.Chasis.gear',
      trafficLightAheadcolor: 'no traffic_lights',
      NPCAheadAhead: 'neither truth.NPCAhead nor truth.obsList',
      speedLimitupperLimit: 'recordings of Apollo have no speed limits',
      snow: 'no weather.snow',
    });
    const last = notes.at(-1) ?? '';
    expect(last).toContain('drive.json: not recorded, and left out: ');
    for (const name of absent) expect(last).toContain(`${name} (${notRecorded[name]})`);
  });

  it('says in how many frames a field is absent, and leaves it out of those alone', async () => {
    const ego = { ...frame(1).ego, stoplineAhead: 7 };
    const { states, traces } = await read({ trace: [frame(0), { ...frame(1), ego }, frame(2)] });
    expect(states.map((state) => state.stoplineAhead)).toEqual([undefined, 7, undefined]);
    expect(states.map((state) => 'stoplineAhead' in state)).toEqual([false, true, false]);
    expect(traces[0].notRecorded?.stoplineAhead).toBe('no ego.stoplineAhead in 2 of 3 frames');
  });

  it('takes lights for absent only where the frame says so', async () => {
    const lights = { trafficLightList: [{ color: 1 }], containLights: true };
    const kinds = [{}, { containLights: false }, { containLights: true }, { trafficLightList: [] }, lights];
    const { states } = await read({
      trace: kinds.map((traffic_lights, i) => frame(i, {}, { traffic_lights })),
    });
    expect(
      states.map(({ signalAhead, trafficLightAheadcolor: colour, trafficLightAheadblink: blink }) => [
        signalAhead,
        colour,
        blink,
      ]),
    ).toEqual([
      [undefined, undefined, undefined],
      [0, 0, 0],
      [1, undefined, undefined],
      [0, 0, 0],
      [1, 1, undefined],
    ]);
  });

  it('reads lights, lanes, flags, distances, weather and the time of day', async () => {
    const ego = {
      pose: {
        linearVelocity: { x: 3, y: 4, z: 100 },
        linearAcceleration: { x: 0, y: 2 },
        heading: Math.PI / 2,
      },
      Chasis: { speed: 1, gear: 2, turnSignal: 1, hornOn: true, lowBeamOn: false, brake: 12.5 },
      currentLane: { number: 3 },
      planning_of_turn: 2,
      stoplineAhead: 1.5,
      junctionAhead: null,
      isOverTaking: true,
      PriorityNPCAhead: true,
    };
    const lights = {
      trafficLightList: [
        { color: 1, blink: false },
        { color: 'GREEN', blink: true },
      ],
      nearst: 1,
    };
    const recording = {
      time: { hour: 20, minute: 15 },
      weather: { rain: 0.5, fog: 0 },
      trace: [{ timestamp: 1, ego, traffic_lights: lights, truth: { minDistToEgo: 0 } }],
    };
    const { states } = await read(recording);
    expect(states[0]).toMatchObject({
      speed: 18,
      acc: 2,
      brake: 12.5,
      gear: 2,
      turnSignal: 1,
      hornOn: 1,
      lowBeamOn: 0,
      direction: 2,
      currentLanenumber: 3,
      stoplineAhead: 1.5,
      isOverTaking: 1,
      PriorityNPCAhead: 1,
      signalAhead: 1,
      trafficLightAheadcolor: 3,
      trafficLightAheadblink: 1,
      rain: 0.5,
      Time: 20.25,
      collision: 1,
    });
    // A null is no distance.
    expect(states[0]).not.toHaveProperty('junctionAhead');
  });

  it('takes vehicles from the obstacles that are named, in km/h, and leaves out one that is not listed', async () => {
    const obsList = [
      { name: 'npc1', distToEgo: 4, speed: 5 },
      { id: 9, distToEgo: 8, speed: 10 },
    ];
    const truth = { NPCAhead: 'npc1', NearestNPC: 9, NPCOpposite: 'npc7', minDistToEgo: 4, obsList };
    const { states, traces } = await read({ trace: [frame(0, {}, { truth })] });
    expect(states[0]).toMatchObject({
      NPCAheadAhead: 4,
      NPCAheadspeed: 18,
      NearestNPCAhead: 8,
      NearestNPCspeed: 36,
      collision: 0,
    });
    expect(states[0]).not.toHaveProperty('NPCOppositeAhead');
    const why = 'truth.NPCOpposite names "npc7", which truth.obsList does not list';
    expect(traces[0].notRecorded).toMatchObject({ NPCOppositeAhead: why, NPCOppositespeed: why });
    const none = await read({ trace: [frame(0, {}, { truth: { NPCAhead: null, obsList } })] });
    expect(none.states[0]).toMatchObject({ NPCAheadAhead: 200, NPCAheadspeed: 120 });
    expect(none.notes.at(-1)).not.toContain('NPCAheadAhead');
    // Those listed have no type: none can be told to be the nearest vehicle.
    expect(none.traces[0].notRecorded?.NearestNPCAhead).toContain('an obstacle without type or typeName');
    expect(none.notes).toContain(
      'drive.json: where nobody is there, NPCAheadAhead is 200 m and NPCAheadspeed 120 km/h',
    );
  });

  it.each([
    [1, 1],
    [2, 0.04],
    [100, 0.001],
    [1, 0.08],
  ])('deduces from the motion that, at %s units a frame, a unit is %s s', async (units, seconds) => {
    const { traces, notes } = await read({ trace: frames(20, { units, seconds }) });
    expect(notes[0]).toContain(`taken for ${seconds} s, by the way covered and the speeds`);
    traces[0].steps.forEach(({ time }, i) => {
      expect(Math.abs((time ?? Number.NaN) - i * units * seconds)).toBeLessThan(1e-9);
    });
  });

  it('gives no time where the vehicle stands, unless it is told the unit', async () => {
    const still = { trace: frames(20, { metresPerSecond: 0 }) };
    const { traces, notes } = await read(still);
    expect(traces[0].steps.every((step) => !('time' in step))).toBe(true);
    expect(notes[0]).toContain('steps have no time');
    const told = await read(still, { timestampSeconds: 0.5 });
    expect(told.traces[0].steps.at(-1)?.time).toBe(9.5);
    expect(told.notes.some((note) => note.includes('timestamp'))).toBe(false);
  });

  it('marks the last frame of a run that arrived or ended in an accident, and runs that were cut', async () => {
    const end = { destinationReached: true, testFailures: ['Accident!'], completed: false };
    const { traces, states } = await read({ ...end, trace: frames(3) });
    expect(traces[0].complete).toBe(false);
    expect(states.map((state) => [state.reach_destination, state.collision])).toEqual([
      [0, 0],
      [0, 0],
      [1, 1],
    ]);
  });

  it('keeps bare NaN and infinities, and only outside strings', async () => {
    const text = JSON.stringify({ note: 'NaN "-Infinity"', trace: [frame(0)] })
      .replace('"traffic_lights":{}', '"traffic_lights":{"trafficLightList":[{"color":NaN}]},"NaN":"NaN!"')
      .replace('"ego":{', '"ego":{"stoplineAhead":-NaN,"junctionAhead":Infinity,"crosswalkAhead":-Infinity,');
    const { states } = await read(text);
    expect(states[0]).toMatchObject({
      trafficLightAheadcolor: Number.NaN,
      stoplineAhead: Number.NaN,
      junctionAhead: Number.POSITIVE_INFINITY,
      crosswalkAhead: Number.NEGATIVE_INFINITY,
    });
  });

  it.each([
    ['7', 'drive.json:1:1: the recording is 7; expected an object with a trace'],
    ['{\n"trace": [NaN, }', 'drive.json:2:16: not JSON: found "}", expected a value'],
    ['{"trace": xNaN}', 'not JSON: found "xNaN}"'],
    ['{"trace": 1Infinity}', 'expected "," or "}"'],
    ['{"trace": {}}', 'trace is an object with no keys; expected an array of frames'],
    ['{"trace": []}', 'drive.json has no frames'],
    ['{"trace": [4]}', 'trace[0] is 4; expected a frame'],
    ['{"trace": [{}]}', 'trace[0].timestamp is missing; expected a number'],
    ['{"trace": [{"timestamp": null}]}', 'trace[0].timestamp is null; expected a number'],
    ['{"trace": [{"timestamp": "1"}]}', 'trace[0].timestamp is "1"; expected a number'],
    ['{"trace": [{"timestamp": true}]}', 'trace[0].timestamp is true; expected a number'],
    ['{"trace": [{"timestamp": NaN}]}', 'trace[0].timestamp is NaN; expected a number'],
    ['{"trace": [{"timestamp": 2}, {"timestamp": 1}]}', 'trace[1].timestamp is 1; expected at least 2'],
    ['{"trace": [{"timestamp": 2, "ego": {"stoplineAhead": "far"}}]}', 'trace[0].ego.stoplineAhead is "far"'],
  ])('refuses %s', async (text, message) => {
    const error = await read(text).catch((e) => e);
    expect(error).toBeInstanceOf(ParseError);
    expect(error.message).toContain(message);
  });

  it.each([
    ['{"trace": [{"timestamp": 2, "ego": 7}]}', 'trace[0].ego is 7; expected an object'],
    [
      '{"trace": [{"timestamp": 2, "ego": {"pose": [1]}}]}',
      'trace[0].ego.pose is an array of 1; expected an object',
    ],
    [
      '{"trace": [{"timestamp": 2, "ego": {"pose": {"heading": 143}}}]}',
      'trace[0].ego.pose.heading is 143; expected an angle in radians',
    ],
    [
      '{"trace": [{"timestamp": 2, "truth": {"obsList": [{}, {"distToEgo": "far"}]}}]}',
      'trace[0].truth.obsList[1].distToEgo is "far"; expected a number',
    ],
    [
      '{"trace": [{"timestamp": 2, "truth": {"obsList": {}}}]}',
      'trace[0].truth.obsList is an object with no keys',
    ],
    [
      '{"weather": {"rain": 50}, "trace": [{"timestamp": 2}]}',
      'weather.rain is 50; expected a strength from 0 to 1',
    ],
  ])('says where, what was found and what was expected in %s', async (text, message) => {
    const error = await read(text).catch((e) => e);
    expect(error).toBeInstanceOf(ParseError);
    expect(error.message).toContain(message);
  });

  it.each([
    [1, 's'],
    [1e3, 'ms'],
    [1e6, 'µs'],
    [1e9, 'ns'],
  ])('knows the unit of timestamps that count 1/%s s since 1970', async (perSecond, unit) => {
    const trace = [0, 0.5, 1].map((t) => ({ ...frame(0), timestamp: (1_624_187_395 + t) * perSecond }));
    const { traces, notes } = await read({ trace });
    expect(notes[0]).toBe(`drive.json: timestamps are taken for ${unit} since 1970`);
    traces[0].steps.forEach(({ time }, i) => {
      expect(Math.abs((time ?? Number.NaN) - i / 2)).toBeLessThan(1e-6);
    });
  });

  it('leaves out speeds that the positions contradict, as where they are in km/h', async () => {
    const kmh = frames(20, { metresPerSecond: 36 }).map((one, i) => ({
      ...one,
      timestamp: 1_624_187_395 + i / 2,
      ego: { pose: { ...one.ego.pose, position: { x: 5 * i, y: 0 } } },
    }));
    const { states, traces } = await read({ trace: kmh });
    expect(states.every((state) => !('speed' in state) && !('acc' in state))).toBe(true);
    expect(traces[0].notRecorded?.speed).toContain('positions move 0.28 times as far as such speeds would');
  });

  it('derives nothing from headings that point elsewhere than the vehicle moves, as where they count from the north', async () => {
    const northward = (heading: number) =>
      frames(20).map((one) => {
        const { ego } = one;
        const size = { length: 4.7, width: 2 };
        const npc = { name: 'npc', type: 5, position: { x: 1050, y: 7 }, theta: 0, length: 4, width: 2 };
        const truth = { obsList: [{ ...npc, lane_position: { lane: 'a' }, velocity: { x: 1, y: 0 } }] };
        return {
          ...one,
          truth,
          ego: { ...ego, size, lane: 'a', junction: null, pose: { ...ego.pose, heading } },
        };
      });
    const right = await read({ trace: northward(0) });
    expect(right.states[0]).toMatchObject({ NPCAheadAhead: expect.any(Number) });
    for (const heading of [Math.PI / 2, -2]) {
      const { states, notes } = await read({ trace: northward(heading) });
      expect(states.every((state) => !('NPCAheadAhead' in state) && !('NearestNPCAhead' in state))).toBe(
        true,
      );
      expect(notes.join()).toMatch(
        /ego.pose.heading is not used: it points (90|115)° away from where positions move/,
      );
    }
  });

  it('takes the change of speed for the acceleration where vectors are across the heading, and says so', async () => {
    const turned = [10, 12, 11, 11].map((metresPerSecond, i) => {
      const { ego, ...rest } = frame(i, { metresPerSecond });
      const across = { linearAcceleration: { x: 0, y: 0 }, heading: Math.PI / 2 };
      return { ...rest, ego: { pose: { ...ego.pose, ...across } } };
    });
    const { states, notes } = await read({ trace: turned }, { timestampSeconds: 0.5 });
    expect(states.map(({ acc }) => acc)).toEqual([4, 4, -2, 0]);
    expect(notes).toContain(
      'drive.json: acc is the change of speed from frame to frame: velocities of the pose do not point along its heading',
    );
  });

  it('reads an array of recordings, and skips those that are none', async () => {
    const skipped: SkippedTrace[] = [];
    const onSkipped = (one: SkippedTrace) => skipped.push(one);
    const { traces } = await read([{ trace: frames(2) }, 7, { trace: [] }, { trace: frames(1) }], {
      skipInvalid: true,
      onSkipped,
    });
    expect(traces.map(({ id }) => id)).toEqual(['drive.json:0', 'drive.json:3']);
    expect(skipped.map(({ reason }) => reason)).toEqual(['invalid', 'empty']);
  });
});

sharedData('apollo/trace.json', (path) => {
  it('reads all 68 frames, by their content, at 0.08 s a unit', async () => {
    const bytes = readFileSync(path);
    expect(detectTraceFormat(bytes.subarray(0, 1 << 16))).toBe('apollo');
    const notes: string[] = [];
    const [trace] = await collect(
      readTraceBatches(chunked(bytes, [777]), { source: path, onNote: ({ message }) => notes.push(message) }),
    );
    expect(trace.steps).toHaveLength(68);
    expect(trace.complete).toBe(true);
    expect(notes).toEqual([
      'trace.json: the unit of timestamp is not told; taken for 0.08 s, by the way covered and the speeds',
      'trace.json: speeds are taken for m/s and given in km/h',
      'trace.json: acc is the change of speed from frame to frame: velocities of the pose do not point along its heading',
      'trace.json: destinationReached is said of the run; taken for its last frame',
      'trace.json: where no traffic lights are there, signalAhead, trafficLightAheadcolor and trafficLightAheadblink are 0 in 39 of 68 frames',
      'trace.json: where nobody is there, NPCAheadAhead is 200 m and NPCAheadspeed 120 km/h',
      'trace.json: where nobody is there, NearestNPCAhead is 200 m and NearestNPCspeed 0 km/h in 39 of 68 frames',
      'trace.json: where nobody is there, NPCOppositeAhead is 200 m and NPCOppositespeed 0 km/h',
      expect.stringMatching(/^trace.json: not recorded, and left out: speedLimitlowerLimit \(recordings/),
    ]);
    const absent = ['speedLimitlowerLimit', 'speedLimitupperLimit', 'snow'];
    expect(Object.keys(trace.notRecorded ?? {})).toEqual([...absent, 'road']);
    // 357 units; the clock of the chassis goes from 17:51:05 to 17:51:34 meanwhile.
    expect(Math.abs((trace.steps[67].time ?? 0) - 28.56)).toBeLessThan(1e-9);
    const colours = trace.steps.map(({ state }) => state.trafficLightAheadcolor);
    expect(colours.join('')).toBe(`${'0'.repeat(32)}${'3'.repeat(12)}${'2'.repeat(17)}${'0'.repeat(7)}`);
    const { state } = trace.steps[44];
    expect(state).toMatchObject({ signalAhead: 1, currentLanenumber: 4, Time: 12, direction: 0, gear: 1 });
    expect(state.stoplineAhead).toBeCloseTo(2.534, 3);
    expect(state.speed).toBeCloseTo(31.69, 1);
    expect(trace.steps.filter((step) => step.state.reach_destination === 1)).toEqual([trace.steps[67]]);
    for (const step of trace.steps) {
      const names = DRIVING_VARIABLES.map(({ name }) => name).filter((name) => !absent.includes(name));
      expect(Object.keys(step.state)).toEqual([...names, 'lane', 'inJunction']);
      for (const value of Object.values(step.state)) expect(value).not.toBeNaN();
    }
  });
});
