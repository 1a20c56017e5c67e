import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvalidArgumentError } from '../../../bindings/base/errors.js';
import {
  clopperPearsonInterval,
  detection,
  forecastRuns,
  meanOf,
  type RunForecast,
} from '../../../bindings/study/evaluation/index.js';
import { eventually, guardFile, never, ruleOf } from '../guard/guardFiles.js';
import { someRuns } from './someRuns.js';

const atHalf = (score: number) => score >= 0.5;

const detected: RunForecast = { scores: [0.1, 0.6, 0.2, 1], violatedAt: 3, times: [0, 0.5, 1, 3] };
const earlier: RunForecast = { scores: [0.5, 0.6, 1], violatedAt: 2, times: [0, 1, 2] };
const missed: RunForecast = { scores: [0.1, 1, 1], violatedAt: 1, times: [0, 1, 2] };
const falseAlarm: RunForecast = { scores: [0.1, 0.7], violatedAt: null, times: [0, 1] };
const quiet: RunForecast = { scores: [0.1, 0.2, 0.3], violatedAt: null, times: [0, 1, 2] };

describe('the detection of violations', () => {
  it('counts a violation as detected only where an alarm came before it', () => {
    const found = detection([detected, earlier, missed, falseAlarm, quiet], atHalf);
    expect(found).toMatchObject({ runs: 5, violations: 3, detected: 2, falseAlarms: 1 });
    expect(found.detectionRate).toEqual(clopperPearsonInterval(2, 3));
    expect(found.falseAlarmRate).toEqual(clopperPearsonInterval(1, 2));
    expect(found.precision).toEqual(clopperPearsonInterval(2, 3));
  });

  it('measures the warning from the first alarm to the violation, in steps and in seconds', () => {
    const { warningSteps, warningSeconds, warningSecondsOfAll } = detection(
      [detected, earlier, missed, falseAlarm, quiet],
      atHalf,
    );
    expect(warningSteps).toMatchObject({ count: 2, mean: 2, median: 2 });
    expect(warningSeconds).toMatchObject({ count: 2, mean: 2.25, median: 2.25 });
    expect(warningSecondsOfAll).toMatchObject({ count: 3, mean: 1.5, median: 2 });
  });

  it('gives no seconds where a detected run has no times', () => {
    const untimed = { scores: [0.9, 1], violatedAt: 1 };
    const found = detection([detected, untimed, missed], atHalf);
    expect(found.warningSteps.mean).toBe(1.5);
    expect(found.warningSeconds.count).toBe(0);
    expect(found.warningSecondsOfAll.count).toBe(0);
    expect(found.warningSeconds.mean).toBeNaN();
  });

  it('takes the end of a run for the moment at which only the end violates it', () => {
    const late = { scores: [0.1, 0.2, 0.9], violatedAt: 3, times: [0, 1, 2] };
    const early = { scores: [0.9, 0.2, 0.9], violatedAt: 3, times: [0, 1, 2] };
    const { warningSteps, warningSeconds } = detection([late, early], atHalf);
    expect(warningSteps.mean).toBe(1);
    expect(warningSeconds.mean).toBe(1);
  });

  it('leaves out runs of which it is not known whether they break the rule', () => {
    const open = { scores: [0.9], violatedAt: null, open: true };
    expect(detection([detected, missed, open], atHalf)).toEqual(detection([detected, missed], atHalf));
  });

  it('never rises with the threshold, in alarms of either kind', () => {
    fc.assert(
      fc.property(someRuns, fc.nat(5), (runs, threshold) => {
        const low = detection(runs, (score) => score >= threshold);
        const high = detection(runs, (score) => score >= threshold + 1);
        expect(high.detected).toBeLessThanOrEqual(low.detected);
        expect(high.falseAlarms).toBeLessThanOrEqual(low.falseAlarms);
        expect(low.detected).toBeLessThanOrEqual(low.violations);
      }),
    );
  });

  it('refuses a confidence that is none', () => {
    expect(() => detection([], atHalf, 1)).toThrow(InvalidArgumentError);
  });
});

describe('a mean', () => {
  it('has the normal interval of its standard error', () => {
    const { mean, median, confidenceLower, confidenceUpper } = meanOf([1, 2, 3, 4]);
    expect([mean, median]).toEqual([2.5, 2.5]);
    // 1.959963985 * sqrt(5/3) / 2
    expect(confidenceLower).toBeCloseTo(2.5 - 1.265151, 6);
    expect(confidenceUpper).toBeCloseTo(2.5 + 1.265151, 6);
  });

  it('says what it does not know', () => {
    expect(meanOf([])).toEqual({
      count: 0,
      mean: Number.NaN,
      median: Number.NaN,
      confidenceLower: Number.NEGATIVE_INFINITY,
      confidenceUpper: Number.POSITIVE_INFINITY,
    });
    const one = meanOf([7]);
    expect(one).toMatchObject({ count: 1, mean: 7, median: 7 });
    expect(one.confidenceUpper).toBe(Number.POSITIVE_INFINITY);
  });
});

describe('forecasts of recorded runs', () => {
  const allSeen = { words: 1, valuations: [0, 1, 2, 3], draws: [1, 1, 1, 1] };
  const letters: Record<string, Record<string, unknown>> = {
    '-': { a: false, b: false },
    a: { a: true, b: false },
    '*': { a: true, b: true },
    '?': {},
  };
  const trace = (text: string, timed = true) => ({
    id: text,
    steps: [...text].map((letter, i) => ({ state: letters[letter], ...(timed && { time: i / 10 }) })),
  });

  it("hold the guard's risk after each step, 1 where it is unknown, and when the rule is broken", async () => {
    const file = guardFile([ruleOf(never, [0.1, 0.6, 0.3, 1])], { states: allSeen });
    const { rule } = await forecastRuns(file, [trace('-a*-'), trace('-?'), trace('-', false)]);
    expect(rule.map(({ scores }) => [...Array.from(scores)])).toEqual([[0.1, 0.6, 1, 1], [0.1, 1], [0.1]]);
    expect(rule.map(({ violatedAt }) => violatedAt)).toEqual([2, null, null]);
    expect(rule.map(({ times }) => times && [...Array.from(times)])).toEqual([
      [0, 0.1, 0.2, 0.3],
      [0, 0.1],
      undefined,
    ]);
  });

  it('count an obligation that only the end breaks at the number of steps', async () => {
    const goal = guardFile([ruleOf(eventually, [0.1, 0.6, 0, 0])], { states: allSeen });
    const { rule } = await forecastRuns(goal, [trace('-a-'), { ...trace('-a-'), complete: false }]);
    expect(rule.map(({ violatedAt }) => violatedAt)).toEqual([3, null]);
  });
});
