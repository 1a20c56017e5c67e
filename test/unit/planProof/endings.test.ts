import { describe, expect, it } from 'vitest';
import { readContracts } from '../../../bindings/proofs/contract/index.js';
import { type PlanLabel, verifyPlan } from '../../../bindings/proofs/planProof/index.js';
import type { Step } from '../../../bindings/proofs/workflow/index.js';
import { assign, call, each, expr, listOf, need, plan, ref, text, when } from './plans.js';

const contracts = readContracts(`
version: 1
types:
  Mail: { fields: { from: email, note: text? } }
readers: { me: [me@home.example] }
tools:
  mails: { result: { type: list of Mail, integrity: trusted, readers: me } }
  some: { result: { type: list, of: Mail, minItems: 2, maxItems: 9, integrity: trusted, readers: me } }
  names: { result: { type: list of text, integrity: trusted, readers: everyone } }
  raw: { result: { type: any, integrity: trusted, readers: me } }
  count: { result: { type: integer, integrity: trusted, readers: me } }
  limited: { arguments: { amount: { type: integer, maximum: 10, readers: nobody } } , consequential: false, observable: nobody }
  checked: { arguments: { amount: { type: integer, readers: nobody } }, requires: { small: { condition: 'amount < 10', atRunTime: true } }, consequential: false, observable: nobody }
  post: { observable: everyone, consequential: false }
`);

const mails = call('m', 'mails', {}, 'mails');
const post = call('post', 'post');

/** The verdict, and the calls that it names as telling of ends. */
const told = (steps: readonly Step[], label?: PlanLabel): string => {
  const verdict = verifyPlan(plan(...steps), contracts, label && { label });
  const ends = verdict.assumes.filter(({ kind }) => kind === 'ends').map(({ text: why }) => why);
  const found =
    verdict.verdict === 'proved' ? [] : verdict.findings.map(({ kind, step }) => `${kind} ${step}`);
  return [verdict.verdict, ...found, ...ends.map((why) => /`\w+`/.exec(why)?.[0])].join(' ');
};

describe('an end for want of a value or of rounds', () => {
  it('tells those who see a later call, and is then assumed to tell nobody', () => {
    expect(told([mails, assign('l', 'first', ref('mails', 0)), post])).toBe('proved `post`');
    expect(told([mails, post, assign('l', 'first', ref('mails', 0))])).toBe('proved');
    expect(told([call('n', 'names', {}, 'names'), assign('l', 'first', ref('names', 0)), post])).toBe(
      'proved',
    );
  });

  it('tells nothing where the value is always there', () => {
    const some = call('m', 'some', {}, 'mails');
    expect(told([some, assign('l', 'second', ref('mails', 1, 'from')), post])).toBe('proved');
    expect(told([some, assign('l', 'third', ref('mails', 2)), post])).toBe('proved `post`');
    expect(told([some, assign('l', 'note', ref('mails', 0, 'note')), post])).toBe('proved `post`');
    expect(
      told([some, assign('l', 'many', expr('size(mails) > 3 && mails[0].from != mails[1].from')), post]),
    ).toBe('proved');
    const within = when('i', 'size(mails) > 0', [assign('l', 'first', ref('mails', 0))], []);
    expect(told([mails, within, post])).toBe('proved');
  });

  it('is one of expressions that have no value of some data', () => {
    const raw = call('r', 'raw', {}, 'raw');
    expect(told([raw, assign('l', 'x', expr('raw.a == 1')), post])).toBe('proved `post`');
    expect(told([raw, assign('l', 'x', text('is ', ref('raw'))), post])).toBe('proved `post`');
    expect(told([raw, assign('l', 'x', expr('raw')), post])).toBe('proved');
    const count = call('c', 'count', {}, 'count');
    expect(told([count, assign('l', 'x', expr('100 / count')), post])).toBe('proved `post`');
    expect(told([count, assign('l', 'x', expr('count < 7')), post])).toBe('proved');
  });

  it('is one of a loop that may be too long, unless no list of its type is', () => {
    const loop = (atMost: number) => each('e', ref('mails'), 'mail', [], { atMost });
    expect(told([mails, loop(5), post])).toBe('proved `post`');
    expect(told([call('m', 'some', {}, 'mails'), loop(5), post])).toBe('proved `post`');
    expect(told([call('m', 'some', {}, 'mails'), loop(9), post])).toBe('proved');
  });

  it('tells which branch was taken, if a list that is too long stands in it', () => {
    const names = call('n', 'names', {}, 'names');
    const count = call('c', 'count', {}, 'count');
    const ends = each('e', listOf('a', 'b'), 'one', [], { atMost: 1 });
    expect(told([count, when('i', 'count > 3', [ends]), post])).toBe('proved `post`');
    expect(told([count, when('i', 'count > 3', [ends]), post], { integrity: 'untrusted' })).toBe(
      'unproved readers post',
    );
    expect(told([names, when('i', 'size(names) > 3', [ends]), post])).toBe('proved');
  });

  it('in a round tells by the calls of later rounds, which come before it in the plan', () => {
    const names = call('n', 'names', {}, 'names');
    const body = [call('post', 'post'), assign('l', 'first', ref('mails', 0))];
    expect(told([mails, names, each('e', ref('names'), 'name', body)])).toBe('proved `post`');
  });

  it('is one of arguments and requirements that are checked when the call is made', () => {
    const count = call('c', 'count', {}, 'count');
    expect(told([count, call('k', 'limited', { amount: ref('count') }), post])).toBe('proved `post`');
    expect(told([count, call('k', 'checked', { amount: ref('count') }), post])).toBe('proved `post`');
    expect(told([count, call('k', 'checked', { amount: 1 }), post])).toBe('proved');
  });

  it('counts as a requirement where the author is not trusted, who could tell data that way', () => {
    const untrusted: PlanLabel = { integrity: 'untrusted' };
    const first = assign('l', 'first', ref('mails', 0));
    expect(told([mails, first, post], untrusted)).toBe('unproved readers post');
    expect(told([mails, post, first], untrusted)).toBe('proved');
    expect(told([mails, need('n', 'size(mails) > 0'), post], untrusted)).toBe('refuted readers post');
    expect(told([mails, each('e', ref('mails'), 'mail', [], { atMost: 5 }), post], untrusted)).toBe(
      'unproved readers post',
    );
  });
});
