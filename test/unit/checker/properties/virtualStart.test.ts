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
