import { describe, expect, it } from 'vitest';
import '../../../bindings/solvers/kernel/inline.js';
import { InvalidArgumentError, NotSupportedError } from '../../../bindings/base/errors.js';
import { type RuleTimes, type TimeOptions, timeToViolation } from '../../../bindings/rules/risk/index.js';
import { learnFor, runs, specify, word } from './learnt.js';

async function timesOf(rule: string, options: TimeOptions = {}, traces = runs): Promise<RuleTimes> {
  const specification = specify(`samplingPeriod: 0.5s\nlearning: { smoothing: 0 }\nrules:\n  r: ${rule}`);
  return timeToViolation(specification, (await learnFor(specification, {}, traces)).model, 'r', options);
}

describe('timeToViolation', () => {
  it('knows when a violation comes, if it does', async () => {
    const { start, entries, samplingPeriodSeconds } = await timesOf("{ formula: 'G !c', threshold: 0.5 }", {
      horizon: 6,
      quantiles: [0.1, 0.5, 0.99],
    });
    expect(samplingPeriodSeconds).toBe(0.5);
    expect(entries.map(({ description }) => description[0])).toEqual(['b', 'a']);
    const [fromB, fromA] = entries;
    // m_a = 2/5 + m_a/4 + m_b/2 and m_b = 3/5 + 2/3 m_a: 42/25 and 43/25, divided by the risks 2/5 and 3/5.
    for (const [time, exact] of [
      [fromA, 4.2],
      [start, 4.2],
      [fromB, 43 / 15],
    ] as const) {
      expect(time.expectedSteps!.lower).toBeLessThanOrEqual(exact + 1e-15);
      expect(time.expectedSteps!.upper).toBeGreaterThanOrEqual(exact - 1e-15);
      expect(time.expectedSteps!.upper - time.expectedSteps!.lower).toBeLessThan(1e-4);
    }
    expect(fromA.within.lower).toHaveLength(7);
    // From a: b, then c, 1/6; before that nothing; then a once more at first, 1/4 * 1/6 more.
    const exact = [0, 0, 1 / 6, 1 / 6 + 1 / 24];
    for (const [k, value] of exact.entries()) {
      expect(fromA.within.lower[k]).toBeLessThanOrEqual(value + 1e-15);
      expect(fromA.within.upper[k]).toBeGreaterThanOrEqual(value - 1e-15);
    }
    expect(fromB.quantiles.map(({ steps }) => steps)).toEqual([
      { lower: 1, upper: 1 },
      { lower: 1, upper: 1 },
      { lower: 7, upper: Infinity },
    ]);
    expect(fromA.quantiles[0].steps).toEqual({ lower: 2, upper: 2 });
  });

  it('gives no seconds a step where a step may last longer than the sampling period', async () => {
    const timed = (policy: string) =>
      specify(
        `samplingPeriod: 0.5s\nresample: ${policy}\nlearning: { smoothing: 0 }\nrules:\n  r: { formula: 'G !c', threshold: 0.5 }`,
      );
    const secondsOf = async (policy: string) =>
      timeToViolation(timed(policy), (await learnFor(timed(policy))).model, 'r').samplingPeriodSeconds;
    expect(await secondsOf('hold')).toBe(0.5);
    expect(await secondsOf('skip')).toBeNull();
  });

  it('looks a duration ahead, counts the end as a step, and says nothing of what cannot come', async () => {
    const { horizonSteps, entries } = await timesOf("{ formula: 'F c', threshold: 0.5 }", { horizon: '2s' });
    expect(horizonSteps).toBe(4);
    const fromB = entries.find(({ description }) => description.startsWith('b'));
    // b, then a, then the end.
    expect(fromB!.within.upper[1]).toBe(0);
    expect(fromB!.within.lower[2]).toBeGreaterThan(0.16);
    const never = await timesOf("{ formula: 'G !(a & b)', threshold: 0.5 }");
    for (const { expectedSteps, quantiles, risk } of [never.start, ...never.entries]) {
      expect(risk).toEqual({ lower: 0, upper: 0 });
      expect(expectedSteps).toBeNull();
      expect(quantiles.every(({ steps }) => steps === null)).toBe(true);
    }
  });

  it('bounds no time from above where a state without data may come first', async () => {
    const cut = { ...word('ad'), complete: false };
    const { start } = await timesOf("{ formula: 'G !c', threshold: 0.5 }", {}, [...runs, cut]);
    expect(start.expectedSteps!.upper).toBe(Infinity);
    expect(start.expectedSteps!.lower).toBeGreaterThanOrEqual(1);
    expect(start.risk.upper).toBeGreaterThan(start.risk.lower);
  });

  it('refuses PCTL rules, unknown rules, and what is no horizon or quantile', async () => {
    await expect(timesOf("{ formula: 'P<0.5 [ F c ]' }")).rejects.toThrow(NotSupportedError);
    const rule = "{ formula: 'G !c', threshold: 0.5 }";
    await expect(timesOf(rule, { horizon: -1 })).rejects.toThrow(InvalidArgumentError);
    await expect(timesOf(rule, { horizon: '1 minute' })).rejects.toThrow('not a duration');
    await expect(timesOf(rule, { horizon: '0.4s' })).rejects.toThrow('no step falls within 0.4s');
    await expect(timesOf(rule, { quantiles: [0] })).rejects.toThrow('above 0 and at most 1');
  });
});
