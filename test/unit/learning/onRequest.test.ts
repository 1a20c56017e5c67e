import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Learner, LiveChain } from '../../../bindings/estimation/learning/index.js';
import type { Dtmc } from '../../../bindings/solvers/model/index.js';
import { overFlags, randomTraces, rowOf, stateNames, trace } from './flagTraces.js';

const draws = (model: Dtmc): Float64Array => model.annotations!.find(({ name }) => name === 'draws')!.values;

describe('runs begun on request', () => {
  it('are counted but for their first state, in every row as if they had begun by themselves', () => {
    fc.assert(
      fc.property(randomTraces(3), randomTraces(3), fc.constantFrom(0, 1), (own, asked, smoothing) => {
        fc.pre([...own, ...asked].every(({ steps }) => steps.length > 0));
        const options = { smoothing, onContradiction: 'accept' as const };
        const learner = new Learner(overFlags(3), options);
        const byThemselves = new Learner(overFlags(3), options);
        for (const run of own) for (const each of [learner, byThemselves]) each.add(run);
        for (const run of asked) {
          learner.add(run, undefined, { onRequest: true });
          byThemselves.add(run);
        }
        const alone = new Learner(overFlags(3), options);
        for (const run of own) alone.add(run);
        const { model } = learner.chain();
        const all = byThemselves.chain().model;
        expect(stateNames(model)).toEqual(stateNames(all));
        for (const name of stateNames(model).slice(1)) expect(rowOf(model, name)).toEqual(rowOf(all, name));
        expect(rowOf(model, 'start')).toEqual(rowOf(alone.chain().model, 'start'));
        expect([...draws(model)]).toEqual([own.length, ...draws(all).slice(1)]);
      }),
      { numRuns: 60 },
    );
  });

  it('bring states that live chains follow', () => {
    const learner = new Learner(overFlags(2), { smoothing: 0 });
    const live = new LiveChain(learner);
    learner.add(trace('00 01'));
    live.update();
    learner.add(trace('11 01'), undefined, { onRequest: true });
    live.update();
    expect(live.states).toBe(3);
    const { targets, size } = live.row(3);
    expect([...targets.subarray(0, size)]).toEqual([2]);
    expect([...live.row(0).targets.subarray(0, live.row(0).size)]).toEqual([1]);
  });

  it('are kept by a learner that is saved and restored', () => {
    const learner = new Learner(overFlags(2), { smoothing: 0 });
    learner.add(trace('00 01'));
    learner.add(trace('11 01 00'), undefined, { onRequest: true });
    const restored = Learner.restore(learner.save());
    expect(restored.chain()).toEqual(learner.chain());
  });

  it('are refused under forgetting, where nothing is certified', () => {
    const learner = new Learner(overFlags(2), { forgetting: { window: 5, of: 'draws' } });
    expect(() => learner.add(trace('00 01', 'asked'), undefined, { onRequest: true })).toThrow(
      /"asked" was begun on request.*forgets nothing/,
    );
    expect(() => learner.chain()).toThrow(/no traces/);
  });
});
