import { describe, expect, it } from 'vitest';
import { InvalidArgumentError } from '../../../bindings/base/errors.js';
import { learn } from '../../../bindings/estimation/learning/index.js';
import { overFlags, rowOf, stateNames, trace } from './flagTraces.js';

describe('a learnt chain', () => {
  // 10 was left 4 times: twice for 10, once for 01, once for the end.
  const traces = [trace('10 10 10 01'), trace('10'), trace('01 …')];

  it('has smoothed rows over its valid successors, and an unsmoothed start', async () => {
    const { model } = await learn(overFlags(2), traces, { smoothing: 2 });
    expect(stateNames(model)).toEqual(['start', '10', '01', 'end']);
    expect(rowOf(model, 'start')).toEqual({ '10': 2 / 3, '01': 1 / 3 });
    expect(rowOf(model, '10')).toEqual({ '10': 4 / 10, '01': 3 / 10, end: 3 / 10 });
    expect(rowOf(model, '01')).toEqual({ '10': 2 / 7, '01': 2 / 7, end: 3 / 7 });
    expect(rowOf(model, 'end')).toEqual({ end: 1 });
    expect(model.initial).toEqual([0]);
    expect(model.unknown).toBeUndefined();
  });

  it('is smoothed by 1 where nothing else is said', async () => {
    const { model, report } = await learn(overFlags(2), traces);
    expect(rowOf(model, '10')).toEqual({ '10': 3 / 7, '01': 2 / 7, end: 2 / 7 });
    expect(report.transitions).toEqual({ seen: 4, possible: 6 });
  });

  it('gives no probability to what a constraint forbids', async () => {
    const constraints = { transition: '!(from.p1 && to.p0)', end: '!p0' };
    const { model } = await learn(overFlags(2, constraints), [trace('10 10 01'), trace('10 …')], {
      smoothing: 1,
    });
    expect(rowOf(model, '10')).toEqual({ '10': 2 / 4, '01': 2 / 4 });
    expect(rowOf(model, '01')).toEqual({ '01': 1 / 3, end: 2 / 3 });
  });

  it('leaves a state without data unknown where there is no smoothing', async () => {
    const { model } = await learn(overFlags(2), [trace('10 01 …')], { smoothing: 0 });
    expect(rowOf(model, '10')).toEqual({ '01': 1 });
    expect(rowOf(model, '01')).toEqual({});
    expect([...model.unknown!].map((s) => stateNames(model)[s])).toEqual(['01']);
  });

  it('leaves a state unknown that nothing may follow', async () => {
    const constraints = { transition: '!from.p1', end: '!p1' };
    const { model } = await learn(overFlags(2, constraints), [trace('10 01 …')], { smoothing: 1 });
    expect([...model.unknown!].map((s) => stateNames(model)[s])).toEqual(['01']);
  });

  it('has on request all valid states, those seen first in order of discovery', async () => {
    const abstraction = overFlags(2, { state: '!(p0 && p1)' });
    const { model, report } = await learn(abstraction, traces, { states: 'valid', smoothing: 1 });
    expect(stateNames(model)).toEqual(['start', '10', '01', '00', 'end']);
    expect(rowOf(model, '10')).toEqual({ '10': 3 / 8, '01': 2 / 8, '00': 1 / 8, end: 2 / 8 });
    expect(rowOf(model, '00')).toEqual({ '10': 1 / 4, '01': 1 / 4, '00': 1 / 4, end: 1 / 4 });
    expect(report.states).toEqual({ seen: 2, model: 3 });
    const annotation = (name: string): number[] => [
      ...model.annotations!.find((one) => one.name === name)!.values,
    ];
    expect(annotation('draws')).toEqual([3, 4, 1, 0, 0]);
    expect(annotation('drawsSinceNew')).toEqual([0, 0, 0, 0, 0]);
    expect(annotation('rank')).toEqual([1, 2, 3, 0, 0]);
  });

  it('labels its states by predicate and phase, and keeps how it was learnt', async () => {
    const abstraction = overFlags(2, { end: '!(p0 && p1)' });
    const { model } = await learn(abstraction, traces, { smoothing: 0.5, specificationHash: 'abc' });
    const members = Object.fromEntries([...model.labels].map(([name, set]) => [name, [...set]]));
    expect(members).toEqual({ start: [0], end: [3], p0: [1], p1: [2] });
    expect(model.valuations!.variables.at(-1)).toEqual({ name: 'phase', type: 'int' });
    expect(model.valuations!.values.at(-1)).toEqual([0, 1, 1, 2]);
    expect(model.parameters).toEqual({
      foreguard: {
        specificationHash: 'abc',
        predicates: [
          { name: 'p0', expression: 'p0' },
          { name: 'p1', expression: 'p1' },
        ],
        constraints: { end: '!(p0 && p1)' },
        learning: { model: 'dtmc', smoothing: 0.5, states: 'observed', onContradiction: 'error' },
        leftOut: { dropped: 0, skipped: 0, unreadable: 0 },
        resampled: { steps: 6, held: 0, missing: 0, leftOut: 0 },
        traces: 3,
        steps: 6,
      },
    });
  });

  it('is refused where smoothing needs more transitions than fit, with the count and what to do', async () => {
    const wide = learn(overFlags(7), [trace('0000000')], { states: 'valid', maxTransitions: 1000 });
    await expect(wide).rejects.toThrow(InvalidArgumentError);
    await expect(wide).rejects.toThrow(/more than 1,000 transitions.*130 states.*smoothing: 0/);
    const sparse = { states: 'valid', maxTransitions: 1000, smoothing: 0 } as const;
    const { model, report } = await learn(overFlags(7), [trace('0000000')], sparse);
    expect(model.columns).toHaveLength(3);
    expect(report.transitions).toEqual({ seen: 1, possible: null });
  });
});
