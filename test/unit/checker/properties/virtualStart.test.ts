import { describe, expect, it } from 'vitest';
import '../../../../bindings/solvers/kernel/inline.js';
import { learn, learnMdp } from '../../../../bindings/estimation/learning/index.js';
import type { Trace } from '../../../../bindings/observations/trace/index.js';
import { check, type NumberResult } from '../../../../bindings/solvers/checker/index.js';
import { readUmb, writeUmb } from '../../../../bindings/solvers/formats/index.js';
import type { Model } from '../../../../bindings/solvers/model/index.js';
import { overFlags } from '../../learning/flagTraces.js';

/** Runs in which one action is taken everywhere: three of four begin in p0, and half of those are in p1 a step later. */
const traces: Trace[] = [
  '10 01 11',
  '10 01',
  '10 00 01 11',
  '10 10 11',
  '00 10 01',
  '00 00',
  '10 11',
  '10 01',
].map((path, i) => ({
  id: `${i}`,
  complete: true,
  steps: path.split(' ').map((bits) => ({
    state: { p0: bits[0] === '1', p1: bits[1] === '1' },
    action: { name: 'go' },
  })),
}));
const { model: chain } = await learn(overFlags(2), traces, { smoothing: 0 });
const { model: process } = await learnMdp(overFlags(2), traces, { smoothing: 0 });

const asked = (model: Model, text: string, exact = false): NumberResult =>
  check({ model }, text, { exact }) as NumberResult;

describe('the virtual start of a learnt decision process', () => {
  const paths = [
    'X p1',
    'F<=0 p0',
    'F<=1 p1',
    'F<=3 (p0 & p1)',
    'G<=2 !p1',
    'F[1,2] p1',
    '!p1 U<=2 (p0 & p1)',
    '(X p1) | (X X p1)',
    'F (p0 & X p1)',
  ];

  it.each(paths)('is no position of a path, as that of a learnt chain: %s', (path) => {
    // With one action a state, least and greatest are the chain's probability.
    const { lower, upper } = asked(chain, `P=? [ ${path} ]`);
    for (const question of ['Pmin', 'Pmax']) {
      const found = asked(process, `${question}=? [ ${path} ]`);
      expect(found.lower, question).toBeLessThanOrEqual(upper);
      expect(found.upper, question).toBeGreaterThanOrEqual(lower);
      expect(found.upper - found.lower).toBeLessThan(1e-6);
    }
  });

  it('counts the first step of a run as step 0', () => {
    const within = (steps: number) =>
      traces.filter(({ steps: run }) => run.slice(0, steps + 1).some(({ state }) => state.p0)).length;
    for (const question of ['Pmin', 'Pmax']) {
      expect(asked(process, `${question}=? [ F<=0 p0 ]`).lower).toBeCloseTo(within(0) / 8, 12);
      expect(asked(process, `${question}=? [ F<=0 p0 ]`, true).exact?.toString()).toBe('3/4');
    }
  });

  it.each([
    ['T=? [ F "end" ]', 21 / 8],
    ['T=? [ F ("end" & !(p0 & p1)) ]', 21 / 8],
    ['T=? [ F ((X "end") | "end") ]', 21 / 8],
    ['T=? [ F p0 ]', Number.POSITIVE_INFINITY],
    ['T=? [ C<=2 ]', 2],
    ['T=? [ I=0 ]', 1],
    ['T=? [ S ]', 1],
  ])('is no step that rewards count: %s', (property, expected) => {
    const forms = [check, (of: { model: Model }, text: string) => check(of, text, { exact: true })];
    for (const answer of forms) {
      const of = (model: Model, text: string) => answer({ model }, text) as NumberResult;
      const found = [
        of(chain, property),
        ...['Tmin', 'Tmax'].map((t) => of(process, property.replace(/^T/, t))),
      ];
      for (const { lower, upper } of found) {
        expect(lower).toBeLessThanOrEqual(expected * (1 + 1e-12));
        expect(upper).toBeGreaterThanOrEqual(expected * (1 - 1e-12));
        if (Number.isFinite(expected)) expect(upper - lower).toBeLessThan(1e-5);
        else expect(lower).toBe(expected);
      }
    }
  });

  it('is no position of the paths that A and E ask about', async () => {
    const begun = traces.filter(({ steps: [first] }) => first.state.p0);
    const { model } = await learn(overFlags(2), begun, { smoothing: 0 });
    for (const [text, expected] of [
      ['E [ X p1 ]', true],
      ['A [ X p1 ]', false],
      ['A [ p0 U p0 ]', true],
      ['E [ p0 & X p1 ]', true],
      ['A [ p0 | X p1 ]', true],
      ['A [ p0 & X (p1 | p0 | X p1) ]', true],
      ['E [ G !p0 ]', false],
    ] as const) {
      expect([text, check({ model }, text)]).toMatchObject([text, { value: expected }]);
      const likely = text.replace(/^A/, 'P>=1').replace(/^E/, 'P>0');
      expect([likely, check({ model }, likely)]).toMatchObject([likely, { value: expected }]);
    }
  });

  it('has what every first state has, and no rounding below', async () => {
    const begun = traces.filter(({ steps: [first] }) => first.state.p0);
    const { model: chain } = await learn(overFlags(2), begun, { smoothing: 0 });
    const { model: process } = await learnMdp(overFlags(2), begun, { smoothing: 0 });
    for (const found of [
      asked(chain, 'P=? [ F<=0 p0 ]'),
      asked(process, 'Pmin=? [ F<=0 p0 ]'),
      asked(process, 'Pmax=? [ F<=0 p0 ]'),
    ])
      expect([found.lower, found.upper]).toEqual([1, 1]);
  });

  it('stays so in a file, and is an ordinary state of a model that was not learnt', async () => {
    const read = await readUmb(await writeUmb(process), { source: 'process.umb' });
    expect(asked(read, 'Pmax=? [ F<=0 p0 ]').lower).toBeCloseTo(0.75, 12);
    expect(asked({ ...process, parameters: {} }, 'Pmax=? [ F<=0 p0 ]').upper).toBe(0);
  });
});
