import { describe, expect, it } from 'vitest';
import { EvaluationError, InvalidArgumentError, InvalidDataError } from '../../../bindings/base/errors.js';
import { type Forgetting, Learner, readLearntChain } from '../../../bindings/estimation/learning/index.js';
import { Abstraction } from '../../../bindings/observations/abstraction/index.js';
import { readUmb, writeUmb } from '../../../bindings/solvers/formats/index.js';
import type { Dtmc } from '../../../bindings/solvers/model/index.js';
import { overFlags, rowOf, trace } from './flagTraces.js';

describe('a trace that is learnt step by step', () => {
  it('counts as soon as it is observed, as cut until it ends', () => {
    const learner = new Learner(overFlags(1), { smoothing: 0 });
    learner.begin('run');
    learner.observe({ p0: true });
    learner.observe({ p0: false });
    expect(rowOf(learner.chain().model, '1')).toEqual({ 0: 1 });
    expect(rowOf(learner.chain().model, '0')).toEqual({});
    expect(learner.chain().report).toMatchObject({ traces: 1, steps: 2, censored: 1 });
    learner.end();
    expect(rowOf(learner.chain().model, '0')).toEqual({ end: 1 });
    expect(learner.chain().report).toMatchObject({ traces: 1, steps: 2, censored: 0 });
    learner.begin('empty');
    learner.end();
    expect(learner.chain().report).toMatchObject({ traces: 1, empty: 1 });
  });

  it('is closed by a step at fault, and what came before counts on', () => {
    const constraints = { transition: '!(from.p0 && !to.p0)', end: 'p0' };
    const learner = new Learner(overFlags(1, constraints), { smoothing: 0 });
    learner.begin('forbidden');
    learner.observe({ p0: true });
    expect(() => learner.observe({ p0: false })).toThrow(
      'trace "forbidden", step 1: the transition from { p0 } to { not p0 } is forbidden',
    );
    expect(() => learner.observe({ p0: true })).toThrow('no trace is open: begin one first');
    learner.begin('blind');
    expect(() => learner.observe({ p0: 7 })).toThrow(EvaluationError);
    learner.begin('early');
    for (const p0 of [false, false, false]) learner.observe({ p0 });
    expect(() => learner.end()).toThrow(
      'trace "early", step 2: the run ends in { not p0 }, which is forbidden',
    );
    const { model, report } = learner.chain();
    expect(report).toMatchObject({ traces: 2, steps: 4, censored: 2 });
    // What cut them was what they did.
    const leftOut = { dropped: 2, skipped: 1, unreadable: 0 };
    expect(readLearntChain(model).parameters).toMatchObject({ leftOut });
  });

  it('is refused while another is open, and where traces must be seen as a whole', () => {
    const learner = new Learner(overFlags(1));
    learner.begin('one');
    expect(() => learner.begin('two')).toThrow('trace "one" was begun and has not ended: end it first');
    expect(() => learner.add(trace('0'))).toThrow(InvalidArgumentError);
    const cases = [
      [{ skipInvalid: true }, 'skipInvalid'],
      [{ onContradiction: 'dropTrace' as const }, 'onContradiction: dropTrace'],
      [{ period: { seconds: 1, tolerance: 0, resample: 'hold' as const } }, 'resample: hold'],
    ] as const;
    for (const [options, name] of cases) {
      expect(() => new Learner(overFlags(1), options).begin('one')).toThrow(
        `a trace cannot be counted step by step under ${name}`,
      );
    }
  });

  it('keeps the sampling period from step to step', () => {
    const learner = new Learner(overFlags(1), { period: { seconds: 0.5, tolerance: 0.1 } });
    learner.begin('run');
    learner.observe({ p0: true }, { time: 3 });
    learner.observe({ p0: true }, { time: 3.5 });
    learner.observe({ p0: true });
    learner.observe({ p0: true }, { time: 4.5 });
    expect(() => learner.observe({ p0: true }, { time: 5.5 })).toThrow(
      'trace "run", step 4: time 5.5 is no sampling period of 0.5 s after the step before it',
    );
    expect(learner.chain().report).toMatchObject({ steps: 4, censored: 1 });
  });

  it('gives predicates its actions and times', () => {
    const learner = new Learner(
      new Abstraction({
        predicates: [
          { name: 'p0', expression: 'action.name == "go"' },
          { name: 'p1', expression: 'time > 1' },
        ],
      }),
      { smoothing: 0 },
    );
    learner.begin('run');
    learner.observe({}, { action: { name: 'go' }, time: 1 });
    learner.observe({}, { action: { name: 'stay' }, time: 2 });
    expect(rowOf(learner.chain().model, '10')).toEqual({ '01': 1 });
  });
});

