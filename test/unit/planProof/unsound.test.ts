import { describe, expect, it } from 'vitest';
import { readContracts } from '../../../bindings/proofs/contract/index.js';
import { verifyPlan } from '../../../bindings/proofs/planProof/index.js';
import type { Plan, Step } from '../../../bindings/proofs/workflow/index.js';
import { assign, call, each, expr, listOf, need, plan, record, ref, text, when } from './plans.js';

/*
 * Ways in which checkers of plans have been known to accept what they must refuse, each with a safe plan beside it that must be proved.
 */

const contracts = readContracts(`
version: 1
types: { Mail: { fields: { from: email, subject: text, body: text } } }
readers: { company: '*@company.example' }
stores: { notes: {}, files: { key: text } }
tools:
  mails: { result: { type: list, of: Mail, integrity: untrusted, readers: company } }
  secret: { result: { type: text, integrity: trusted, readers: company } }
  web: { arguments: { url: text }, result: { type: text, integrity: untrusted, readers: everyone } }
  flag: { result: { type: boolean, integrity: trusted, readers: everyone } }
  rate: { result: { type: number, minimum: 0, maximum: 200, integrity: trusted, readers: everyone } }
  names: { result: { type: list, of: text, integrity: trusted, readers: everyone } }
  summarise: { arguments: { of: any }, pure: true, result: text }
  redact: { arguments: { of: any }, pure: true, result: text }
  note: { arguments: { text: text }, writes: [notes] }
  recall: { result: { type: text, integrity: trusted, readers: everyone }, reads: [notes] }
  send: { arguments: { to: { type: text }, body: { type: text, sink: true } }, requires: 'domainOf(to) in ["company.example", "partner.example"]' }
  mail: { arguments: { to: email, body: { type: text, sink: true } } }
  post: { arguments: { to: { type: list, of: email }, body: { type: text, sink: true } } }
  pay: { arguments: { amount: number }, requires: 'amount <= 100' }
  open: { arguments: { door: integer }, requires: 'door >= 1 && door <= 9' }
  check: { arguments: { amount: number }, result: { type: boolean, integrity: trusted, readers: everyone }, ensures: 'result == (amount <= 100)' }
  approve: {}
  login: {}
  logout: {}
  remove: { arguments: { pattern: { format: glob } }, effects: { removes: { files: 'glob(key, pattern)' } } }
flows:
  leak: { from: [mails, secret], to: [send.body, mail.body, post.body], unless: 'false', through: redact }
  partner: { from: secret, to: mail.body, unless: 'domainOf(to) == "partner.example"', through: redact }
  domains: { from: web, to: post.body, unless: 'to.all(r, domainOf(r) == "company.example")' }
events:
  away: { tool: [mail], when: 'domainOf(to) != "company.example"' }
rules:
  session: { formula: 'G (approve -> Y login)' }
  closed: { formula: 'G (login -> F logout)' }
  away:
    automaton:
      states: [quiet, warned, bad]
      errors: [bad]
      transitions:
        - { from: quiet, to: bad, event: away }
        - { from: quiet, to: warned, tool: approve }
        - { from: warned, to: quiet, tool: logout }
`);

const found = (...steps: Step[]) => {
  const verdict = verifyPlan(plan(...steps), contracts);
  return verdict.verdict === 'proved' ? [] : [...new Set(verdict.findings.map(({ kind }) => kind))];
};

const secret = call('s', 'secret', {}, 'secret');
const mails = call('m', 'mails', {}, 'mails');
const flag = call('f', 'flag', {}, 'ok');
const names = call('n', 'names', {}, 'names');
const rate = call('r', 'rate', {}, 'rate');
const mail = (body: Parameters<typeof text>[0], to = 'a@company.example') =>
  call('send', 'mail', { to, body });
const login = call('in', 'login');
const logout = call('out', 'logout');
const approve = call('a', 'approve');

