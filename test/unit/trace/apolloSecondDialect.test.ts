import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readTraceBatches, type Trace } from '../../../bindings/observations/trace/index.js';
import { sharedData } from '../../shared.js';
import { chunked, collect } from './bytes.js';

type Json = Record<string, unknown>;

async function read(recording: unknown): Promise<Trace> {
  const text = JSON.stringify(recording);
  const [trace] = await collect(readTraceBatches(chunked(text), { source: 'drive.json', format: 'apollo' }));
  return trace;
}

/** An obstacle `ahead` metres before the rear axle of the ego vehicle, which heads along the x axis, and `left` of it. */
const obstacle = (name: string, ahead: number, left: number, more: Json = {}): Json => ({
  name,
  type: 5,
  position: { x: 100 + ahead, y: 50 + left, z: 0 },
  theta: 0,
  velocity: { x: 3, y: 4, z: -9 },
  length: 4,
  width: 2,
  lane_position: { lane: 'lane_1', offset: 3 },
  ...more,
});

const ego = {
  size: { length: 4.697298, width: 2 },
  pose: { position: { x: 100, y: 50 }, linearVelocity: { x: 10, y: 0 }, heading: 0 },
  lane: 'lane_1',
  road: 'road_1',
  junction: null as string | null,
};

const drive = (obsList: readonly Json[], more: Json = {}, truth: Json = {}) => ({
  trace: [{ timestamp: 1e9, ego: { ...ego, ...more }, truth: { obsList, ...truth } }],
});
const stateOf = async (obsList: readonly Json[], more: Json = {}, truth: Json = {}) =>
  (await read(drive(obsList, more, truth))).steps[0].state;

/** The front bumper of the ego vehicle is 3.697298 m before its rear axle, the rear one of others 2 m behind their middle. */
const gap = (ahead: number): number => ahead - 2 - 3.697298;

describe('what obstacles tell, by the definitions of LawBreaker', () => {
  it('is the vehicle ahead on the same lane, the nearest one, and their horizontal speeds', async () => {
    const near = obstacle('beside', 1, 5, { velocity: { x: 0, y: 2 }, lane_position: { lane: 'lane_2' } });
    const state = await stateOf([
      obstacle('behind', -20, 0),
      obstacle('far', 80, 0),
      obstacle('next', 30, 0),
      obstacle('between, on another lane', 12, 4, { lane_position: { lane: 'lane_2' } }),
      obstacle('walker', 10, 0, { type: 3 }),
      near,
    ]);
    expect(state.NPCAheadAhead).toBeCloseTo(gap(30), 9);
    expect(state.NPCAheadspeed).toBe(18);
    // 1 m of either's half width lies in the 5 m between their middles.
    expect(state.NearestNPCAhead).toBeCloseTo(3, 9);
    expect(state.NearestNPCspeed).toBe(7.2);
    expect(state).toMatchObject({ collision: 0, lane: 'lane_1', road: 'road_1', inJunction: 0 });
  });

  it('is any vehicle ahead while in a junction, where lane number and distance of the junction are 0', async () => {
    const other = { lane_position: { lane: 'lane_2' } };
    const state = await stateOf([obstacle('across', 12, 4, other)], { junction: 'J_7' });
    expect(state.NPCAheadAhead).toBeGreaterThan(0);
    expect(state.NPCAheadAhead).toBeLessThan(gap(12) + 3);
    expect(state).toMatchObject({ inJunction: 1, currentLanenumber: 0, junctionAhead: 0 });
    expect(await stateOf([])).not.toHaveProperty('currentLanenumber');
    expect(await stateOf([])).not.toHaveProperty('junctionAhead');
  });

  it('is the oncoming vehicle within 30 m, turned against the ego vehicle by less than 45°', async () => {
    const oncoming = (theta: number, ahead: number) =>
      stateOf([obstacle('other', ahead, 4, { theta, lane_position: { lane: 'lane_2' } })]);
    expect((await oncoming(Math.PI, 20)).NPCOppositeAhead).toBeLessThan(25);
    expect((await oncoming(-2.5, 20)).NPCOppositeAhead).toBeLessThan(25);
    expect((await oncoming(Math.PI, 60)).NPCOppositeAhead).toBe(200);
    expect((await oncoming(0.5, 20)).NPCOppositeAhead).toBe(200);
  });

  it('is that nobody has priority and nobody jams, where nobody is near or slow enough for it', async () => {
    const far = obstacle('far', 80, 0);
    expect(await stateOf([far])).toMatchObject({
      PriorityNPCAhead: 0,
      PriorityPedsAhead: 0,
      isTrafficJam: 0,
    });
    const near = await read(drive([obstacle('near', 20, 0), obstacle('walker', 9, 0, { type: 3 })]));
    expect(near.steps[0].state).not.toHaveProperty('PriorityNPCAhead');
    expect(near.steps[0].state).not.toHaveProperty('PriorityPedsAhead');
    expect(near.notRecorded?.PriorityNPCAhead).toContain('a vehicle is within 30 m');
    const slow = ['a', 'b', 'c'].map((name, i) =>
      obstacle(name, 40 + 10 * i, 0, { velocity: { x: 0, y: 0 } }),
    );
    expect(await stateOf(slow.slice(1))).toMatchObject({ isTrafficJam: 0 });
    expect(await stateOf(slow)).not.toHaveProperty('isTrafficJam');
  });

  it('is a collision where outlines touch', async () => {
    expect(await stateOf([obstacle('hit', 5.5, 0)])).toMatchObject({ collision: 1, NPCAheadAhead: 0 });
  });

  it.each([
    ['type', 'NearestNPCAhead', 'an obstacle without type or typeName'],
    ['lane_position', 'NPCAheadAhead', 'an obstacle without lane_position.lane'],
    ['theta', 'NPCOppositeAhead', 'an obstacle without theta'],
    ['velocity', 'NearestNPCspeed', 'an obstacle without speed or velocity'],
    ['length', 'NearestNPCAhead', 'an obstacle without distToEgo, nor what it follows from'],
  ])('is not made up where obstacles lack %s', async (lacking, field, why) => {
    const trace = await read(
      drive([obstacle('one', 30, 0, { [lacking]: undefined }), obstacle('two', 50, 0)]),
    );
    expect(trace.steps[0].state).not.toHaveProperty(field);
    expect(trace.notRecorded?.[field]).toContain(why);
  });

  it('is nobody where the list is empty, and not known where there is none', async () => {
    expect(await stateOf([])).toMatchObject({ NPCAheadAhead: 200, NearestNPCAhead: 200, collision: 0 });
    const blind = await read({ trace: [{ timestamp: 1e9, ego }] });
    expect(Object.keys(blind.steps[0].state)).toEqual(['speed', 'lane', 'road', 'inJunction']);
  });
});