describe('a learner that forgets', () => {
  it('says so in the model, also after that was kept in a file, weights and all', async () => {
    const forgetting: Forgetting = { halfLife: 3, of: 'draws' };
    const learner = new Learner(overFlags(1), { forgetting });
    for (const path of ['0 1', '0 0 1', '1 …']) learner.add(trace(path));
    const { model } = learner.chain();
    const read = await readUmb(await writeUmb(model), { source: 'model.umb' });
    const view = readLearntChain(read as Dtmc);
    expect(view.forgetting).toEqual(forgetting);
    expect(view.counts).toEqual(readLearntChain(model).counts);
    expect(view.counts.some((count) => !Number.isInteger(count))).toBe(true);
    const whole = new Learner(overFlags(1));
    whole.add(trace('0 1'));
    expect(readLearntChain(whole.chain().model).forgetting).toBeNull();
  });

  it('needs to know when traces begin where seconds count, and refuses a clock that goes backwards', () => {
    for (const forgetting of [
      { window: 10, of: 'seconds' as const },
      { halfLife: 10, of: 'seconds' as const },
    ]) {
      const learner = new Learner(overFlags(1), { forgetting });
      expect(() => learner.add(trace('0'))).toThrow('say when a trace began');
      learner.add(trace('0'), 5);
      expect(() => learner.add(trace('0'), 4)).toThrow(InvalidDataError);
      expect(() => learner.add(trace('0'), 4)).toThrow('the clock went backwards, from 5 s to 4 s');
      expect(() => learner.begin('one', 4)).toThrow('the clock went backwards');
      expect(() => learner.advance(Number.NaN)).toThrow('the time is NaN');
      expect(learner.add(trace('1'), 5)).toBe(true);
      expect(learner.chain().report.traces).toBe(2);
    }
  });

  it('forgets as time goes by, although no trace comes', () => {
    const learner = new Learner(overFlags(1), { forgetting: { window: 10, of: 'seconds' } });
    learner.add(trace('0'), 5);
    learner.advance(14.9);
    expect(learner.chain().report.traces).toBe(1);
    learner.advance(15);
    expect(() => learner.chain()).toThrow('there are no traces to learn from: none is kept');
  });

  it('is refused where it would keep nothing, or a part of something', () => {
    const refused: [Forgetting, string][] = [
      [{ window: 0, of: 'traces' }, 'forgetting.window is 0; expected a whole number of traces, at least 1'],
      [
        { window: 1.5, of: 'draws' },
        'forgetting.window is 1.5; expected a whole number of draws, at least 1',
      ],
      [{ window: -1, of: 'seconds' }, 'forgetting.window is -1; expected a positive number of seconds'],
      [
        { halfLife: Number.NaN, of: 'draws' },
        'forgetting.halfLife is NaN; expected a positive number of draws',
      ],
      [{ halfLife: 1, of: 'days' as 'draws' }, 'forgetting.of is "days"; expected traces, draws or seconds'],
    ];
    for (const [forgetting, message] of refused) {
      expect(() => new Learner(overFlags(1), { forgetting })).toThrow(InvalidArgumentError);
      expect(() => new Learner(overFlags(1), { forgetting })).toThrow(message);
    }
  });

  it('keeps what fades for very long in proportion', () => {
    const learner = new Learner(overFlags(1), { smoothing: 0, forgetting: { halfLife: 1, of: 'traces' } });
    learner.add(trace('0 0 1'));
    for (let i = 0; i < 2000; i++) learner.add(trace('1'));
    expect(rowOf(learner.chain().model, '0')).toEqual({ 0: 0.5, 1: 0.5 });
    expect(rowOf(learner.chain().model, 'start')).toEqual({ 1: 1 });
  });
});
