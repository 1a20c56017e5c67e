import { expect, it } from 'vitest';
import { readContracts } from '../../../bindings/proofs/contract/index.js';
import { verifyPlan } from '../../../bindings/proofs/planProof/index.js';
import type { Step } from '../../../bindings/proofs/workflow/index.js';
import { call, expr, need, plan, ref, when } from './plans.js';

const contracts = readContracts(`
version: 1
readers: { company: '*@company.example', team: 'team-*' }
tools:
  key: { result: { type: text, integrity: trusted, readers: everyone } }
  none: { result: { type: list, of: { type: string, format: email, maxLength: 2 }, integrity: trusted, readers: everyone } }
  one: { result: { type: string, format: email, maxLength: 2, integrity: trusted, readers: everyone } }
  flag: { result: { type: boolean, integrity: trusted, readers: everyone } }
  secret: { result: { type: text, integrity: trusted, readers: company } }
  plan: { result: { type: text, integrity: trusted, readers: team } }
  pay: { arguments: { amount: any }, requires: 'amount <= 100' }
  pair: { arguments: { amount: number }, requires: '{"a": amount, "a": 1000}.a <= 100' }
  mail: { arguments: { to: text, body: { type: text, readers: to } } }
`);

const verdictOf = (...steps: Step[]) => verifyPlan(plan(...steps), contracts).verdict;

it('knows no part of a map that may have no value, as its keys may be equal', () => {
  const key = call('k', 'key', {}, 'k');
  for (const source of ['{"a": 1, k: 1000}.a', '{"a": 1, "a": size(k)}.a', '{"a": 1, k: 1000}["a"]'])
    expect(verdictOf(key, call('p', 'pay', { amount: expr(source) })), source).not.toBe('proved');
  expect(verdictOf(key, call('p', 'pay', { amount: expr('{"a": 1, "b": size(k)}.a') }))).toBe('proved');
  expect(verdictOf(call('p', 'pair', { amount: 1 }))).not.toBe('proved');
});

it('concludes nothing from elements of an empty list, whose type has no values', () => {
  const [none, key] = [call('n', 'none', {}, 'n'), call('k', 'key', {}, 'k')];
  const pay = (source: string) => call('p', 'pay', { amount: expr(source) });
  // The empty list is a run of each.
  expect(verdictOf(none, need('r', 'size(n) == 0 || n[0] == "a"'), pay('size(n) + 1000'))).not.toBe('proved');
  const equal = need('r', 'size(n) == 0 || n[0] == k');
  expect(verdictOf(none, key, equal, pay('size(k) < 9 ? 1000 : 1'))).not.toBe('proved');
});

it('concludes nothing from a value that only the branch not taken has', () => {
  const [flag, one] = [call('f', 'flag', {}, 'f'), call('o', 'one', {}, 'o')];
  const branch = when('i', 'f', [], [one], { y: ['a', ref('o')] });
  expect(verdictOf(flag, branch, call('p', 'pay', { amount: expr('y == "a" ? 1000 : 1') }))).not.toBe(
    'proved',
  );
});

it.each([0x20, 0x2c, 0xa0, 0xad, 0x3001, 0x200b, 0x2028, 0x3000, 0xff0c, 0xff1b, 0xff20])(
  'takes a text that U+%i parts for no single reader',
  (code) => {
    const to = `team-ann${String.fromCodePoint(code)}eve`;
    const send = call('m', 'mail', { to, body: ref('s') });
    expect(verdictOf(call('s', 'plan', {}, 's'), send)).not.toBe('proved');
  },
);

it('takes letters of any script for those of one reader', () => {
  const send = call('m', 'mail', { to: 'team-zoë大', body: ref('s') });
  expect(verdictOf(call('s', 'plan', {}, 's'), send)).toBe('proved');
});
