import { describe, expect, it } from 'vitest';
import '../../../../bindings/kernel/inline.js';
import { driveTrace, drivingScenarios } from '../../../../bindings/simulation/index.js';
import { breaks } from './lawVerdict.js';

const DRIVES = 400;

/** Shares of 400 drives, seeds 0 to 399, that break the law: bounds far from what is measured, and from 0 and 1. */
const shares: Record<string, readonly [number, number]> = {
  'yellow-light': [0.35, 0.6],
  'red-light': [0.15, 0.35],
  'left-turn': [0.06, 0.25],
  'red-queue': [0.15, 0.35],
  'red-light-in-snow': [0.15, 0.35],
  crosswalk: [0.07, 0.25],
  'traffic-jam': [0.35, 0.65],
  'fast-lane': [0.07, 0.25],
  'into-the-junction': [0.05, 0.2],
};

describe('every scenario', () => {
  for (const scenario of drivingScenarios) {
    it(`${scenario.name} breaks law ${scenario.law} in a share of its drives`, () => {
      let broken = 0;
      for (let seed = 0; seed < DRIVES; seed++) {
        const { steps } = driveTrace(scenario, { seed });
        if (breaks(scenario.formula, steps)) broken++;
      }
      const [low, high] = shares[scenario.name];
      expect(broken / DRIVES).toBeGreaterThan(low);
      expect(broken / DRIVES).toBeLessThan(high);
    });
  }
});
