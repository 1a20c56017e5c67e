import { describe, expect, it } from 'vitest';
import '../../../../bindings/kernel/inline.js';
import { driveTrace, drivingScenarios } from '../../../../bindings/simulation/index.js';
import { breaks } from './lawVerdict.js';

const DRIVES = 400;

/** Shares of 400 drives, seeds 0 to 399, that break the law: bounds far from what is measured, and from 0 and 1. */
const shares: Record<string, readonly [number, number]> = {
  'yellow-light': [0.25, 0.6],
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
