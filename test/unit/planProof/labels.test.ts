import { describe, expect, it } from 'vitest';
import { readContracts } from '../../../bindings/proofs/contract/index.js';
import { verifyPlan } from '../../../bindings/proofs/planProof/index.js';
import type { Plan } from '../../../bindings/proofs/workflow/index.js';
import { ask, assign, call, each, expr, give, listOf, need, plan, record, ref, text, when } from './plans.js';

const mail = `
version: 1
types:
  Mail: { fields: { from: email, to: { type: list, of: email }, subject: text, body: text } }
readers: { company: '*@company.example', me: [me@company.example] }
stores: { notes: { key: text }, web: { public: true } }
tools:
  fetch: { result: { type: list, of: Mail, integrity: untrusted, readers: '[r.from] + r.to + me' } }
  ticks: { result: { type: list, of: integer, integrity: trusted, readers: everyone } }
  next: { result: { fields: { from: email, body: text }, integrity: trusted, readers: result.from } }
  search: { arguments: { query: text }, result: { type: text, integrity: untrusted, readers: everyone } }
  clock: { arguments: {}, result: { type: text, integrity: trusted, readers: everyone } }
  summarise: { arguments: { of: any }, pure: true, result: text }
  redact: { arguments: { of: any }, pure: true, result: text, endorses: [noLeak] }
  note: { arguments: { text: { type: text } }, writes: [notes] }
  recall: { result: { type: text, integrity: trusted, readers: everyone }, reads: [notes] }
  publish: { arguments: { text: { type: text } }, writes: [web] }
  reply: { arguments: { to: { type: email, readers: to }, body: { type: text, readers: to, sink: true } }, observable: to, consequential: false }
  send: { arguments: { to: { type: email, integrity: trusted }, body: { type: text, sink: true } }, consequential: true }
  pay: { arguments: { to: { type: text, integrity: trusted }, amount: { type: number } }, consequential: true }
flows:
  noLeak: { from: fetch, to: send.body, unless: 'domainOf(to) == "company.example"' }
`;

const contracts = readContracts(mail);

const found = (given: Plan) => {
  const verdict = verifyPlan(given, contracts);
  return verdict.verdict === 'proved'
    ? []
    : verdict.findings.map(({ kind, step, rule }) => [kind, step, rule].join(' '));
};

describe('data flow', () => {
  const fetch = call('f', 'fetch', {}, 'mails');

  it('proves the summary to oneself, and refuses it to others', () => {
    const summary = (to: string) =>
      plan(
        fetch,
        call('s', 'summarise', { of: ref('mails') }, 'summary'),
        call('send', 'send', { to, body: ref('summary') }),
      );
    expect(found(summary('boss@company.example'))).toEqual([]);
    expect(found(summary('it@other.example'))).toEqual(['flow send noLeak']);
  });

  it.each([
    ['a list', listOf(ref('mails'), 'x')],
    ['a record', record({ a: record({ b: ref('mails') }) })],
  ])('follows data through %s', (_, value) => {
    expect(
      found(
        plan(
          fetch,
          call('s', 'summarise', { of: value }, 'x'),
          call('send', 'send', { to: 'a@b.example', body: ref('x') }),
        ),
      ),
    ).toEqual(['flow send noLeak']);
  });

  it('tells the parts of a record apart', () => {
    const steps = (field: string) =>
      plan(
        fetch,
        assign('l', 'pair', record({ a: ref('mails', 0, 'body'), b: 'hello' })),
        call('send', 'send', { to: 'a@b.example', body: ref('pair', field) }),
      );
    expect(found(steps('b'))).toEqual([]);
    expect(found(steps('a'))).toEqual(['flow send noLeak']);
  });

  it('follows data through texts, expressions, questions, collected lists and folds', () => {
    const send = (body: Parameters<typeof text>[0]) => call('send', 'send', { to: 'a@b.example', body });
    expect(found(plan(fetch, send(text('see: ', ref('mails', 0, 'subject')))))).toEqual(['flow send noLeak']);
    expect(found(plan(fetch, send(expr('mails[0].body + "!"'))))).toEqual(['flow send noLeak']);
    expect(
      found(plan(fetch, ask('q', [ref('mails')], { kind: 'text' }, 'answer'), send(ref('answer')))),
    ).toEqual(['flow send noLeak']);
    const body = each('e', ref('mails'), 'm', [], { collect: { bodies: ref('m', 'body') } });
    expect(
      found(plan(fetch, body, call('s', 'summarise', { of: ref('bodies') }, 'x'), send(ref('x')))),
    ).toEqual(['flow send noLeak']);
    const fold = {
      id: 'fold',
      kind: 'fold',
      in: ref('mails'),
      item: 'm',
      from: { kind: 'literal', value: '' },
      accumulator: 'all',
      do: [],
      next: text(ref('all'), ref('m', 'body')),
      as: 'joined',
    } as const;
    expect(found(plan(fetch, fold, send(ref('joined'))))).toEqual(['flow send noLeak']);
  });

  it('lets pass what a tool endorses, also after further tools, and not what joins it afterwards', () => {
    const through = (of: ReturnType<typeof ref>) =>
      plan(
        fetch,
        call('r', 'redact', { of: ref('mails') }, 'clean'),
        call('s', 'summarise', { of }, 'x'),
        call('send', 'send', { to: 'a@b.example', body: ref('x') }),
      );
    expect(found(through(ref('clean')))).toEqual([]);
    expect(found(through(listOf(ref('clean'), ref('mails')) as never))).toEqual(['flow send noLeak']);
  });

  it('follows data that a branch chooses, or that tell which branch was taken', () => {
    const send = call('send', 'send', { to: 'a@b.example', body: 'hello' });
    expect(found(plan(fetch, when('i', 'size(mails) > 0', [send])))).toContain('flow send noLeak');
    expect(
      found(
        plan(
          fetch,
          when('i', 'mails[0].body == "yes"', [], [], { x: ['a', 'b'] }),
          call('send', 'send', { to: 'a@b.example', body: ref('x') }),
        ),
      ),
    ).toEqual(['flow send noLeak']);
    expect(found(plan(fetch, each('e', ref('mails'), 'm', [send])))).toContain('flow send noLeak');
    expect(found(plan(fetch, when('i', 'size(mails) > 3', [give('g', null)]), send))).toContain(
      'flow send noLeak',
    );
    expect(found(plan(fetch, when('i', 'size(mails) > 3', [assign('l', 'x', 1)]), send))).toEqual([]);
  });

  it('follows data through stores, in loops too', () => {
    const leak = plan(
      fetch,
      call('n', 'note', { text: expr('mails[0].body') }),
      call('r', 'recall', {}, 'text'),
      call('send', 'send', { to: 'a@b.example', body: ref('text') }),
    );
    expect(found(leak)).toEqual(['flow send noLeak']);
    const loop = plan(
      fetch,
      each('e', expr('[1, 2, 3].filter(x, x > size("aaaa"))'), 'i', [
        call('r', 'recall', {}, 'text'),
        call('send', 'send', { to: 'a@b.example', body: ref('text') }),
        call('n', 'note', { text: expr('mails[0].body') }),
      ]),
    );
    expect(found(loop)).toEqual([]);
    const round = each('e', ref('clocks'), 'i', [
      call('r', 'recall', {}, 'text'),
      call('send', 'send', { to: 'a@b.example', body: ref('text') }),
      call('n', 'note', { text: expr('mails[0].body') }),
    ]);
    const later = plan(
      fetch,
      call('c', 'clock', {}, 'now'),
      assign('l', 'clocks', listOf(ref('now'), ref('now'))),
      round,
    );
    expect(found(later)).toEqual(['flow send noLeak']);
  });

  it('refuses private data in public stores', () => {
    expect(found(plan(fetch, call('p', 'publish', { text: expr('mails[0].body') })))).toEqual([
      'readers p *',
    ]);
    expect(
      found(plan(call('s', 'search', { query: 'x' }, 'hit'), call('p', 'publish', { text: ref('hit') }))),
    ).toEqual([]);
  });
});