const CASES: readonly [string, string, Step[], Step[]][] = [
  [
    'an argument inside a list',
    'flow',
    [secret, call('x', 'summarise', { of: listOf('a', ref('secret')) }, 't'), mail(ref('t'))],
    [secret, call('x', 'summarise', { of: listOf('a', 'b') }, 't'), mail(ref('t'))],
  ],
  [
    'an argument inside a record',
    'flow',
    [secret, call('x', 'summarise', { of: record({ a: ref('secret') }) }, 't'), mail(ref('t'))],
    [secret, assign('l', 'p', record({ a: ref('secret'), b: 'hi' })), mail(ref('p', 'b'))],
  ],
  [
    'a sanitizer in a loop that may not run',
    'flow',
    [
      secret,
      names,
      each('e', ref('names'), 'i', [call('x', 'redact', { of: ref('secret') }, 'clean')], {
        collect: { all: ref('clean') },
      }),
      call('y', 'summarise', { of: listOf(ref('all'), ref('secret')) }, 't'),
      mail(ref('t')),
    ],
    [
      secret,
      call('x', 'redact', { of: ref('secret') }, 'clean'),
      call('y', 'summarise', { of: ref('clean') }, 't'),
      mail(ref('t')),
    ],
  ],
  [
    'a sanitizer in one branch',
    'flow',
    [
      secret,
      flag,
      when('i', 'ok', [call('x', 'redact', { of: ref('secret') }, 'clean')], [], {
        t: [ref('clean'), ref('secret')],
      }),
      mail(ref('t')),
    ],
    [
      secret,
      flag,
      when('i', 'ok', [call('x', 'redact', { of: ref('secret') }, 'clean')], [], {
        t: [ref('clean'), 'nothing'],
      }),
      mail(ref('t')),
    ],
  ],
  [
    'a sanitizer that was given something else',
    'flow',
    [secret, call('x', 'redact', { of: 'hello' }, 'clean'), mail(text(ref('clean'), ref('secret')))],
    [secret, call('x', 'redact', { of: ref('secret') }, 'clean'), mail(text('see ', ref('clean')))],
  ],
  [
    'a condition on the secret',
    'flow',
    [secret, when('i', 'secret == "x"', [mail('yes')])],
    [secret, flag, when('i', 'ok', [mail('yes')])],
  ],
  [
    'the else branch of a condition on the secret',
    'flow',
    [secret, when('i', 'secret == "x"', [], [mail('no')])],
    [secret, flag, when('i', 'ok', [], [mail('no')])],
  ],
  [
    'a value that a condition on the secret chooses',
    'flow',
    [secret, when('i', 'secret == "x"', [], [], { t: ['a', 'b'] }), mail(ref('t'))],
    [flag, when('i', 'ok', [], [], { t: ['a', 'b'] }), mail(ref('t'))],
  ],
  [
    'a loop over secrets',
    'flow',
    [mails, each('e', ref('mails'), 'm', [mail('one more')])],
    [names, each('e', ref('names'), 'm', [mail('one more')])],
  ],
  [
    'the number of secrets',
    'flow',
    [mails, assign('l', 'n', expr('size(mails)')), mail(text('you have ', ref('n')))],
    [names, assign('l', 'n', expr('size(names)')), mail(text('you have ', ref('n')))],
  ],
  [
    'a requirement on the secret',
    'flow',
    [secret, need('n', 'secret == "x"'), mail('yes')],
    [flag, need('n', 'ok'), mail('yes')],
  ],
  [
    'a store',
    'flow',
    [secret, call('x', 'note', { text: ref('secret') }), call('y', 'recall', {}, 't'), mail(ref('t'))],
    [secret, call('x', 'note', { text: 'hello' }), call('y', 'recall', {}, 't'), mail(ref('t'))],
  ],
  [
    'a store that a later round reads',
    'flow',
    [
      secret,
      names,
      each('e', ref('names'), 'i', [
        call('y', 'recall', {}, 't'),
        mail(ref('t')),
        call('x', 'note', { text: ref('secret') }),
      ]),
    ],
    [
      secret,
      names,
      each('e', ref('names'), 'i', [call('y', 'recall', {}, 't'), mail(ref('t'))]),
      call('x', 'note', { text: ref('secret') }),
    ],
  ],
  [
    'a store that tells that it was written',
    'flow',
    [
      secret,
      when('i', 'secret == "x"', [call('x', 'note', { text: 'yes' })]),
      call('y', 'recall', {}, 't'),
      mail(ref('t')),
    ],
    [
      flag,
      when('i', 'ok', [call('x', 'note', { text: 'yes' })]),
      call('y', 'recall', {}, 't'),
      mail(ref('t')),
    ],
  ],
  [
    'one of several recipients',
    'flow',
    [
      call('w', 'web', { url: 'x' }, 'page'),
      call('p', 'post', { to: ['a@company.example', 'e@evil.example'], body: ref('page') }),
    ],
    [
      call('w', 'web', { url: 'x' }, 'page'),
      call('p', 'post', { to: ['a@company.example', 'b@company.example'], body: ref('page') }),
    ],
  ],
  [
    'several addresses in one text',
    'requires',
    [call('x', 'send', { to: 'eve@evil.example,me@company.example', body: 'hi' })],
    [call('x', 'send', { to: 'me@company.example', body: 'hi' })],
  ],
  [
    'a header in an address',
    'requires',
    [call('x', 'send', { to: 'me@company.example\nBcc: eve@evil.example', body: 'hi' })],
    [call('x', 'send', { to: 'me@partner.example', body: 'hi' })],
  ],
  [
    'a display name',
    'requires',
    [call('x', 'send', { to: '"a@evil.example" <b@company.example>', body: 'hi' })],
    [call('x', 'send', { to: 'b@company.example', body: 'hi' })],
  ],
  [
    'a number that is no whole one',
    'requires',
    [call('p', 'pay', { amount: 100.9 })],
    [call('p', 'pay', { amount: 99.9 })],
  ],
  [
    'a number from a tool',
    'requires',
    [rate, call('p', 'pay', { amount: ref('rate') })],
    [rate, need('n', 'rate <= 100'), call('p', 'pay', { amount: ref('rate') })],
  ],
  [
    'a number that a branch bounds on the other side',
    'requires',
    [rate, when('i', 'rate > 100', [call('p', 'pay', { amount: ref('rate') })])],
    [rate, when('i', 'rate > 100', [], [call('p', 'pay', { amount: ref('rate') })])],
  ],
  [
    'what a tool ensures of other arguments',
    'requires',
    [
      rate,
      call('c', 'check', { amount: 50 }, 'fine'),
      when('i', 'fine', [call('p', 'pay', { amount: ref('rate') })]),
    ],
    [
      rate,
      call('c', 'check', { amount: ref('rate') }, 'fine'),
      when('i', 'fine', [call('p', 'pay', { amount: ref('rate') })]),
    ],
  ],
  [
    'a whole number beyond a bound',
    'requires',
    [call('o', 'open', { door: 10 })],
    [call('o', 'open', { door: 9 })],
  ],
  ['an unknown tool', 'contract', [call('x', 'evil')], [approve].slice(1)],
  ['an argument that is not declared', 'shape', [secret, call('x', 'approve', { note: ref('secret') })], []],
  ['an argument that is missing', 'shape', [call('p', 'pay')], [call('p', 'pay', { amount: 1 })]],
  [
    'a loop over a number',
    'type',
    [rate, each('e', ref('rate'), 'i', [])],
    [names, each('e', ref('names'), 'i', [])],
  ],
  [
    'a name of a branch after it',
    'shape',
    [flag, when('i', 'ok', [assign('l', 'x', 1)]), assign('k', 'y', ref('x'))],
    [flag, assign('l', 'x', 1), when('i', 'ok', [assign('k', 'y', ref('x'))])],
  ],
  [
    'a loop that is taken to run once',
    'order',
    [names, login, each('e', ref('names'), 'i', [logout])],
    [login, each('e', listOf('a'), 'i', [logout])],
  ],
  [
    'a loop that breaks a rule in its second round',
    'order',
    [names, login, each('e', ref('names'), 'i', [approve]), logout],
    [names, each('e', ref('names'), 'i', [login, approve, logout])],
  ],
  [
    'the end of a run that a requirement stops',
    'order',
    [flag, login, need('n', 'ok'), logout],
    [flag, need('n', 'ok'), login, logout],
  ],
  [
    'an event that may happen, before one that does',
    'order',
    [
      call('w', 'web', { url: 'x' }, 'u'),
      need('k', 'domainOf(u) != ""'),
      call('x', 'mail', { to: ref('u'), body: 'hi' }),
    ],
    [
      call('w', 'web', { url: 'x' }, 'u'),
      need('k', 'domainOf(u) == "company.example"'),
      call('x', 'mail', { to: ref('u'), body: 'hi' }),
    ],
  ],
  [
    'a removal of everything by another name',
    'effects',
    [call('x', 'remove', { pattern: '?*' })],
    [call('x', 'remove', { pattern: '*.tmp' })],
  ],
  [
    'a removal of everything by two stars',
    'effects',
    [call('x', 'remove', { pattern: '**' })],
    [call('x', 'remove', { pattern: 'tmp/**' })],
  ],
  [
    'equal names of different rounds',
    'requires',
    [
      call('q', 'rate', {}, 'first'),
      each(
        'e',
        listOf(1, 2),
        'i',
        [call('r', 'rate', {}, 'one'), when('k', 'i == 1', [need('n', 'one <= 100')])],
        { collect: { all: ref('one') } },
      ),
      call('p', 'pay', { amount: expr('all[1]') }),
    ],
    [
      each('e', listOf(1, 2), 'i', [call('r', 'rate', {}, 'one')], { collect: { all: ref('one') } }),
      need('n', 'all[1] <= 100'),
      call('p', 'pay', { amount: expr('all[1]') }),
    ],
  ],
];

