import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  EvaluationError,
  InvalidArgumentError,
  InvalidDataError,
  NotSupportedError,
} from '../../../bindings/base/errors.js';
import { Counter, learn, readLearntChain } from '../../../bindings/estimation/learning/index.js';
import { Abstraction } from '../../../bindings/observations/abstraction/index.js';
import { overFlags, randomTraces, rowOf, stateNames, trace } from './flagTraces.js';
import { countNaively } from './naiveCounts.js';

describe('counting', () => {
  it.each([2, 3, 33, 64, 70])(
    'agrees with a naive count of random traces over %i predicates',
    (predicates) => {
      fc.assert(
        fc.property(randomTraces(predicates), (traces) => {
          const counter = new Counter(overFlags(predicates), { smoothing: 0 });
          for (const one of traces) counter.add(one);
          if (traces.every(({ steps }) => steps.length === 0)) {
            expect(() => counter.finish()).toThrow(InvalidDataError);
            return;
          }
          const { model, report } = counter.finish();
          const naive = countNaively(traces, predicates);
          const names = stateNames(model);
          expect(names).toEqual([...naive.sources, 'end']);
          const annotation = (name: string): Float64Array =>
            model.annotations!.find((one) => one.name === name)!.values;
          naive.sources.forEach((source, s) => {
            const found = new Map<string, { count: number; firstDraw: number }>();
            for (let i = model.rowStart[s]; i < model.rowStart[s + 1]; i++) {
              const entry = { count: annotation('count')[i], firstDraw: annotation('firstDraw')[i] };
              found.set(names[model.columns[i]], entry);
            }
            const row = naive.rows.get(source)!;
            expect(found.size).toBe(row.size);
            expect(Object.fromEntries(found)).toEqual(Object.fromEntries(row));
            const draws = [...row.values()].reduce((sum, { count }) => sum + count, 0);
            const newest = Math.max(0, ...[...row.values()].map(({ firstDraw }) => firstDraw));
            expect(annotation('draws')[s]).toBe(draws);
            expect(annotation('drawsSinceNew')[s]).toBe(draws - newest);
            expect(annotation('rank')[s]).toBe(s + 1);
            expect(model.unknown?.has(s) ?? false).toBe(draws === 0);
          });
          const counted = traces.filter(({ steps }) => steps.length > 0);
          expect(report).toMatchObject({
            traces: counted.length,
            steps: counted.reduce((sum, { steps }) => sum + steps.length, 0),
            censored: counted.filter(({ complete }) => !complete).length,
            empty: traces.length - counted.length,
            skipped: { count: 0 },
            dropped: 0,
            states: { seen: naive.sources.length - 1, model: naive.sources.length - 1 },
          });
          const n = naive.sources.length - 1;
          const seen = naive.sources.slice(1).reduce((sum, source) => sum + naive.rows.get(source)!.size, 0);
          expect(report.transitions).toEqual({ seen, possible: n * (n + 1) });
        }),
        { numRuns: 60 },
      );
    },
  );

  it('takes traces one by one or in batches, synchronously or not, and may go on after it finished', async () => {
    const traces = [trace('10 01'), trace('10 10 …'), trace('01')];
    const abstraction = overFlags(2);
    const counter = new Counter(abstraction);
    counter.add(traces[0]);
    expect(counter.finish().report.traces).toBe(1);
    for (const one of traces.slice(1)) counter.add(one);
    const expected = counter.finish();
    const inBatches = async function* () {
      yield traces.slice(0, 2);
      yield traces.slice(2);
    };
    expect(await learn(abstraction, traces)).toEqual(expected);
    expect(await learn(abstraction, inBatches())).toEqual(expected);
  });

  it('refuses an empty set of traces, saying why none was counted', async () => {
    await expect(learn(overFlags(1), [])).rejects.toThrow(InvalidDataError);
    await expect(learn(overFlags(1), [])).rejects.toThrow(/no traces to learn from; give at least one/);
    await expect(learn(overFlags(1), [trace('')])).rejects.toThrow(/\(1 had no step\)/);
  });

  it('names trace, step and predicate where a predicate fails, or leaves the whole trace out and counts it', () => {
    const broken = { id: 'run 7', complete: true, steps: [...trace('10 01').steps, { state: { p0: true } }] };
    const strict = new Counter(overFlags(2));
    expect(() => strict.add(broken)).toThrow(EvaluationError);
    expect(() => strict.add(broken)).toThrow(/trace "run 7", step 2: .*p1/);
    expect(() => strict.add(broken)).toThrow(expect.objectContaining({ predicate: 'p1' }));

    const lenient = new Counter(overFlags(2), { skipInvalid: true });
    for (const one of [broken, trace('10'), broken]) lenient.add(one);
    const { model, report } = lenient.finish();
    expect(stateNames(model)).toEqual(['start', '10', 'end']);
    expect(report).toMatchObject({ traces: 1, steps: 1, skipped: { count: 2 } });
    expect(report.skipped.first[0]).toMatch(/trace "run 7", step 2/);
  });

  it('takes a trace for faulty where a predicate compares NaN', () => {
    const near = new Abstraction({ predicates: [{ name: 'near', expression: 'gap < 2.0' }] });
    const blind = { id: 'blind', steps: [{ state: { gap: 1 } }, { state: { gap: Number.NaN } }] };
    expect(() => new Counter(near).add(blind)).toThrow(
      expect.objectContaining({
        predicate: 'near',
        message: expect.stringContaining(
          'trace "blind", step 1: predicate "near":1:5: "<" found that gap is NaN',
        ),
      }),
    );
    const lenient = new Counter(near, { skipInvalid: true });
    lenient.add(blind);
    lenient.add({ id: 'seeing', steps: [{ state: { gap: 1 } }] });
    expect(lenient.finish().report).toMatchObject({ traces: 1, skipped: { count: 1 } });
  });

  it.each([
    ['hold', ['start 10', '10 10', '10 01', '01 end'], { missing: 2, leftOut: 1 }],
    ['skip', ['start 10', '10 01', '01 end'], { missing: 2, leftOut: 1 }],
  ] as const)('counts steps a sampling period apart, under %s', (policy, transitions, resampled) => {
    const [one, other] = trace('10 01').steps;
    const steps = [
      { ...one, time: 0 },
      { ...other, time: 1.5 },
      { ...one, time: 1.6 },
    ];
    const counter = new Counter(overFlags(2), {
      smoothing: 0,
      period: { seconds: 0.5, tolerance: 0.1, resample: policy },
    });
    counter.add({ id: 'gap', steps });
    const { model, report } = counter.finish();
    expect(report).toMatchObject({ traces: 1, steps: policy === 'hold' ? 4 : 2, resampled });
    const names = stateNames(model);
    const found = names
      .slice(0, -1)
      .flatMap((from) => Object.keys(rowOf(model, from)).map((to) => `${from} ${to}`));
    expect(found.toSorted()).toEqual(transitions.toSorted());
    const strict = new Counter(overFlags(2), { period: { seconds: 0.5, tolerance: 0.1 } });
    expect(() => strict.add({ id: 'gap', steps })).toThrow(
      'trace "gap", step 1: 1.5 s after the step before it',
    );
  });

  it('refuses options it cannot serve', () => {
    expect(() => new Counter(overFlags(1), { model: 'mdp' })).toThrow(NotSupportedError);
    for (const smoothing of [-1, 5e-324, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => new Counter(overFlags(1), { smoothing })).toThrow(InvalidArgumentError);
    }
  });
});

