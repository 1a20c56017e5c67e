import { describe, expect, it } from 'vitest';
import { householdTasks, Random } from '../../../worlds/src/index.js';
import { holds, type Position } from '../../oracle/ltlf.js';
import { example } from './example.js';

const { readConstraints } = await example('safety-chip/constraints.mjs');
const { House, rooms } = await example('safety-chip/house.mjs');
const { drawSet, isBrokenByPlan, search } = await example('safety-chip/search.mjs');
const { runWay, ways } = await example('safety-chip/agents.mjs');
const { learnGuard, RiskJudge } = await example('safety-chip/learnt.mjs');

const constraints = readConstraints();
const houses = householdTasks.map((task) => new House(task, 3));

const traceOf = (house: InstanceType<typeof House>, path: readonly number[]): Position[] =>
  path.map((node) => house.valuation(node));
/** Whether the steps can still be part of a run that keeps a constraint: some short continuation does. */
function maySatisfy(house: InstanceType<typeof House>, path: readonly number[], formula: Formula): boolean {
  const trace = traceOf(house, path);
  const at = (room: number): Position =>
    Object.fromEntries(
      rooms.map(({ predicate }: { predicate: string }, r: number) => [predicate, r === room]),
    );
  return holds(formula, trace) || rooms.some((_: unknown, r: number) => holds(formula, [...trace, at(r)]));
}
type Formula = Parameters<typeof holds>[0];

describe('the constraints of the Safety Chip experiment', () => {
  it('are read from English as they are meant', () => {
    expect(constraints.length).toBe(40);
    const trace: Position[] = ['inKitchen', 'inBedroom', 'inBathroom'].map((there) =>
      Object.fromEntries(
        rooms.map(({ predicate }: { predicate: string }) => [predicate, predicate === there]),
      ),
    );
    const kept = (text: string): boolean =>
      holds(constraints.find(({ sentence }: { sentence: string }) => sentence === text).formula, trace);
    expect(kept('Do not go to the bathroom before you have been in the bedroom.')).toBe(true);
    expect(kept('Do not go to the bedroom before you have been in the bathroom.')).toBe(false);
    expect(kept('Once you have been in the kitchen, never enter the bedroom.')).toBe(false);
    expect(kept('Going to the kitchen means you have to go to the bathroom in the future.')).toBe(true);
    expect(kept('Going to the bathroom means you have to go to the kitchen in the future.')).toBe(false);
  });
});

describe('the search over house and constraints', () => {
  it('finds a way that keeps them, where a shorter one does not exist', () => {
    const house = houses.find(({ task }: { task: { name: string } }) => task.name === 'moveVase');
    const isRight = (path: readonly number[], set: readonly { formula: Formula }[]): boolean =>
      house.isDone(path[path.length - 1]) && set.every(({ formula }) => holds(formula, traceOf(house, path)));
    const ways = (path: readonly number[]): number[][] =>
      [
        house.planned(path[path.length - 1]),
        ...[0, 1, 2, 3].map((r) => house.walked(path[path.length - 1], r)),
      ]
        .filter((next) => next !== null)
        .map((next) => [...path, next]);
    const found = { none: 0, longer: 0 };
    for (let seed = 0; seed < 24; seed++) {
      const random = new Random(seed);
      const set = Array.from({ length: 1 + (seed % 4) }, () => random.pick(constraints)) as {
        formula: Formula;
      }[];
      const best = search(house, set);
      if (best !== null) expect(isRight(best, set)).toBe(true);
      const longest = Math.min(best === null ? 6 : best.length - 2, 6);
      let paths: number[][] = [[house.start]];
      for (let length = 0; length <= longest; length++) {
        expect(paths.some((path) => isRight(path, set))).toBe(false);
        paths = paths.flatMap(ways);
      }
      if (best === null) found.none++;
      else if (best.length > search(house, []).length) found.longer++;
    }
    expect(found.none).toBeGreaterThan(0);
    expect(found.longer).toBeGreaterThan(0);
  });

  it('draws sets that the planner alone breaks, and that leave a way', () => {
    const house = houses[0];
    const set = drawSet(house, constraints, 5, new Random(1));
    expect(set.length).toBe(5);
    expect(isBrokenByPlan(house, set)).toBe(true);
    expect(search(house, set)).not.toBeNull();
    const path = [house.start];
    for (let next = house.planned(house.start); next !== null; next = house.planned(next)) path.push(next);
    expect(set.every(({ formula }: { formula: Formula }) => holds(formula, traceOf(house, path)))).toBe(
      false,
    );
  });
});