describe('what must be refused', () => {
  it.each(CASES)('%s', (_, kind, bad, good) => {
    expect(found(...bad)).toContain(kind);
    expect(found(...good)).toEqual([]);
  });

  it('is refuted by a run that was executed, wherever one is found', () => {
    const certainties = CASES.map(([name, , bad]) => {
      const verdict = verifyPlan(plan(...bad), contracts);
      return [name, verdict.verdict] as const;
    });
    expect(certainties.filter(([, verdict]) => verdict !== 'refuted')).toEqual([]);
  });

  it('is said with the step, the rule, and the way of the data', () => {
    const verdict = verifyPlan(
      plan(secret, call('x', 'summarise', { of: ref('secret') }, 't'), mail(ref('t'))),
      contracts,
    );
    expect(verdict).toMatchObject({
      verdict: 'refuted',
      findings: [
        {
          kind: 'flow',
          step: 'send',
          rule: 'leak',
          run: {
            inputs: {},
            results: [
              { step: 's', result: 'text' },
              { step: 'x', result: 'text' },
              { step: 'send', result: 'text' },
            ],
          },
          text: 'Step send: `mail` would get in `body` what `secret` gave: `s` → `secret` → `t` → send.body; the exception `false` may fail to hold.',
        },
        { rule: 'partner' },
      ],
    });
    const unproved = verifyPlan(plan(rate, call('p', 'pay', { amount: expr('rate * 2.0') })), contracts);
    expect(unproved).toMatchObject({
      findings: [
        {
          kind: 'requires',
          step: 'p',
          text: expect.stringContaining('`require rate * 2 <= 100` before step p would do'),
        },
      ],
    });
  });
});

describe('known inputs', () => {
  it('are used, and what is not known is taken to be anything', () => {
    const given: Plan = {
      ...plan(call('p', 'pay', { amount: ref('amount') })),
      inputs: { amount: { kind: 'number' } },
    };
    expect(verifyPlan(given, contracts, { inputs: { amount: 5 } }).verdict).toBe('proved');
    expect(() => verifyPlan(given, contracts, { inputs: { amout: 5 } })).toThrow(
      'the plan has no input "amout"; did you mean "amount"?',
    );
    expect(() => verifyPlan(given, contracts, { inputs: { amount: 'five' } })).toThrow(
      'an input of the plan does not have its type: amount should be',
    );
    expect(verifyPlan(given, contracts).verdict).toBe('refuted');
    expect(verifyPlan(given, contracts, { inputs: { amount: 101 } })).toMatchObject({
      verdict: 'refuted',
      findings: [{ run: { inputs: { amount: 101 } } }],
    });
  });
});
