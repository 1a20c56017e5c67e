import { describe, expect, it } from 'vitest';
import { InvalidDataError } from '../../../bindings/base/errors.js';
import { parseFormula } from '../../../bindings/languages/logic/index.js';
import {
  createRobustnessBaseline,
  type RobustnessBaselineOptions,
} from '../../../bindings/study/robustness/index.js';

const INF = Number.POSITIVE_INFINITY;
const baseline = (source: string, options: Partial<RobustnessBaselineOptions> = {}) =>
  createRobustnessBaseline(parseFormula(source), {
    samplingPeriod: 0.1,
    horizonSeconds: 0.3,
    threshold: 0.8,
    ...options,
  });

describe('the robustness baseline', () => {
  it('intervenes before the distance that it sees shrinking is too small', () => {
    const guard = baseline('G (gap > 1)');
    const found = [5, 4.5, 4, 3.5, 3, 2.5].map((gap) => guard.step({ gap }));
    // A slope is one that two changes agree on; then three further steps of 0.5 are foreseen.
    expect(found.map(({ robustness }) => robustness)).toEqual([4, 3.5, 1.5, 1, 0.5, 0]);
    expect(found.map(({ intervene }) => intervene)).toEqual([false, false, false, false, true, true]);
  });

  it('foresees nothing without a horizon', () => {
    const guard = baseline('G (gap > 1)', { horizonSeconds: 0 });
    expect([5, 4.5, 4].map((gap) => guard.step({ gap }).robustness)).toEqual([4, 3.5, 3]);
  });

  it('takes a jump for no motion, and stays inside ranges', () => {
    const guard = baseline('G (gap > 1)', { ranges: { gap: [0, 200] } });
    expect([200, 200, 20, 19, 18].map((gap) => guard.step({ gap }).robustness)).toEqual([
      199,
      199,
      19,
      17 - 2,
      14,
    ]);
    const falling = baseline('G (gap > 1)', { ranges: { gap: [0, 200] } });
    expect([6, 4, 2].map((gap) => falling.step({ gap }).robustness).at(-1)).toBe(-1);
  });

  it('lets codes and flags stay as they are', () => {
    const guard = baseline('G ((light == 1) -> (speed < 5))');
    const found = [3, 2, 1].map((light, i) => guard.step({ light, speed: 7 - i }).robustness);
    // In the third state the light is red, and the speed foreseen as 4, 3, 2: what counts is that it is still 5.
    expect(found).toEqual([Infinity, Infinity, 0]);
    const far = baseline('G ((light == 1) -> (speed < 5))', { equality: 'distance' });
    expect([3, 2, 1].map((light, i) => far.step({ light, speed: 7 - i }).robustness)).toEqual([2, 1, 0]);
  });

  it('does not act on a flag that is down, and refuses one that is no whole number', () => {
    const guard = baseline('G !(collision == 1)', { threshold: 1.2 });
    expect(guard.step({ collision: 0 })).toEqual({ robustness: Infinity, intervene: false });
    expect(guard.step({ collision: 1 })).toEqual({ robustness: -Infinity, intervene: true });
    expect(() => guard.step({ collision: 0.5 })).toThrow('"collision" is 0.5, no whole number');
  });

  it('lets a number stay that turns around, or that is somewhere compared by ==', () => {
    const turning = baseline('G (gap > 1)');
    expect([5, 6, 5].map((gap) => turning.step({ gap }).robustness)).toEqual([4, 5, 4]);
    const code = baseline('G ((light > 1) | (light == 9))', { equality: 'distance' });
    expect([4, 3, 2].map((light) => code.step({ light }).robustness)).toEqual([3, 2, 1]);
  });

  it('takes the states that a planner expects instead', () => {
    const guard = baseline('G (gap > 1)');
    expect(guard.step({ gap: 5 }, [{ gap: 4 }, { gap: 1.5 }])).toEqual({ robustness: 0.5, intervene: true });
    expect(guard.step({ gap: 5 }, [])).toEqual({ robustness: 4, intervene: false });
  });

  it('forgets what the rule no longer reaches', () => {
    const guard = baseline('G ((red > 0) -> (F<=2 (speed < 1)))', { horizonSeconds: 0 });
    const states = [
      [1, 5],
      [-9, 4],
      [-9, 3],
      [-9, 3],
    ];
    expect(states.map(([red, speed]) => guard.step({ red, speed }).robustness)).toEqual([
      INF,
      INF,
      -1,
      9 - 0,
    ]);
  });

  it('leaves obligations open that end behind the horizon, or not', () => {
    const open = { red: 1, speed: 5 };
    const rule = 'G ((red > 0) -> (F<=20 (speed < 1)))';
    expect(baseline(rule).step(open)).toEqual({ robustness: INF, intervene: false });
    expect(baseline(rule, { atEnd: 'strong' }).step(open)).toEqual({ robustness: -1, intervene: true });
  });

  it('begins anew after a reset', () => {
    const guard = baseline('G (gap > 1)');
    const run = () => [5, 4, 3].map((gap) => guard.step({ gap }).robustness);
    const first = run();
    guard.reset();
    expect(run()).toEqual(first);
  });

  it('refuses NaN, as a signal and as a threshold, and times that are none', () => {
    expect(() => baseline('G (gap > 1)').step({ gap: Number.NaN })).toThrow(InvalidDataError);
    expect(() => baseline('G (gap > 1)', { threshold: Number.NaN })).toThrow(/threshold is NaN/);
    expect(() => baseline('G (gap > 1)', { horizonSeconds: -1 })).toThrow(/horizonSeconds is -1/);
    expect(() => baseline('G (gap > 1)', { historySeconds: INF })).toThrow(/historySeconds is Infinity/);
  });
});
