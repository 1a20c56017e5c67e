import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  describeSampled,
  describeSpacing,
  periodIsWrong,
  resample,
  Spacing,
  type Step,
  sampledSteps,
} from '../../../bindings/observations/trace/index.js';

const stepsAt = (times: readonly (number | undefined)[]): Step[] =>
  times.map((time, i) => (time === undefined ? { state: { i } } : { state: { i }, time }));

const leftOutOf = (numbers: readonly number[], steps: number): number[] =>
  Array.from({ length: steps }, (_, i) => i).filter((i) => !numbers.includes(i));

describe('sampledSteps', () => {
  it('counts the steps that resampling makes, and no others', () => {
    const time = fc.option(fc.integer({ min: 0, max: 200 }), { nil: undefined, freq: 8 });
    let held = 0;
    fc.assert(
      fc.property(fc.array(time, { minLength: 1, maxLength: 30 }), (eighths) => {
        const steps = stepsAt(eighths.map((one) => (one === undefined ? undefined : one / 8)));
        for (const policy of ['hold', 'skip'] as const) {
          const period = { seconds: 0.5, tolerance: 0.1, resample: policy };
          const resampled = resample(steps, period);
          const counted = sampledSteps({ id: 'a', steps }, period);
          const untimed = eighths.filter((one) => one === undefined).length;
          expect(counted).toEqual({
            steps: resampled.steps.length,
            held: policy === 'hold' ? resampled.missing : 0,
            missing: resampled.missing,
            leftOut: resampled.leftOut,
            ...(resampled.leftOut > 0 && { leftOutSteps: leftOutOf(resampled.numbers ?? [], steps.length) }),
            ...(untimed > 0 && { untimed }),
          });
          held += counted.held;
        }
      }),
      { numRuns: 200, seed: 51 },
    );
    expect(held).toBeGreaterThan(1000);
  });

  it('counts what a reader held, and goes on after a jump as a guard does', () => {
    const period = { seconds: 1, tolerance: 0.1, resample: 'hold' as const };
    const steps = stepsAt([0, 3, 1000, 1002]);
    expect(sampledSteps({ id: 'a', steps, heldSteps: 2 }, period)).toEqual({
      steps: 7,
      held: 5,
      missing: 3,
      leftOut: 0,
    });
    expect(sampledSteps({ id: 'a', steps, heldSteps: 2 }, null)).toMatchObject({ steps: 4, held: 2 });
  });

  it('is said in words, each kind by itself', () => {
    expect(describeSampled({ steps: 2000, held: 1800, missing: 1800, leftOut: 0 })).toEqual([
      '1,800 of 2,000 steps were held, not recorded',
    ]);
    expect(describeSampled({ steps: 5, held: 0, missing: 1, leftOut: 2 })).toEqual([
      '1 missing step was not counted: a step may stand for more than a sampling period',
      '2 steps that came before their time were left out, and are not judged',
    ]);
    expect(describeSampled({ steps: 5, held: 0, missing: 0, leftOut: 1, untimed: 2 })).toEqual([
      '1 step that came before its time was left out, and is not judged',
      '2 of 5 steps have no time, and are taken for on time: seconds count sampling periods there',
    ]);
    expect(describeSampled({ steps: 5, held: 0, missing: 0, leftOut: 0 })).toEqual([]);
  });
});

describe('the spacing of steps', () => {
  const period = { seconds: 0.1, tolerance: 0.1 };
  const spacing = (...traces: (number | undefined)[][]) => {
    const gathered = new Spacing(period);
    for (const times of traces) gathered.add(stepsAt(times));
    return gathered.summary;
  };

  it('is the least, the median and the greatest gap within traces, and how many are within the tolerance', () => {
    expect(spacing([0, 0.1, 0.2, 0.31], [5, 6, 8])).toEqual({
      gaps: 5,
      leastSeconds: 0.1,
      medianSeconds: 0.11,
      greatestSeconds: 2,
      withinTolerance: 3,
    });
    expect(spacing([0, 1], [0, 2])?.medianSeconds).toBe(1.5);
    expect(spacing([0, undefined, undefined, 3])).toMatchObject({ gaps: 1, medianSeconds: 1 });
    expect(spacing([0], [undefined, 4])).toBeNull();
  });

  it('is said in words, and says of which of the two the period is wrong', () => {
    const slow = spacing([0, 1, 2, 3.2])!;
    expect(describeSpacing(slow, period)).toBe(
      'steps are 1 to 1.2 s apart, 1 s in the median, and 0% of 3 gaps within 10% of the sampling period of 0.1 s',
    );
    expect(periodIsWrong(slow)).toBe(true);
    const lossy = spacing([...Array.from({ length: 300 }, (_, i) => i / 10), 31])!;
    expect(describeSpacing(lossy, period)).toContain('and more than 99% of 300 gaps');
    expect(periodIsWrong(lossy)).toBe(false);
    const { withinTolerance, gaps } = spacing([0, 0.1, ...Array.from({ length: 300 }, (_, i) => i + 1)])!;
    expect([withinTolerance, gaps]).toEqual([1, 301]);
  });

  it('stands in the error that suggests to resample, with what that would make up', () => {
    expect(() => resample(stepsAt([0, 1, 2, 3]), period)).toThrow(
      'step 1: 1 s after the step before it, where the sampling period is 0.1 s and may differ by 10%; all steps are 1 s apart, and 0% of 3 gaps within 10% of the sampling period of 0.1 s; samplingPeriod does not look like theirs: correct it; or set resample to hold or skip (hold would make 27 of 31 steps by repeating the one before)',
    );
    expect(() => resample(stepsAt([0, 0.1, 0.2, 0.4, 0.5]), period)).toThrow(
      'set resample to hold or skip (hold would make 1 of 6 steps by repeating the one before), or correct samplingPeriod',
    );
  });

  it.each([
    ['late', [0, 0.109, 0.218, 0.327, 0.438]],
    ['early', [0, 0.091, 0.182, 0.273, 0.362]],
    ['far too late', [0, 1, 2, 3]],
    ['where a step is missing', [0, 0.1, 0.2, 0.4, 0.5]],
  ])('suggests no tolerance that would hide that steps come %s', (_, times) => {
    expect(() => resample(stepsAt(times), period)).toThrow(/^(?!.*periodTolerance).*correct/);
  });

  it('suggests a tolerance for steps that come now early, now late', () => {
    expect(() => resample(stepsAt([0, 0.1, 0.215, 0.3, 0.4]), period)).toThrow(
      /or correct samplingPeriod or periodTolerance$/,
    );
  });
});