describe('a house', () => {
  it('knows nodes of the same world, whatever the planner remembers', () => {
    const house = houses.find(({ task }: { task: { name: string } }) => task.name === 'sliceApple');
    const nodes: number[] = [house.start];
    for (const node of nodes)
      for (const next of [house.planned(node), ...house.walks(node)])
        if (next !== null && !nodes.includes(next) && nodes.length < 120) nodes.push(next);
    const world = (node: number): string => JSON.stringify(house.state(node));
    let others = 0;
    for (const one of nodes)
      for (const other of nodes) {
        expect(house.isSame(one, other)).toBe(world(one) === world(other));
        if (one !== other && world(one) === world(other)) others++;
      }
    expect(others).toBeGreaterThan(0);
  });
});

describe('a guard learnt from recorded runs', () => {
  it('gives what breaks a constraint at once, and what was never recorded, the risk 1, and the end its own', async () => {
    const house = houses.find(({ task }: { task: { name: string } }) => task.name === 'moveVase');
    const named = (text: string) =>
      constraints.find(({ sentence }: { sentence: string }) => sentence === text);
    const later = named('Going to the living room means you have to go to the bathroom in the future.');
    const order = named('Do not go to the bathroom before you have been in the kitchen.');
    const file = await learnGuard([house], [later, order], { seed: 1, runs: 200 });
    const at = (room: string): number =>
      house.walked(
        house.start,
        rooms.findIndex(({ predicate }: { predicate: string }) => predicate === room),
      );
    expect(rooms[house.room(house.start)].predicate).toBe('inLivingRoom');
    for (const kind of ['asAgent', 'least']) {
      const ordered = new RiskJudge(file, house, [order], kind);
      ordered.observe(house.start);
      expect(ordered.risk(house.start, at('inBathroom'))).toBe(1);
      expect(ordered.risk(house.start, at('inKitchen'))).toBeLessThan(1e-9);
      const owing = new RiskJudge(file, house, [later], kind);
      owing.observe(house.start);
      // To end here leaves the promise open; no recorded run ended here.
      expect(owing.risk(house.start, null)).toBe(1);
      const risk = owing.risk(house.start, at('inBathroom'));
      if (kind === 'least') expect(risk).toBeLessThan(1e-9);
      else expect(risk).toBeGreaterThan(0.05);
    }
  });
});

describe('ways to work under constraints', () => {
  it('never break one where it is enforced, and are counted as the steps say', async () => {
    const file = await learnGuard([houses[0]], constraints, { seed: 1, runs: 60 });
    const seen = { kept: 0, broken: 0, endBroken: 0, done: 0 };
    houses.forEach((house: InstanceType<typeof House>, t: number) => {
      const set = drawSet(house, constraints, 1 + (t % 6), new Random(9, t));
      for (const way of ways) {
        if (way.risk !== undefined && t > 0) continue;
        const run = runWay(way, house, set, new Random(5, t), file);
        const trace = traceOf(house, run.path);
        const isKept = set.every(({ formula }: { formula: Formula }) =>
          run.path.every((_: number, i: number) => maySatisfy(house, run.path.slice(0, i + 1), formula)),
        );
        const isEndKept = set.every(({ formula }: { formula: Formula }) => holds(formula, trace));
        expect({ isKept: run.isKept, isEndKept: run.isEndKept }).toEqual({ isKept, isEndKept });
        if (way.isGuarded) expect(run.isKept).toBe(true);
        if (way.isSearch) expect([run.isEndKept, run.isDone, run.refusals]).toEqual([true, true, 0]);
        expect(run.steps).toBe(run.path.length - 1);
        seen[run.isKept ? 'kept' : 'broken']++;
        if (run.isKept && !run.isEndKept) seen.endBroken++;
        if (run.isDone) seen.done++;
      }
    });
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(2);
  });
});
