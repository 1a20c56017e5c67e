import { describe, expect, it } from 'vitest';
import { type ReaderTerm, readContracts } from '../../../bindings/proofs/contract/index.js';
import { type VerifyOptions, verifyPlan } from '../../../bindings/proofs/planProof/index.js';
import type { Step } from '../../../bindings/proofs/workflow/index.js';
import { call, give, need, plan, ref, when } from './plans.js';

/*
 * Further plans by which a reader tried to have proved what does not hold, each with a safe plan beside it that must be proved.
 */

const contracts = readContracts(`
version: 1
types: { Row: { fields: { open: text, hidden: text } } }
readers: { company: '*@company.example' }
tools:
  secret: { result: { type: text, integrity: trusted, readers: company } }
  private: { result: { type: boolean, integrity: trusted, readers: company } }
  wild: { result: { type: boolean, integrity: untrusted, readers: everyone } }
  flag: { result: { type: boolean, integrity: trusted, readers: everyone } }
  row: { result: { type: Row, integrity: trusted, readers: everyone, parts: { hidden: { readers: nobody } } } }
  ping: { consequential: true, observable: everyone }
  say: { arguments: { x: { type: text, readers: everyone } }, consequential: false }
`);

const kinds = (steps: readonly Step[], options: VerifyOptions = {}) => {
  const verdict = verifyPlan(plan(...steps), contracts, options);
  return verdict.verdict === 'proved' ? [] : [...new Set(verdict.findings.map(({ kind }) => kind))];
};

const ends = (tool: string, then: string[], otherwise: string[] = []) => [
  call('p', tool, {}, 'p'),
  when(
    'i',
    'p',
    then.map((condition) => need('q', condition)),
    otherwise.map((condition) => need('e', condition)),
  ),
  call('c', 'ping'),
];

describe('a branch that always ends by require', () => {
  it.each([
    ['a constant', ['false'], []],
    ['the condition of the branch', ['!p'], []],
    ['the other branch', [], ['p']],
  ])('tells those who see what follows of its condition: %s', (_, then, otherwise) => {
    expect(kinds(ends('private', then, otherwise))).toEqual(['readers']);
    expect(kinds(ends('wild', then, otherwise))).toEqual(['integrity']);
    expect(kinds(ends('flag', then, otherwise))).toEqual([]);
  });
});

it('a part of a result that nobody may read is nobody’s, though everyone may read the rest', () => {
  const row = call('r', 'row', {}, 'r');
  expect(kinds([row, call('c', 'say', { x: ref('r', 'hidden') })])).toEqual(['readers']);
  expect(kinds([row, call('c', 'say', { x: ref('r', 'open') })])).toEqual([]);
});

it('what a plan returns is not proved to be for readers whom no value names', () => {
  const secret = [call('s', 'secret', {}, 's'), give('g', ref('s'))];
  const company: ReaderTerm = { kind: 'group', name: 'company' };
  const to: ReaderTerm = { kind: 'value', path: ['to'] };
  expect(kinds(secret, { returnsTo: to })).toEqual(['readers']);
  expect(kinds(secret, { returnsTo: { kind: 'union', of: [company, to] } })).toEqual(['readers']);
  expect(kinds(secret, { returnsTo: company })).toEqual([]);
});
