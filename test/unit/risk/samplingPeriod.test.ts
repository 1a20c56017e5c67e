import { describe, expect, it } from 'vitest';
import '../../../bindings/solvers/kernel/inline.js';
import { learn, learnMdp } from '../../../bindings/estimation/learning/index.js';
import { Abstraction } from '../../../bindings/observations/abstraction/index.js';
import type { Trace } from '../../../bindings/observations/trace/index.js';
import { certify, certifyMdp, compileGuard, riskTable } from '../../../bindings/rules/risk/index.js';
import { parseSpecification } from '../../../bindings/rules/specification/index.js';
import { readUmb, writeUmb } from '../../../bindings/solvers/formats/index.js';
import { requireDtmc } from '../../../bindings/solvers/model/index.js';

const specified = (period: string, more = '') =>
  parseSpecification(`
version: 1
${period}
predicates: { asked: 'asked == 1', clear: 'clear == 1' }
rules: { aside: { formula: 'G (asked -> F<=5 clear)', threshold: 0.1 } }
learning: { smoothing: 0 ${more} }`);

const traces: Trace[] = [1, 2, 4, 8].map((steps) => ({
  id: `${steps}`,
  steps: Array.from({ length: steps + 2 }, (_, i) => ({
    time: i / 10,
    state: { asked: Number(i === 0), clear: Number(i === steps) },
    action: { name: i < steps ? 'wait' : 'go' },
  })),
}));

describe('a model learnt at one sampling period', () => {
  const ten = specified('samplingPeriod: 10 Hz');

  it('is refused under another, for its steps would be of another length, also after its file', async () => {
    const { model } = await learn(new Abstraction(ten.abstraction), traces, ten.learning);
    const read = requireDtmc(await readUmb(await writeUmb(model), { source: 'm.umb' }));
    expect(riskTable(ten, read).rules[0].name).toBe('aside');
    expect(riskTable(specified('samplingPeriod: 0.1s'), read).rules[0].name).toBe('aside');
    for (const [period, said] of [
      [
        'samplingPeriod: 20 Hz',
        'samplingPeriod is 0.05 s (periodTolerance 0.1) in the specification, 0.1 s (periodTolerance 0.1) in the model',
      ],
      ['', 'samplingPeriod is absent in the specification, 0.1 s (periodTolerance 0.1) in the model'],
    ]) {
      const other = specified(period);
      expect(() => riskTable(other, read)).toThrow(said);
      expect(() => compileGuard(other, read)).toThrow(said);
      expect(() => certify(other, read)).toThrow(said);
    }
  });

  it.each([
    ['samplingPeriod: 10 Hz\nperiodTolerance: 0.5', 'periodTolerance 0.5'],
    ['samplingPeriod: 10 Hz\nresample: skip', 'with resample: skip'],
  ])('is refused where steps were taken for regular in another way: %s', async (period, said) => {
    const other = specified(period);
    const { model } = await learn(new Abstraction(other.abstraction), traces, other.learning);
    expect(riskTable(other, model).rules[0].name).toBe('aside');
    for (const [specification, learnt] of [
      [ten, model],
      [other, (await learn(new Abstraction(ten.abstraction), traces, ten.learning)).model],
    ] as const)
      expect(() => compileGuard(specification, learnt)).toThrow(said);
  });

  it('may have held steps that a guard does not, and the other way round: each is a period long', async () => {
    const held = specified('samplingPeriod: 10 Hz\nresample: hold');
    const { model } = await learn(new Abstraction(held.abstraction), traces, held.learning);
    expect(riskTable(ten, model).rules[0].name).toBe('aside');
  });

  it('is refused under one where it was learnt under none', async () => {
    const none = specified('');
    const { model } = await learn(new Abstraction(none.abstraction), traces, none.learning);
    expect(() => riskTable(ten, model)).toThrow(
      'samplingPeriod is 0.1 s (periodTolerance 0.1) in the specification, absent in the model; learn the model again with this specification',
    );
  });

  it('is refused under another as a decision process', async () => {
    const [one, other] = ['10 Hz', '20 Hz'].map((rate) =>
      specified(`samplingPeriod: ${rate}`, ', model: mdp'),
    );
    const { model } = await learnMdp(new Abstraction(one.abstraction), traces, one.learning);
    expect(certifyMdp(one, model)).toBeDefined();
    expect(() => certifyMdp(other, model)).toThrow(/0\.05 s .* in the specification, 0\.1 s .* in the model/);
    expect(() => compileGuard(other, model)).toThrow(
      /0\.05 s .* in the specification, 0\.1 s .* in the model/,
    );
  });
});