describe('readers', () => {
  const fetch = call('f', 'fetch', {}, 'mails');

  it('proves a reply to the sender, and refuses one to somebody else', () => {
    const reply = (to: ReturnType<typeof ref> | string) =>
      plan(fetch, each('e', ref('mails'), 'm', [call('r', 'reply', { to, body: ref('m', 'body') })]));
    expect(found(reply(ref('m', 'from')))).toEqual([]);
    expect(found(reply('me@company.example'))).toEqual([]);
    // The sender's being in the inbox decided the call, which is said once.
    expect(found(reply('eve@evil.example'))).toEqual(['readers r body', 'readers r ']);
  });
});

describe('readers by values', () => {
  const reply = (body: Parameters<typeof text>[0]) => call('r', 'reply', { to: ref('m', 'from'), body });

  it('are those of one round', () => {
    const rounds = (list: Parameters<typeof each>[1], ...steps: Parameters<typeof each>[3]) =>
      plan(call('s', 'ticks', {}, 'hit'), each('e', list, 'i', [call('n', 'next', {}, 'm'), ...steps]));
    for (const list of [[1, 2], ref('hit')]) {
      expect(found(rounds(list, reply(ref('m', 'body'))))).toEqual([]);
      const stored = call('k', 'note', { text: ref('m', 'body') });
      expect(found(rounds(list, stored, call('l', 'recall', {}, 'old'), reply(ref('old'))))).toEqual([
        'readers r body',
      ]);
      expect(found(rounds(list, call('l', 'recall', {}, 'old'), reply(ref('old')), stored))).toEqual([
        'readers r body',
      ]);
    }
  });
});

describe('integrity', () => {
  it('refuses data that are not trusted where they decide', () => {
    const search = call('s', 'search', { query: 'bank' }, 'iban');
    expect(found(plan(search, call('p', 'pay', { to: ref('iban'), amount: 1 })))).toEqual(['integrity p to']);
    expect(
      found(
        plan(search, need('n', 'iban in ["DE1", "DE2"]'), call('p', 'pay', { to: ref('iban'), amount: 1 })),
      ),
    ).toEqual([]);
    expect(
      found(plan(search, when('i', 'iban == "x"', [call('p', 'pay', { to: 'DE1', amount: 1 })]))),
    ).toEqual(['integrity p to', 'integrity p ']);
    expect(
      found(plan(call('c', 'clock', {}, 'now'), call('p', 'pay', { to: ref('now'), amount: 1 }))),
    ).toEqual([]);
  });

  it('trusts a plan no more than what its author has seen', () => {
    const pay = plan(call('p', 'pay', { to: 'DE1', amount: 1 }));
    expect(verifyPlan(pay, contracts, { label: { integrity: 'untrusted' } }).verdict).not.toBe('proved');
    expect(verifyPlan(pay, contracts).verdict).toBe('proved');
  });
});
