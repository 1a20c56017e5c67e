import { describe, expect, it } from 'vitest';
import '../../../../bindings/solvers/kernel/inline.js';
import { learn, learnMdp, MdpCounter } from '../../../../bindings/estimation/learning/index.js';
import { Abstraction } from '../../../../bindings/observations/abstraction/index.js';
import type { Action, Trace } from '../../../../bindings/observations/trace/index.js';

const abstraction = new Abstraction({
  predicates: [
    { name: 'near', expression: 'gap < 10' },
    { name: 'hit', expression: 'gap <= 0' },
  ],
  actions: { brake: [{ name: 'hard', expression: 'force > 5' }] },
});
const step = (gap: number, action: Action | null, time: number) => ({
  state: { gap },
  time,
  ...(action !== null && { action }),
});
const go = { name: 'go' };
const brake = (force: number): Action => ({ name: 'brake', arguments: { force } });
/** `go` near hits, unless `late` follows it half a period later. */
const withLate = (late: Action | null, before: Action | null = go): Trace => ({
  id: 'late',
  steps: [step(20, go, 0), step(5, before, 0.1), step(5, late, 0.15), step(20, null, 0.2)],
});
const hits: Trace = { id: 'hits', steps: [step(20, go, 0), step(5, go, 0.1), step(0, null, 0.2)] };
const periodOf = (resample: 'hold' | 'skip') => ({ seconds: 0.1, tolerance: 0.1, resample });

describe.each(['hold', 'skip'] as const)('an action in a step left out, under resample: %s', (resample) => {
  const period = periodOf(resample);
  const learnt = (trace: Trace) => learnMdp(abstraction, [hits, trace], { smoothing: 0, period });

  it('is an error that names trace and step, what was found, and what to try', async () => {
    await expect(learnt(withLate(brake(9)))).rejects.toMatchObject({
      code: 'invalid-data',
      message: expect.stringMatching(
        new RegExp(
          `trace "late", step 2: the action "brake\\[hard\\]" .* resample: ${resample} leaves out, .* of "go" in step 1; set samplingPeriod`,
        ),
      ),
    });
    await expect(learnt(withLate(go, null))).rejects.toThrow('of doing nothing in step 1');
  });

  it('is an error in a step out of order, too', async () => {
    const steps = [step(20, go, 0), step(5, go, 0.1), step(5, brake(9), 0.05), step(20, null, 0.2)];
    await expect(learnt({ id: 'back', steps })).rejects.toThrow('trace "back", step 2');
  });

  it('is compared with the last step that is kept, after others that are not', async () => {
    const steps = [
      step(20, go, 0),
      step(5, go, 0.02),
      step(5, brake(1), 0.04),
      step(5, go, 0.1),
      step(20, null, 0.2),
    ];
    await expect(learnt({ id: 'two', steps })).rejects.toThrow(
      'step 2: the action "brake[!hard]" is in a step',
    );
  });

  it('is none if the model tells it from the one before by nothing, or if there is none', async () => {
    for (const trace of [withLate(go), withLate(null), withLate(brake(8), brake(9))]) {
      const { report } = await learnt(trace);
      expect(report.traces).toBe(2);
      expect(report.resampled.leftOut).toBe(1);
    }
    await expect(learnt(withLate(brake(1), brake(9)))).rejects.toThrow('brake[!hard]');
  });

  it('has its trace left out by skipInvalid, which counts it', () => {
    const counter = new MdpCounter(abstraction, { smoothing: 0, period, skipInvalid: true });
    expect([hits, withLate(brake(9))].map((trace) => counter.add(trace))).toEqual([true, false]);
    const { report } = counter.finish();
    expect(report.skipped).toMatchObject({ count: 1, first: [expect.stringContaining('step 2')] });
    expect(report.actions.names).toEqual(['go']);
    expect(counter.lost).toEqual({ count: 1, first: report.skipped.first[0] });
  });

  it('is no error for a chain, which knows no actions', async () => {
    const { report } = await learn(abstraction, [hits, withLate(brake(9))], { smoothing: 0, period });
    expect(report.traces).toBe(2);
  });
});

it('actions that are a shorter period apart are learnt as recorded', async () => {
  const period = { seconds: 0.05, tolerance: 0.1, resample: 'hold' as const };
  const { report } = await learnMdp(abstraction, [hits, withLate(brake(9))], { smoothing: 0, period });
  expect(report.actions.names).toEqual(['go', 'brake[hard]']);
});