sharedData('apollo/second-dialect.json', (path) => {
  const recording = JSON.parse(readFileSync(path, 'utf8')) as { trace: { truth: { obsList: Json[] } }[] };

  it('is read: pose, lane and obstacles, seconds by its clock, and nothing of lights, laws and chassis', async () => {
    const { steps, notRecorded = {} } = await read(recording);
    expect(steps).toHaveLength(6);
    expect(steps.map(({ time }) => time?.toFixed(3))).toEqual([
      '0.000',
      '1.970',
      '2.293',
      '2.923',
      '3.245',
      '3.881',
    ]);
    for (const { state } of steps) {
      for (const field of ['speed', 'acc', 'NPCAheadAhead', 'NPCAheadspeed', 'NearestNPCAhead', 'collision'])
        expect(state[field], field).toEqual(expect.any(Number));
      expect(state).toMatchObject({ lane: 'lane_221', inJunction: 0, PriorityPedsAhead: 0 });
    }
    for (const field of [
      'trafficLightAheadcolor',
      'currentLanenumber',
      'junctionAhead',
      'stoplineAhead',
      'gear',
    ])
      expect(notRecorded, field).toHaveProperty(field);
  });

  it('tells the same distances without those that it has: outlines and poses give them', async () => {
    const bare = structuredClone(recording);
    const told = recording.trace.map(({ truth }) => truth.obsList.map(({ distToEgo }) => Number(distToEgo)));
    for (const { truth } of bare.trace) for (const one of truth.obsList) delete one.distToEgo;
    const { steps } = await read(bare);
    steps.forEach(({ state }, i) => {
      const nearest = Math.min(...told[i]);
      expect(Math.abs(Number(state.NearestNPCAhead) - nearest), `frame ${i}`).toBeLessThan(1e-6);
      // npc1 is on the lane of the ego vehicle, and ahead of it; npc2 is further.
      expect(Math.abs(Number(state.NPCAheadAhead) - told[i][0]), `frame ${i}`).toBeLessThan(1e-6);
    });
  });
});

sharedData('apollo/trace.json', (path) => {
  it('finds among the obstacles of the first dialect whom that names, where the names are taken away', async () => {
    const recording = JSON.parse(readFileSync(path, 'utf8').replaceAll('NaN', 'null')) as {
      trace: { truth: Json }[];
    };
    const named = await read(recording);
    const roles = ['NearestNPC', 'NPCOpposite', 'minDistToEgo'];
    for (const { truth } of recording.trace) for (const role of roles) delete truth[role];
    const derived = await read(recording);
    const fields = ['NearestNPCAhead', 'NearestNPCspeed', 'NPCOppositeAhead', 'collision'];
    let seen = 0;
    named.steps.forEach(({ state }, i) => {
      for (const field of fields)
        expect(derived.steps[i].state[field], `${field}, frame ${i}`).toBe(state[field]);
      if (state.NearestNPCAhead !== 200) seen++;
    });
    expect(seen).toBe(29);
  });
});
