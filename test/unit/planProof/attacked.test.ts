import { describe, expect, it } from 'vitest';
import { readContracts } from '../../../bindings/proofs/contract/index.js';
import { type PlanLabel, verifyPlan } from '../../../bindings/proofs/planProof/index.js';
import type { Plan, Step } from '../../../bindings/proofs/workflow/index.js';
import { assign, call, each, expr, listOf, need, plan, ref, when } from './plans.js';

/*
 * Plans by which a reader tried to have proved what does not hold, each with a safe plan beside it that must be proved.
 */

const contracts = readContracts(`
version: 1
types: { Parts: { fields: { a: { fields: { b: integer } }, 'a/b': integer } } }
readers: { company: '*@company.example' }
stores: { notes: {}, log: {}, web: { public: true } }
tools:
  secret: { result: { type: text, integrity: trusted, readers: company } }
  web: { result: { type: text, integrity: untrusted, readers: everyone } }
  flag: { result: { type: boolean, integrity: trusted, readers: everyone } }
  parts: { result: { type: Parts, integrity: trusted, readers: everyone } }
  texts: { result: { type: list of text, integrity: trusted, readers: everyone } }
  text: { result: { type: text, integrity: trusted, readers: everyone } }
  note: { arguments: { text: text }, writes: [notes], consequential: false }
  jot: { arguments: { text: text }, writes: [log], consequential: false }
  publish: { reads: [notes], writes: [web], consequential: false }
  pay: { arguments: { amount: number }, requires: 'amount <= 100' }
  act: { arguments: { x: text } }
  sure: { arguments: { x: boolean }, requires: 'x' }
  say: { arguments: { x: any } }
  mail: { arguments: { to: { type: text, integrity: trusted } } }
  tell: { arguments: { x: { type: any, integrity: trusted } } }
  warn: {}
events: { isA: { tool: act, when: 'x == "a"' } }
rules: { noA: { formula: 'G (isA -> O warn)' } }
`);

const prove = (steps: readonly Step[], label: PlanLabel = { integrity: 'trusted' }) =>
  verifyPlan(plan(...steps), contracts, { label });
const kinds = (steps: readonly Step[], label?: PlanLabel) => {
  const verdict = prove(steps, label);
  return verdict.verdict === 'proved' ? [] : [...new Set(verdict.findings.map(({ kind }) => kind))];
};

const flag = call('f', 'flag', {}, 'ok');
const texts = call('t', 'texts', {}, 'ts');
const text = call('t', 'text', {}, 't');
const parts = call('p', 'parts', {}, 'p');
const secret = call('s', 'secret', {}, 's');
const inRounds = (first: string, over: Step[]) => [flag, each('e', [first, 'c'], 'i', over)];
const either = when('w', 'ok', [], [], { y: [ref('i'), 'z'] });
const has = (key: string) => [
  text,
  assign('m', 'm', expr(`{${key}: 1}`)),
  call('n', 'sure', { x: expr('!has(m.a)') }),
];
const all = (inner: string) => [
  texts,
  call('n', 'sure', { x: expr(`ts.all(x, [x].all(y, ["a"].exists_one(${inner})))`) }),
];

const CASES: readonly [string, string, Step[], Step[]][] = [
  [
    'what a value was in an earlier round',
    'order',
    inRounds('a', [either, call('x', 'act', { x: ref('y') })]),
    inRounds('b', [either, call('x', 'act', { x: ref('y') })]),
  ],
  [
    'a list of what a value was in an earlier round',
    'order',
    inRounds('a', [either, each('e2', listOf(ref('y')), 'j', [call('x', 'act', { x: ref('j') })])]),
    inRounds('b', [either, each('e2', listOf(ref('y')), 'j', [call('x', 'act', { x: ref('j') })])]),
  ],
  [
    'a variable that a macro within has, too',
    'requires',
    all('x, x == y'),
    [call('n', 'sure', { x: expr('["a"].all(x, [x].all(y, ["a"].exists_one(x, x == y)))') })],
  ],
  ['a field whose name is computed', 'requires', has('t'), has('"b"')],
  [
    'a store that is read by what publishes',
    'readers',
    [secret, call('n', 'note', { text: ref('s') }), call('p', 'publish')],
    [secret, call('n', 'jot', { text: ref('s') }), call('p', 'publish')],
  ],
  [
    'a field that is called like a path',
    'requires',
    [parts, need('q', 'p.a.b <= 100'), call('x', 'pay', { amount: ref('p', 'a/b') })],
    [parts, need('q', 'p["a/b"] <= 100'), call('x', 'pay', { amount: expr('p["a/b"]') })],
  ],
];