describe('a trace that contradicts a constraint', () => {
  const constraints = { state: '!(p0 && p1)', transition: '!(from.p0 && to.p1)', end: '!p1' };
  const good = trace('00 10 00', 'good');
  const bad = {
    state: trace('00 11 00', 'bad state'),
    transition: trace('00 10 01 00', 'bad transition'),
    end: trace('00 01', 'bad end'),
  };
  const kinds = ['state', 'transition', 'end'] as const;

  it.each(kinds)('is an error by default: %s, with trace, step and constraint', (kind) => {
    const counter = new Counter(overFlags(2, constraints));
    expect(() => counter.add(bad[kind])).toThrow(InvalidDataError);
    const step = kind === 'transition' ? 2 : 1;
    expect(() => counter.add(bad[kind])).toThrow(
      new RegExp(
        `trace "bad ${kind}", step ${step}: .*forbidden by constraints\\.${kind}: .*dropTrace or accept`,
      ),
    );
  });

  it('was left out by whoever goes on after the error, which the model keeps', () => {
    const counter = new Counter(overFlags(2, constraints));
    counter.add(good);
    expect(() => counter.add(bad.end)).toThrow(InvalidDataError);
    expect(() => counter.add({ id: 'odd', steps: [{ state: {} }] })).toThrow(EvaluationError);
    expect(readLearntChain(counter.finish().model).parameters).toMatchObject({
      traces: 1,
      leftOut: { dropped: 1, skipped: 1, unreadable: 0 },
    });
  });

  it.each(kinds)('is dropped whole on request: %s', (kind) => {
    const counter = new Counter(overFlags(2, constraints), { onContradiction: 'dropTrace' });
    for (const one of [bad[kind], good, bad[kind]]) counter.add(one);
    const alone = new Counter(overFlags(2, constraints), { onContradiction: 'dropTrace' });
    alone.add(good);
    const { model, report } = counter.finish();
    const { parameters: _, ...rest } = alone.finish().model;
    expect(model).toMatchObject(rest);
    expect(readLearntChain(model).parameters.leftOut).toEqual({ dropped: 2, skipped: 0, unreadable: 0 });
    expect(report).toMatchObject({ traces: 1, steps: 3, dropped: 2 });
    expect(report.contradictions).toMatchObject({ state: 0, transition: 0, end: 0, [kind]: 2 });
    expect(report.contradictions.first).toMatchObject([
      { kind, trace: `bad ${kind}`, step: kind === 'transition' ? 2 : 1 },
      { kind, trace: `bad ${kind}` },
    ]);
  });

  it('is counted on request, which makes its transitions valid, and only those', () => {
    const counter = new Counter(overFlags(2, constraints), { onContradiction: 'accept', smoothing: 1 });
    for (const one of [good, ...kinds.map((kind) => bad[kind]), bad.transition]) counter.add(one);
    const { model, report } = counter.finish();
    expect(report.contradictions).toMatchObject({ state: 1, transition: 2, end: 1 });
    expect(report).toMatchObject({ traces: 5, dropped: 0, states: { seen: 4 } });
    // 00 was left 9 times: 3 times for 10, once each for 11 and 01, and 4 times for the end.
    expect(rowOf(model, '00')).toEqual({
      '00': 1 / 14,
      '10': 4 / 14,
      '11': 2 / 14,
      '01': 2 / 14,
      end: 5 / 14,
    });
    // 11 is forbidden, so that only 00, where it was entered from, may enter it; from 10 the step to 01 was accepted.
    expect(rowOf(model, '10')).toEqual({ '00': 2 / 7, '10': 1 / 7, '01': 3 / 7, end: 1 / 7 });
    expect(rowOf(model, '01')).toEqual({ '00': 3 / 7, '10': 1 / 7, '01': 1 / 7, end: 2 / 7 });
  });

  it('is found also where all its states and transitions are known already', () => {
    const counter = new Counter(overFlags(2, constraints), { onContradiction: 'accept' });
    for (let i = 0; i < 150; i++) counter.add(bad.transition);
    const { contradictions } = counter.finish().report;
    expect(contradictions).toMatchObject({ state: 0, transition: 150, end: 0 });
    expect(contradictions.first).toHaveLength(100);
  });
});
