import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ForeguardError, NotSupportedError } from '../../../../bindings/base/errors.js';
import {
  readCombined,
  readExplicit,
  writeCombined,
  writeExplicit,
} from '../../../../bindings/solvers/formats/index.js';
import { BitSet } from '../../../../bindings/solvers/kernel/index.js';
import {
  createMdp,
  dtmcFromRows,
  type Model,
  requireDtmc,
  type VariableValue,
} from '../../../../bindings/solvers/model/index.js';
import { arbitraryDtmc } from '../arbitraryDtmc.js';
import { arbitraryModel } from '../arbitraryModel.js';

/** Rewards of states and transitions with absent halves filled in, as files cannot tell them from zeros. */
function filled(model: Model): [string, number[], number[]][] {
  return (model.rewards ?? []).map(({ name, states, branches }) => [
    name,
    [...(states ?? new Float64Array(model.states))].map((value) => value + 0),
    [...(branches ?? new Float64Array(model.columns.length))].map((value) => value + 0),
  ]);
}

describe('writeExplicit', () => {
  it('writes files that read back as the same chain', () => {
    fc.assert(
      fc.property(arbitraryDtmc('explicit'), (model) => {
        const copy = requireDtmc(readExplicit({ ...writeExplicit(model), source: 'x.tra' }));
        expect([copy.rowStart, copy.columns, copy.values]).toEqual([
          model.rowStart,
          model.columns,
          model.values,
        ]);
        expect(copy.initial).toEqual(model.initial);
        expect(copy.labels).toEqual(new Map([['deadlock', new BitSet(model.states)], ...model.labels]));
        expect(copy.valuations).toEqual(model.valuations);
        expect(filled(copy)).toEqual(filled(model));
      }),
    );
  });

  it('writes files that read back as the same decision process or interval model, apart and combined', () => {
    fc.assert(
      fc.property(arbitraryModel('explicit'), (model) => {
        const copy = readExplicit({ ...writeExplicit(model), source: 'x.tra' });
        expect(readCombined(writeCombined(model), { source: 'x.pexp' })).toEqual(copy);
        expect(copy).toEqual({
          ...model,
          labels: new Map([['deadlock', new BitSet(model.states)], ...model.labels]),
          rewards: copy.rewards,
        });
        expect(filled(copy)).toEqual(filled(model));
      }),
    );
  });

  it('adds rewards of choices to those of their transitions', () => {
    const model = createMdp({
      rowGroupStart: Uint32Array.of(0, 2),
      rowStart: Uint32Array.of(0, 1, 2),
      columns: Uint32Array.of(0, 0),
      values: Float64Array.of(1, 1),
      initial: [0],
      labels: new Map(),
      rewards: [{ name: '', choices: Float64Array.of(2, 0), branches: Float64Array.of(0.5, 0) }],
    });
    expect(writeExplicit(model).trew).toEqual([
      '# Reward structure\n# Transition rewards\n1 2 1\n0 0 0 2.5\n',
    ]);
  });

  it('writes what PRISM writes', () => {
    const model = dtmcFromRows(
      [
        [
          [0, 0.25],
          [1, 0.75],
        ],
        [[1, 1]],
      ],
      {
        labels: { end: [1] },
        valuations: {
          variables: [
            { name: 'x', type: 'int' },
            { name: 'b', type: 'bool' },
          ],
          values: [
            [0, 1],
            [true, false],
          ],
        },
        rewards: [{ name: 'r', states: Float64Array.of(2, 0), branches: Float64Array.of(0, 1.5, 10) }],
      },
    );
    expect(writeExplicit(model)).toEqual({
      tra: '# Transitions (DTMC)\n2 3\n0 0 0.25\n0 1 0.75\n1 1 1\n',
      lab: '# Labels\n0="init" 1="deadlock" 2="end"\n0: 0\n1: 2\n',
      sta: '# States\n(x,b)\n0:(0,true)\n1:(1,false)\n',
      srew: ['# Reward structure "r"\n# State rewards\n2 1\n0 2\n'],
      trew: ['# Reward structure "r"\n# Transition rewards\n2 2\n0 1 1.5\n1 1 10\n'],
    });
  });

  it('refuses what the files cannot hold', () => {
    const loop = [[[0, 1]]] as const;
    const variable = (name: string, type: 'string' | 'int', value: VariableValue) =>
      dtmcFromRows(loop, { valuations: { variables: [{ name, type }], values: [[value]] } });
    expect(() => writeExplicit(dtmcFromRows([null]))).toThrow(NotSupportedError);
    expect(() => writeExplicit(dtmcFromRows([null]))).toThrow(/1 unknown states/);
    expect(() => writeExplicit(dtmcFromRows(loop, { initial: [] }))).toThrow(/no initial state/);
    expect(() => writeExplicit(dtmcFromRows(loop, { labels: { init: [] } }))).toThrow(/label "init"/);
    expect(() => writeExplicit(dtmcFromRows(loop, { labels: { 'a"b': [] } }))).toThrow(/the name "a\\"b"/);
    expect(() => writeExplicit(variable('s', 'string', 'x'))).toThrow(/string variable "s"/);
    expect(() => writeExplicit(variable('a,b', 'int', 1))).toThrow(/variable name "a,b"/);
  });
});

describe('readExplicit', () => {
  it('throws nothing but its own errors on damaged text', () => {
    const edit = fc.tuple(
      fc.nat(400),
      fc.nat(2),
      fc.constantFrom('', '-', '9', ' ', '\n', '(', ':', '/', 'e', '"', '['),
    );
    let refused = 0;
    fc.assert(
      fc.property(
        arbitraryDtmc('explicit'),
        fc.array(edit, { minLength: 1, maxLength: 3 }),
        (model, edits) => {
          const damaged = (text: string) =>
            edits.reduce((now, [at, cut, insert]) => now.slice(0, at) + insert + now.slice(at + cut), text);
          const { tra, lab, sta, srew, trew } = writeExplicit(model);
          try {
            readExplicit({
              tra: damaged(tra),
              lab: damaged(lab),
              ...(sta !== undefined && { sta: damaged(sta) }),
              srew: srew.map(damaged),
              trew: trew.map(damaged),
              source: 'x.tra',
            });
          } catch (error) {
            expect(error).toBeInstanceOf(ForeguardError);
            refused++;
          }
        },
      ),
      { numRuns: 300 },
    );
    expect(refused).toBeGreaterThan(50);
  });
});