describe('plans that try to have proved what does not hold', () => {
  it.each(CASES)('%s', (_, kind, bad, good) => {
    expect(kinds(bad)).toContain(kind);
    expect(kinds(good)).toEqual([]);
  });
});

describe('an author who is not trusted', () => {
  const label = (words: string): PlanLabel => ({ integrity: 'untrusted', words });
  const tells = (x: Parameters<typeof listOf>[0], words: string) =>
    kinds([call('c', 'tell', { x })], label(words)).length === 0;

  it('endorses nothing by literals of its own', () => {
    const steps = [
      call('w', 'web', {}, 'w'),
      need('r', 'w in ["eve@x.example"]'),
      call('c', 'mail', { to: ref('w') }),
    ];
    expect(kinds(steps, label('write to ann@x.example'))).toEqual(['integrity']);
    expect(kinds(steps, label('write to eve@x.example'))).toEqual([]);
    expect(kinds(steps)).toEqual([]);
  });

  it.each([
    ['bob@bank.example', 'write to bob@bank.example.com'],
    ['eve@x.example', 'write to dr.eve@x.example'],
    ['x.example', 'write to eve@x.example'],
    ['bob@ban\u212a.example', 'write to bob@bank.example'],
    ['/home', 'remove /home/ann/old'],
    [50, 'pay 0.50'],
    [500, 'pay 1,500 now'],
    [5, 'add -5 to it'],
    [-5, 'from 10-5'],
    ['\n\na', 'a b'],
    ['jose', 'write to jose\u0301'],
    [{ 'Bcc: eve@x.example': '' }, 'hello'],
  ])('does not take %j from other words of the user: %s', (value, words) => {
    expect(tells(value, words)).toBe(false);
  });

  it.each([
    ['bob@bank.example', 'Write to Bob@bank.example.'],
    ['bob@bank.example', '(bob@bank.example)'],
    ['x.example', 'see https://x.example/page'],
    [50, 'pay 50.'],
    [0.5, 'pay 0.5, or 1'],
    [-5, 'add -5'],
    [15, 'from 10-15'],
    ['Ann Lee', "ann lee's room"],
    [['a', 'b'], 'b, a'],
    [{ to: 'ann' }, 'to Ann'],
  ])('takes %j from the words of the user: %s', (value, words) => {
    expect(tells(value, words)).toBe(true);
  });
});

describe('what was proved is what runs', () => {
  it('though the plan answers differently each time it is read', () => {
    for (let harmless = 0; harmless < 8; harmless++) {
      let reads = 0;
      const steps = [
        {
          id: 's',
          kind: 'call',
          tool: 'pay',
          get with() {
            return { amount: { kind: 'literal', value: reads++ < harmless ? 5 : 1000 } };
          },
        },
      ];
      const verdict = verifyPlan({ version: 1, goal: 'x', inputs: {}, steps } as unknown as Plan, contracts);
      if (verdict.verdict === 'proved')
        expect(verdict.verified.plan.steps[0]).toMatchObject({ with: { amount: { value: 5 } } });
    }
  });

  it('with the contracts that it was proved from', () => {
    const verdict = prove([call('x', 'pay', { amount: 5 })]);
    if (verdict.verdict !== 'proved') throw new Error('not proved');
    const tool = verdict.verified.contracts.tools.get('pay') as unknown as {
      requires: unknown[];
      arguments: Map<string, unknown>;
    };
    expect(() => tool.requires.pop()).toThrow(TypeError);
    expect(() => tool.arguments.delete('amount')).toThrow('cannot be changed');
  });
});

it('values that double step by step are looked at in bounded time', () => {
  const doubled = (value: (before: string) => Parameters<typeof assign>[2]) =>
    Array.from({ length: 60 }, (_, i) => assign(`l${i}`, `v${i + 1}`, value(`v${i}`)));
  const first = call('t', 'text', {}, 'v0');
  const last = call('x', 'say', { x: ref('v60') });
  expect(kinds([first, ...doubled((name) => expr(`${name} + ${name}`)), last])).toEqual([]);
  expect(kinds([first, ...doubled((name) => listOf(ref(name), ref(name))), last])).toEqual([]);
});
