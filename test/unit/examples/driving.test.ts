import { beforeAll, describe, expect, it } from 'vitest';
import { drivingScenarios } from '../../../worlds/src/index.js';
import { example } from './example.js';

interface Drives {
  readonly firstSeed: number;
  readonly count: number;
}

const seedsOf = ({ firstSeed, count }: Drives): number[] =>
  Array.from({ length: count }, (_, i) => firstSeed + i);

describe('the driving experiment', () => {
  describe.each([
    ['long', false],
    ['short', true],
  ])('in its %s form', (_, short) => {
    it('learns, tunes, judges and supervises on drives that have no seed in common', async () => {
      const { planOf, tuning } = await example('driving/plan.mjs');
      const { learn, judge, live, at100Hz } = planOf(short);
      const sets: Drives[][] = [
        [learn, at100Hz.learn, tuning.learn],
        [tuning.judge],
        [judge, at100Hz.judge],
        [live],
      ];
      const seeds = sets.map((ranges) => new Set(ranges.flatMap(seedsOf)));
      const all = new Set(seeds.flatMap((set) => [...set]));
      expect(all.size).toBe(seeds.reduce((sum, { size }) => sum + size, 0));
      expect(Math.min(...seeds.map(({ size }) => size))).toBeGreaterThan(0);
    });

    it('lets the baseline drive no others', async () => {
      const { planOf, tuning } = await example('driving/plan.mjs');
      for (const { count, ofBaseline } of [planOf(short).live, tuning.judge]) {
        expect(ofBaseline).toBeLessThanOrEqual(count);
      }
    });
  });

  describe('of a scenario', () => {
    // biome-ignore lint/suspicious/noExplicitAny: an example's result, which has no type
    let result: any;
    const drives = { firstSeed: 1, count: 40 };

    beforeAll(async () => {
      const { runScenario } = await example('driving/scenario.mjs');
      const scenario = drivingScenarios.find(({ name }) => name === 'red-light');
      const live = { firstSeed: 2001, count: 3, ofBaseline: 2 };
      result = await runScenario(scenario, { learn: drives, judge: { ...drives, firstSeed: 1001 }, live });
    });

    it('judges the law alone, context, and the baseline on the same drives', () => {
      const { guard, onlyLaw, baseline } = result;
      const violations = [guard, onlyLaw, baseline].flatMap(({ thresholds }) =>
        thresholds.map((found: { runs: number; violations: number }) => [found.runs, found.violations]),
      );
      expect(violations).toHaveLength(9);
      for (const found of violations) expect(found).toEqual([40, violations[0][1]]);
      expect(violations[0][1]).toBeGreaterThan(0);
    });

    it('has more predicates with context than the law compares', () => {
      const { abstraction, onlyLawAbstraction } = result;
      expect(abstraction.predicates.length).toBeGreaterThan(onlyLawAbstraction.predicates.length);
      expect(abstraction.states).toBeGreaterThan(onlyLawAbstraction.states);
    });

    it('compares every supervision with the same drives left alone', () => {
      const [none, ...supervised] = result.enforcement;
      expect([none.runs, none.overridden.rate]).toEqual([3, 0]);
      expect(supervised.map(({ runs }: { runs: number }) => runs)).toEqual([3, 3, 3, 3, 3, 2, 2, 2]);
    });
  });

  it('knows what the chain sees of every scenario', async () => {
    const { predicatesOf } = await example('driving/context.mjs');
    for (const { name } of drivingScenarios)
      expect(Object.keys(predicatesOf(name)).length, name).toBeGreaterThan(3);
  });
});
