import { describe, expect, it } from 'vitest';
import { readContracts } from '../../../bindings/proofs/contract/index.js';
import { convert, judge } from '../../../examples/workflows/guardians/compare.mjs';

const parameter = (name: string, type: string, sink = false) => ({ name, type, sink });
const tool = (parameters: unknown[], rest: object = {}) => ({
  parameters,
  returns: 'Any',
  requires: [],
  ensures: [],
  frame: [],
  labels: [],
  ...rest,
});
const call = (label: string, name: string, given: object, result?: string) => ({
  label,
  call: { tool: name, arguments: given, ...(result !== undefined && { result }) },
});

const conditions = {
  'domain_of(to) in good': {
    compare: [{ call: 'domainOf', arguments: [{ name: 'to' }] }, 'in', { name: 'good' }],
  },
  'domain_of(cc) not in good': {
    compare: [{ call: 'domainOf', arguments: [{ name: 'cc' }] }, 'not in', { name: 'good' }],
  },
  'len(mails) > 0': { compare: [{ call: 'size', arguments: [{ name: 'mails' }] }, '>', { literal: 0 }] },
  '0 < n < 10': { compare: [{ literal: 0 }, '<', { name: 'n' }, '<', { literal: 10 }] },
  'to.lower()': { method: 'lower', of: { name: 'to' }, arguments: [] },
  "pattern != '*'": { compare: [{ name: 'pattern' }, '!=', { literal: '*' }] },
};

const one = {
  id: 'one',
  kind: 'verify',
  tools: {
    fetch: tool([parameter('folder', 'str')], { labels: ['mail'] }),
    send: tool([parameter('to', 'str', true), parameter('cc', 'list'), parameter('body', 'str', true)], {
      requires: ['domain_of(to) in good'],
    }),
    count: tool([parameter('n', 'int')], { requires: ['0 < n < 10', 'to.lower()'] }),
    remove: tool([parameter('pattern', 'str')], { frame: ["pattern != '*'"] }),
    secret: tool([]),
  },
  policy: {
    allow: ['fetch', 'send', 'count', 'remove'],
    flows: [
      { name: 'leak', source: 'fetch', sink: { tool: 'send', parameter: '*' }, sanitizers: ['secret'] },
    ],
    automata: [
      {
        name: 'outside',
        states: ['ok', 'bad'],
        errors: ['bad'],
        initial: 'ok',
        constants: { good: ['company.example'] },
        transitions: [
          { from: 'ok', to: 'bad', tool: 'send', when: 'domain_of(cc) not in good' },
          { from: 'ok', to: 'bad', tool: 'secret' },
        ],
      },
    ],
  },
  workflow: {
    goal: 'g',
    inputs: ['who'],
    steps: [
      call('get it', 'fetch', { folder: { ref: 'who' } }, 'mails'),
      {
        label: 'if',
        if: {
          condition: 'len(mails) > 0',
          then: [call('get it', 'fetch', { folder: 'a' }, 'x')],
          else: [call('other', 'fetch', { folder: 'b' }, 'x')],
        },
      },
      {
        label: 'loop',
        forEach: {
          in: 'mails',
          item: 'm',
          do: [call('send', 'send', { to: 'a@company.example', cc: [], body: { ref: 'm' } })],
        },
      },
      call(
        'last',
        'send',
        { to: { ref: 'x' }, cc: [{ ref: 'who' }], body: { ref: 'who', also: 1 } },
        'mails',
      ),
    ],
  },
  expect: { ok: false, violations: [{ category: 'taint', atLeast: 1, step: 'send' }] },
};

describe('cases of other checkers', () => {
  const { contracts, unsaid, plan, labels, refused } = convert(one, conditions, { readContracts });

  it('become contracts', () => {
    expect(refused).toBe(null);
    expect([...contracts.tools.keys()]).toEqual(['fetch', 'send', 'count', 'remove']);
    const send = contracts.tools.get('send');
    expect(send.arguments.get('cc').type).toEqual({ kind: 'list', of: { kind: 'any' } });
    expect(contracts.flows.get('leak')).toMatchObject({
      from: ['fetch'],
      to: [{ tool: 'send', argument: null }],
      through: [],
    });
    expect(contracts.rules.get('outside').automaton.transitions).toHaveLength(1);
    expect(contracts.tools.get('remove').requires[0].name).toBe('frame 1');
    // What cannot be said is not lost.
    expect(unsaid).toEqual([{ tool: 'count', what: 'requires', condition: 'to.lower()' }]);
    expect(contracts.implicit).toBe('data');
  });

  it('become plans that give each name once', () => {
    const [get, branch, loop, last] = plan.steps;
    expect(get).toMatchObject({
      id: 'get_it',
      as: 'mails',
      with: { folder: { kind: 'reference', name: 'who' } },
    });
    expect(branch.condition).toEqual({ source: '(size(mails) > 0)' });
    expect(branch.then[0]).toMatchObject({ id: 'get_it_2', as: 'x' });
    expect(branch.yields).toEqual({
      x_3: [
        { kind: 'reference', name: 'x', path: [] },
        { kind: 'reference', name: 'x_2', path: [] },
      ],
    });
    expect(loop).toMatchObject({ kind: 'forEach', in: { name: 'mails' }, item: 'm' });
    expect(last).toMatchObject({
      as: 'mails_2',
      with: { to: { name: 'x_3' }, body: { kind: 'literal', value: { ref: 'who', also: 1 } } },
    });
    expect(last.with.cc).toEqual({ kind: 'list', of: [{ kind: 'reference', name: 'who', path: [] }] });
    expect(labels.get('get_it_2')).toBe('get it');
    expect(plan.inputs).toEqual({ who: { kind: 'text' } });
  });

  it('hide no name by that of an item', () => {
    const hiding = {
      ...one,
      workflow: { ...one.workflow, steps: [{ label: 'l', forEach: { in: 'who', item: 'who', do: [] } }] },
    };
    expect(convert(hiding, conditions, { readContracts }).plan.steps).toMatchObject([
      { kind: 'forEach', item: 'who' },
    ]);
  });

  it('are compared by category, step and verdict', async () => {
    const finding = (kind: string, step: string) => ({
      kind,
      step,
      rule: null,
      certainty: 'refuted',
      text: 'so',
    });
    const verdictOf = (...findings: unknown[]) => ({
      readContracts,
      verify: () => ({ verdict: 'refuted', findings }),
    });
    expect(await judge(one, conditions, verdictOf(finding('flow', 'send')))).toMatchObject({ agrees: true });
    expect(await judge(one, conditions, verdictOf(finding('order', 'send')))).toMatchObject({
      agrees: false,
    });
    expect(await judge(one, conditions, verdictOf(finding('flow', 'get_it')))).toMatchObject({
      agrees: false,
    });
    expect(await judge(one, conditions, verdictOf())).toMatchObject({
      agrees: false,
      differences: ['it should be refused', '0 of taint at send, expected at least 1'],
    });
  });
});
