import { describe, expect, it } from 'vitest';
import { readContracts } from '../../../bindings/proofs/contract/index.js';
import { VerifiedPlan, verifyPlan } from '../../../bindings/proofs/planProof/index.js';
import { call, expr, give, listOf, need, plan, ref } from './plans.js';

const contracts = readContracts(`
version: 1
readers: { company: '*@company.example' }
tools:
  rate: { result: { type: number, integrity: trusted, readers: company } }
  text: { result: { type: text, integrity: trusted, readers: everyone } }
  pay: { arguments: { amount: number }, requires: { limit: { condition: 'amount <= 100', atRunTime: true } } }
  post: { arguments: { to: { type: list, of: email } }, requires: 'to.all(r, domainOf(r) == "company.example") && size(to) < 3' }
  mail: { arguments: { to: email } , requires: 'domainOf(to) == "company.example"' }
`);

const rate = call('r', 'rate', {}, 'rate');

describe('a verified plan', () => {
  it('is made by proofs alone, is frozen, and has the hash of what was proved', () => {
    const given = plan(rate);
    const verdict = verifyPlan(given, contracts);
    if (verdict.verdict !== 'proved') throw new Error('not proved');
    const { verified } = verdict;
    expect(VerifiedPlan.is(verified)).toBe(true);
    expect(VerifiedPlan.is({ ...verified })).toBe(false);
    expect(VerifiedPlan.is(Object.create(VerifiedPlan.prototype))).toBe(false);
    expect(() => Reflect.construct(VerifiedPlan, [Symbol('verifyPlan'), {}])).toThrow('only verifyPlan');
    expect(verified.hash).toBe(verdict.hash);
    (given.steps as unknown[]).length = 0;
    expect(verified.plan.steps).toHaveLength(1);
    expect(() => (verified.plan.steps as unknown[]).push(1)).toThrow(TypeError);
    expect(() => (verified.contracts.tools as Map<string, unknown>).delete('pay')).toThrow(
      'cannot be changed',
    );
    expect(verifyPlan(plan(rate), contracts, { label: { integrity: 'untrusted' } }).hash).not.toBe(
      verdict.hash,
    );
    expect(verifyPlan(plan(rate), contracts).hash).toBe(verdict.hash);
  });

  it('lists what is checked when it runs, and what the proof rests on', () => {
    const verdict = verifyPlan(plan(rate, call('p', 'pay', { amount: ref('rate') })), contracts);
    expect(verdict).toMatchObject({
      verdict: 'proved',
      notes: ['`limit` is checked before step p, when it runs: then the steps before it have run.'],
      verified: { atRunTime: [{ step: 'p', condition: 'limit' }] },
    });
    expect(verdict.assumes.map(({ kind, of }) => `${kind} ${of}`)).toEqual([
      'result rate',
      'effects rate',
      'result pay',
      'effects pay',
    ]);
  });

  it('gives what it returns to those alone who may read it', () => {
    const given = plan(rate, give('g', ref('rate')));
    expect(verifyPlan(given, contracts).verdict).toBe('proved');
    expect(verifyPlan(given, contracts, { returnsTo: { kind: 'group', name: 'company' } }).verdict).toBe(
      'proved',
    );
    expect(verifyPlan(given, contracts, { returnsTo: { kind: 'everyone' } })).toMatchObject({
      verdict: 'refuted',
      findings: [{ kind: 'readers', step: 'g' }],
    });
  });

  it('has conditions on lists of which some elements are known', () => {
    const text = call('t', 'text', {}, 'a');
    const post = (...to: Parameters<typeof listOf>) => call('p', 'post', { to: listOf(...to) });
    const known = need('n', 'domainOf(a) == "company.example"');
    expect(verifyPlan(plan(text, known, post(ref('a'), 'b@company.example')), contracts).verdict).toBe(
      'proved',
    );
    expect(verifyPlan(plan(text, post(ref('a'), 'b@company.example')), contracts).verdict).toBe('refuted');
    expect(verifyPlan(plan(text, known, post(ref('a'), 'b@other.example')), contracts).verdict).toBe(
      'refuted',
    );
    expect(verifyPlan(plan(text, known, post(ref('a'), ref('a'), ref('a'))), contracts).verdict).toBe(
      'refuted',
    );
  });

  it('knows of texts that are checked to be addresses that they are', () => {
    const text = call('t', 'text', {}, 'a');
    const rest = [need('n', 'a.endsWith("@company.example")'), call('m', 'mail', { to: ref('a') })];
    expect(verifyPlan(plan(text, ...rest), contracts).verdict).toBe('proved');
    expect(verifyPlan(plan(text, call('m', 'mail', { to: expr('a + ""') })), contracts).verdict).not.toBe(
      'proved',
    );
  });
});
