import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvalidModelError } from '../../../bindings/base/errors.js';
import { Counter, learn, readLearntChain } from '../../../bindings/estimation/learning/index.js';
import { fileStates } from '../../../bindings/rules/risk/fileNumbers.js';
import { readUmb, writeUmb } from '../../../bindings/solvers/formats/index.js';
import { createDtmc, dtmcFromRows, requireDtmc } from '../../../bindings/solvers/model/index.js';
import { overFlags, randomTraces, stateNames, trace } from './flagTraces.js';
import { countNaively } from './naiveCounts.js';

describe('reading a learnt chain back', () => {
  it.each([2, 40])('gives valuations, draws and seen transitions of %i predicates', (predicates) => {
    fc.assert(
      fc.property(randomTraces(predicates, 1), (traces) => {
        const abstraction = overFlags(predicates);
        const counter = new Counter(abstraction, { smoothing: 1 });
        for (const one of traces) counter.add(one);
        const view = readLearntChain(counter.finish().model);
        const naive = countNaively(traces, predicates);
        const names = naive.sources.slice(1);
        expect(view).toMatchObject({ states: names.length + 2, start: 0, end: names.length + 1 });
        const { seen: file } = fileStates(view);
        names.forEach((name, c) => {
          const decoded = Object.values(abstraction.decode(view.valuations, (c + 1) * view.words));
          expect(decoded.map((value) => (value ? 1 : 0)).join('')).toBe(name);
          const row = naive.rows.get(name)!;
          expect(view.draws[c + 1]).toBe([...row.values()].reduce((sum, { count }) => sum + count, 0));
          const seen = file.columns.slice(file.rowStart[c], file.rowStart[c + 1]);
          expect([...seen].map((to) => names[to]).sort()).toEqual(
            [...row.keys()].filter((to) => to !== 'end').sort(),
          );
        });
      }),
      { numRuns: 50 },
    );
  });

  it.each([
    { smoothing: 0, states: 'observed' },
    { smoothing: 1, states: 'valid' },
  ] as const)('gives the same after the chain was kept in a file: %j', async (options) => {
    const abstraction = overFlags(3, { state: '!(p0 && p1 && p2)' });
    const { model } = await learn(abstraction, [trace('100 010 …'), trace('100')], options);
    const kept = requireDtmc(await readUmb(await writeUmb(model, { gzip: true }), { source: 'chain.umb' }));
    const { model: before, ...view } = readLearntChain(model);
    const { model: after, ...again } = readLearntChain(kept);
    expect(again).toEqual(view);
    expect(after.values).toEqual(before.values);
    expect([...(after.unknown ?? [])]).toEqual([...(before.unknown ?? [])]);
  });

  it('finds predicates by name, whatever the order of the variables', async () => {
    const { model } = await learn(overFlags(2), [trace('10 01')]);
    const { variables, values } = model.valuations!;
    const turned = { variables: [...variables].reverse(), values: [...values].reverse() };
    const view = readLearntChain(createDtmc({ ...model, valuations: turned }));
    expect([...view.valuations]).toEqual([0, 0b01, 0b10, 0]);
    expect(stateNames(model)).toEqual(['start', '10', '01', 'end']);
  });

  it('refuses a model that was not learnt by Foreguard, saying what it lacks', async () => {
    const { model } = await learn(overFlags(1), [trace('1')]);
    const coin = dtmcFromRows([[[0, 1]]]);
    expect(() => readLearntChain(coin)).toThrow(InvalidModelError);
    expect(() => readLearntChain(coin)).toThrow(/not learnt by Foreguard: it has no parameters\.foreguard/);
    expect(() => readLearntChain({ ...coin, parameters: { foreguard: {} } })).toThrow(/lack predicates/);
    expect(() => readLearntChain({ ...coin, parameters: model.parameters })).toThrow(/1 states/);
    expect(() => readLearntChain({ ...model, annotations: [] })).toThrow(/no annotation "count"/);
    expect(() => readLearntChain({ ...model, valuations: { variables: [], values: [] } })).toThrow(
      /no variable "p0"/,
    );
  });
});
