import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvalidDataError } from '../../../bindings/base/errors.js';
import {
  RESAMPLE_POLICIES,
  type ResamplePolicy,
  resample,
  type Step,
} from '../../../bindings/observations/trace/index.js';

const stepsAt = (times: readonly (number | undefined)[]): Step[] =>
  times.map((time, i) => (time === undefined ? { state: { i } } : { state: { i }, time }));
const period = (policy?: ResamplePolicy) => ({
  seconds: 0.1,
  tolerance: 0.1,
  ...(policy !== undefined && { resample: policy }),
});
const indices = ({ steps }: { steps: readonly Step[] }) => steps.map(({ state }) => state.i);

describe('resample', () => {
  it('hands regular steps on as they are, under every policy, jitter within the tolerance included', () => {
    const steps = stepsAt([7, 7.1, 7.209, 7.3, 7.391, 7.5]);
    for (const policy of RESAMPLE_POLICIES) {
      const result = resample(steps, period(policy));
      expect(result.steps).toBe(steps);
      expect(result).toMatchObject({ missing: 0, leftOut: 0 });
    }
  });

  it('takes a gap, an early step and one out of order for a fault by default, naming the step', () => {
    for (const [times, message] of [
      [
        [0, 0.1, 0.4],
        /step 2: 0\.3 s after the step before it.*may differ by 10%; .*set resample to hold or skip/,
      ],
      [[0, 0.05], /step 1: 0.05 s/],
      [
        [1.7e9, 1.7e9 + 0.1, 1.7e9 + 0.41],
        /step 2: 0\.31 s after .*; steps are 0\.1 to 0\.31 s apart, 0\.205 s in/,
      ],
      [
        [0, 100, 200],
        /does not look like theirs \(are their times in milliseconds\? They are read as seconds\): correct it/,
      ],
      [[0, 0.1, 0.2, 0.1], /step 3: 0.1 s earlier than the step before it/],
    ] as const) {
      expect(() => resample(stepsAt(times), period())).toThrow(InvalidDataError);
      expect(() => resample(stepsAt(times), period('error'))).toThrow(message);
    }
  });

  it('holds the step before those that are missing, with the times when they were due', () => {
    const held = resample(stepsAt([1, 1.1, 1.42, 1.5]), period('hold'));
    expect(indices(held)).toEqual([0, 1, 1, 1, 2, 3]);
    expect(held.steps.map(({ time }) => time?.toFixed(2))).toEqual([
      '1.00',
      '1.10',
      '1.20',
      '1.30',
      '1.42',
      '1.50',
    ]);
    expect(held).toMatchObject({ missing: 2, leftOut: 0 });
  });

  it('skips what is missing, and leaves out what comes early or out of order', () => {
    const steps = stepsAt([1, 1.1, 1.42, 1.45, 1.3, 1.5, 1.6]);
    expect(indices(resample(steps, period('skip')))).toEqual([0, 1, 2, 5, 6]);
    expect(resample(steps, period('skip'))).toMatchObject({ missing: 2, leftOut: 2 });
    expect(indices(resample(steps, period('hold')))).toEqual([0, 1, 1, 1, 2, 5, 6]);
  });

  it('thins steps that come ten times as often', () => {
    const steps = stepsAt(Array.from({ length: 101 }, (_, i) => i / 100));
    expect(resample(steps, period('hold'))).toMatchObject({ missing: 0, leftOut: 90 });
    expect(resample(steps, period('hold')).steps).toHaveLength(11);
  });

  it('refuses a clock that stands still: more than 100 steps in a row, none later than all before', () => {
    for (const policy of ['hold', 'skip'] as const) {
      const still = (length: number) => () =>
        resample(stepsAt([0, 0.1, ...Array.from({ length }, (_, i) => 0.1 - (i % 7) / 100)]), period(policy));
      expect(still(100)()).toMatchObject({ leftOut: 100 });
      expect(still(101)).toThrow(
        new InvalidDataError(
          'step 102: none of 101 steps is later than those before; the clock stands still, was set back, or is too coarse: correct the times, or leave them out',
        ),
      );
    }
  });

  it('keeps up with a clock that is a little too slow or too fast', () => {
    for (const [seconds, length] of [
      [0.101, 1011],
      [0.099, 991],
    ]) {
      const steps = stepsAt(Array.from({ length: 1001 }, (_, i) => i * seconds));
      expect(Math.abs(resample(steps, period('hold')).steps.length - length)).toBeLessThanOrEqual(1);
    }
  });

  it('takes steps without time for on time: they hide no gap', () => {
    const found = (times: readonly (number | undefined)[]) => () => resample(stepsAt(times), period());
    expect(found([0, undefined, 5])).toThrow(
      'step 2: 5 s after step 0, with 1 step without time between, where the sampling period is 0.1 s',
    );
    expect(found([0, undefined, undefined, 0.2])).toThrow(
      'step 3: 0.2 s after step 0, with 2 steps without time',
    );
    // Each of three gaps may differ by a tenth of the period.
    expect(found([0, undefined, undefined, 0.329])).not.toThrow();
    expect(found([0, undefined, undefined, 0.331])).toThrow(InvalidDataError);
    for (const [policy, kept] of [
      ['hold', [0, 1, 1, 1, 2]],
      ['skip', [0, 1, 2]],
    ] as const) {
      const resampled = resample(stepsAt([0, undefined, 0.4]), period(policy));
      expect(indices(resampled)).toEqual(kept);
      expect(resampled.missing).toBe(2);
    }
  });

  it('takes regular steps for regular where some have no time', () => {
    const steps = stepsAt([undefined, 3, undefined, 3.2, undefined]);
    for (const policy of RESAMPLE_POLICIES) expect(resample(steps, period(policy)).steps).toBe(steps);
  });

  it.each([
    [[5, 15.2], 'step 1: 10.2 s after'],
    [[5, 5.1, -6], 'step 2: 11.1 s earlier than the step before it was due'],
  ])('refuses a jump of more than 100 missing steps: %j', (times, message) => {
    for (const policy of ['hold', 'skip'] as const) {
      expect(() => resample(stepsAt(times), period(policy))).toThrow(message);
    }
    expect(resample(stepsAt([5, 15.1]), period('hold')).steps).toHaveLength(102);
  });

  it('gives, under hold, the step that was the last at each time a period apart', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 400 }).chain((length) => fc.uniqueArray(fc.nat(length), { minLength: 1 })),
        (ticks) => {
          // Eighths are exact, so that no due time is a matter of rounding.
          const times = ticks.toSorted((a, b) => a - b).map((tick) => tick / 8);
          const steps = stepsAt(times);
          fc.pre(times.every((time, i) => i === 0 || time - times[i - 1] < 40));
          const { steps: held } = resample(steps, { seconds: 0.5, tolerance: 0.1, resample: 'hold' });
          const first = times[0];
          // By definition: the first of those that came since the due time before, or else what was held there.
          let last = 0;
          const expected: number[] = [];
          for (let due = first; due <= (times.at(-1) ?? first); due += 0.5) {
            const next = times.findIndex((time) => time >= due && time < due + 0.5);
            if (next >= 0) last = next;
            expected.push(last);
          }
          expect(held.map(({ state }) => state.i)).toEqual(expected);
        },
      ),
    );
  });
});
