import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Learner, learn, mergeLearners } from '../../../bindings/estimation/learning/index.js';
import type { Trace } from '../../../bindings/observations/trace/index.js';
import { overFlags } from './flagTraces.js';

const PERIOD = 100_000;
const period = { seconds: 0.1, tolerance: 0.1 };
const abstraction = overFlags(1);

/** A trace, and its gaps by definition: their number, and their microseconds. */
interface Timed {
  readonly trace: Trace;
  readonly gaps: number;
  readonly microseconds: number;
  readonly regular: boolean;
}

/** Steps at whole microseconds, some without a time; each gap is off by at most 9% of the period, or a quarter of it longer if the trace is irregular. */
const timed: fc.Arbitrary<Timed> = fc
  .record({
    start: fc.nat(2_000_000_000),
    off: fc.array(fc.option(fc.integer({ min: -9000, max: 9000 }), { freq: 4 }), { maxLength: 12 }),
    regular: fc.constantFrom(true, true, false),
  })
  .map(({ start, off, regular }) => {
    let [at, last, untimed, gaps, microseconds] = [start, start, 0, 0, 0];
    const times: (number | null)[] = [start];
    for (const one of off) {
      at += PERIOD + (one ?? 0) + (regular ? 0 : 25_000);
      times.push(one === null ? null : at);
      untimed++;
      if (one === null) continue;
      gaps += untimed;
      microseconds += at - last;
      [last, untimed] = [at, 0];
    }
    const steps = times.map((time, i) => ({
      state: { p0: i % 2 === 0 },
      ...(time !== null && { time: time / 1e6 }),
    }));
    return { trace: { id: String(start), steps }, gaps, microseconds, regular: regular || gaps === 0 };
  });

const some = fc.array(timed, { minLength: 1, maxLength: 8 }).map((drawn) => [
  ...drawn,
  // One that counts, whatever was drawn.
  {
    trace: { id: 'sure', steps: [0, 0.1].map((time) => ({ state: { p0: true }, time })) },
    gaps: 1,
    microseconds: PERIOD,
    regular: true,
  },
]);

describe('the gaps that a model was learnt from', () => {
  it('are those of the traces that were counted', async () => {
    await fc.assert(
      fc.asyncProperty(some, async (drawn) => {
        const options = { period, skipInvalid: true };
        const { report } = await learn(
          abstraction,
          drawn.map(({ trace }) => trace),
          options,
        );
        const counted = drawn.filter(({ regular }) => regular);
        expect(report.traces).toBe(counted.length);
        const sum = (of: 'gaps' | 'microseconds'): number =>
          counted.reduce((total, one) => total + one[of], 0);
        const { gaps, seconds } = report.resampled.onTime!;
        expect(gaps).toBe(sum('gaps'));
        // Each gap is rounded to 2^-24 s, after times of up to 2000 s were to doubles.
        expect(Math.abs(seconds - sum('microseconds') / 1e6)).toBeLessThanOrEqual(gaps * 2 ** -24.9);
      }),
      { numRuns: 200 },
    );
  });

  it('are the same to the last bit step by step, after a restart and merged', () => {
    fc.assert(
      fc.property(some, fc.nat(8), (drawn, cut) => {
        const traces = drawn.filter(({ regular }) => regular).map(({ trace }) => trace);
        const whole = new Learner(abstraction, { period });
        for (const trace of traces) whole.add(trace);
        const { onTime } = whole.chain().report.resampled;
        expect(onTime).toBeDefined();

        const stepwise = new Learner(abstraction, { period });
        for (const { id, steps } of traces) {
          stepwise.begin(id);
          for (const { state, ...others } of steps) stepwise.observe(state, others);
          stepwise.end();
        }
        const [before, after] = [traces.slice(0, cut), traces.slice(cut)];
        const one = new Learner(abstraction, { period, id: 'one' });
        for (const trace of before) one.add(trace);
        const restored = Learner.restore(one.save());
        for (const trace of after) restored.add(trace);
        const other = new Learner(abstraction, { period, id: 'other' });
        for (const trace of after) other.add(trace);
        for (const learner of [stepwise, restored, mergeLearners([other, one])])
          expect(learner.chain().report.resampled.onTime).toEqual(onTime);
      }),
      { numRuns: 200 },
    );
  });

  it('are not those of a step that was refused', () => {
    const learner = new Learner(abstraction, { period });
    learner.begin('blind');
    learner.observe({ p0: true }, { time: 0 });
    learner.observe({ p0: true }, { time: 0.1 });
    expect(() => learner.observe({ p0: 7 }, { time: 0.2 })).toThrow();
    expect(learner.chain().report.resampled.onTime?.gaps).toBe(1);
    // The next trace has a clock of its own.
    learner.begin('next');
    for (const time of [0.3, 0.4]) learner.observe({ p0: true }, { time });
    expect(learner.chain().report.resampled.onTime?.gaps).toBe(2);
  });

  it('are those between finite times', async () => {
    const [infinite, none] = [Infinity, Number.NaN].map((first) => ({
      id: String(first),
      steps: [first, 0, 0.125].map((time) => ({ state: { p0: true }, time })),
    }));
    const { report } = await learn(abstraction, [infinite, none], {
      period: { seconds: 0.125, tolerance: 0.1 },
    });
    expect(report.traces).toBe(2);
    expect(report.resampled.onTime).toEqual({ gaps: 2, seconds: 0.25 });
  });

  it('are absent without a sampling period, and without times', async () => {
    const steps = [{ state: { p0: true } }, { state: { p0: false } }];
    const untimed = await learn(abstraction, [{ id: 'a', steps }], { period });
    expect(untimed.report.resampled).not.toHaveProperty('onTime');
    const free = await learn(abstraction, [
      { id: 'a', steps: steps.map((step, i) => ({ ...step, time: i })) },
    ]);
    expect(free.report.resampled).not.toHaveProperty('onTime');
  });
});
