import { describe, expect, it } from 'vitest';
import { EvaluationError, InvalidArgumentError, InvalidDataError } from '../../../bindings/base/errors.js';
import { parseFormula } from '../../../bindings/languages/logic/index.js';
import {
  RobustnessMonitor,
  type RobustnessOptions,
  robustness,
} from '../../../bindings/study/robustness/index.js';
import { processorTime } from '../../processorTime.js';

const INF = Number.POSITIVE_INFINITY;
const monitor = (source: string, options?: RobustnessOptions) =>
  new RobustnessMonitor(parseFormula(source), options);
const bounds = ({ lower, upper }: RobustnessMonitor): [number, number] => [lower, upper];

describe('a robustness monitor', () => {
  it('closes in on a deadline step by step', () => {
    const watched = monitor('F<=2 (x > 0)');
    expect(bounds(watched)).toEqual([-INF, INF]);
    expect([-3, -1, -2].map((x) => bounds(watched.step({ x })))).toEqual([
      [-3, INF],
      [-1, INF],
      [-1, -1],
    ]);
    // Nothing that comes later counts.
    expect(bounds(watched.step({ x: 9 }))).toEqual([-1, -1]);
  });

  it('knows of a rule under G the worst so far, and what is open', () => {
    const watched = monitor('G ((a > 0) -> (F<=1 (b > 0)))');
    const seen = [
      { a: -5, b: -9 },
      { a: 3, b: -4 },
      { a: -7, b: -2 },
    ].map((state) => bounds(watched.step(state)));
    expect(seen).toEqual([
      [-INF, INF],
      [-INF, 5],
      [-INF, -2],
    ]);
    expect(bounds(watched.end())).toEqual([-2, -2]);
  });

  it('takes == between whole numbers for a truth, and refuses a sample that has another, as one outside of its range', () => {
    const watched = monitor('G (light == 2 -> F<=1 (speed > 0.5))');
    expect(bounds(watched.step({ light: 3, speed: 0 }))).toEqual([-INF, INF]);
    expect(bounds(watched.step({ light: 2, speed: 0 }))).toEqual([-INF, INF]);
    expect(() => watched.step({ light: 2.5, speed: 0 })).toThrow(
      `step 2: "light" is 2.5, no whole number, and == reads it as a code, true or false; give equality: 'distance'`,
    );
    expect(watched.length).toBe(2);
    expect(bounds(watched.step({ light: 3, speed: 0 }))).toEqual([-INF, -0.5]);
    expect(bounds(watched.end())).toEqual([-0.5, -0.5]);
    const near = monitor('G (light == 2 -> F<=1 (speed > 0.5))', { equality: 'distance' });
    for (const light of [3, 2, 3]) near.step({ light, speed: 0 });
    expect(bounds(near.end())).toEqual([0, 0]);
    expect(bounds(monitor('F (light == 2)', { wholeNumbers: [] }).step({ light: 2.5 }))).toEqual([-0.5, 0]);
  });

  it('decides earlier where signals have ranges', () => {
    const ranges = { x: [0, 10] } as const;
    const watched = monitor('G (x < 8)', { ranges });
    expect(bounds(watched)).toEqual([-2, 8]);
    expect(bounds(watched.step({ x: 5 }))).toEqual([-2, 3]);
    expect(bounds(watched.step({ x: 10 }))).toEqual([-2, -2]);
    expect(bounds(monitor('F (`2 * x - 3 >= 0` & `x == 12`)', { ranges }))).toEqual([-12, -2]);
  });

  it('takes a signal that is NaN as any number of its range', () => {
    const watched = monitor('G (x < 8)', { ranges: { x: [0, 10] } });
    expect(bounds(watched.step({ x: 1 }).step({ x: Number.NaN }))).toEqual([-2, 7]);
    expect(bounds(watched.end())).toEqual([-2, 7]);
    expect(bounds(monitor('G (x < 8)').step({ x: Number.NaN }).end())).toEqual([-INF, INF]);
  });

  it('does not read a sample that is at fault', () => {
    const watched = monitor('G (x < 8)', { ranges: { x: [0, 10] } }).step({ x: 1 });
    const before = bounds(watched);
    expect(() => watched.step({ x: 11 })).toThrow(InvalidDataError);
    expect(() => watched.step({ y: 1 })).toThrow(EvaluationError);
    expect(watched.length).toBe(1);
    expect(bounds(watched)).toEqual(before);
  });

  it('is over once the trace has ended', () => {
    const watched = monitor('X (x > 0)');
    expect(() => watched.end()).toThrow(InvalidArgumentError);
    expect(bounds(watched.step({ x: 1 }))).toEqual([-INF, INF]);
    expect(bounds(watched.end())).toEqual([-INF, -INF]);
    expect(() => watched.step({ x: 1 })).toThrow(/reset/);
    watched.reset();
    expect(bounds(watched.step({ x: 1 }).step({ x: 4 }))).toEqual([4, 4]);
  });

  it('keeps what pasts that open late still reach', () => {
    const watched = monitor('F (O>=40 (x > 0))');
    for (let x = 0; x < 500; x++) expect(watched.step({ x }).lower).toBe(x < 40 ? -INF : x - 40);
  });

  it('costs a rule under G no more after 20,000 samples than after 1,000', () => {
    const watched = monitor('G ((a > 0) -> (F[2,30] (b > 0)))');
    const columns = {
      a: Float64Array.from({ length: 20_000 }, (_, i) => Math.sin(i)),
      b: Float64Array.from({ length: 20_000 }, (_, i) => Math.sin(i * 1.7)),
    };
    const time = (from: number, to: number) =>
      processorTime(() => {
        for (let i = from; i < to; i++) watched.step({ a: columns.a[i], b: columns.b[i] });
      });
    const early = time(0, 1_000);
    time(1_000, 19_000);
    expect(time(19_000, 20_000)).toBeLessThan(5 * early + 100);
    const found = robustness(parseFormula('G ((a > 0) -> (F[2,30] (b > 0)))'), columns);
    expect(bounds(watched.end())).toEqual([found, found]);
  });
});
