import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadRegexEngine } from '../../../bindings/languages/expression/index.js';
import { parsePolicies } from '../../../bindings/rules/specification/index.js';
import { createSession } from '../../../bindings/runtime/enforcement/index.js';
import { policyJudge } from '../../../bindings/runtime/guard/index.js';
import { loadNearestCalls } from '../../../bindings/runtime/policy/index.js';
import { keptElements } from '../../../bindings/runtime/policy/nearerValues.js';

beforeAll(loadRegexEngine);

const many = (count: number): string[] => Array.from({ length: count }, (_, i) => `n${i}`);

type Args = Readonly<Record<string, unknown>>;

async function nearest(policies: string, args: Args, state: Args = {}, name = 'send') {
  const NearestCalls = await loadNearestCalls();
  return (
    new NearestCalls(parsePolicies(policies).set).of({ name, arguments: args }, state)?.arguments ?? null
  );
}

const policy = (inputs: string, permit: string, more = '') =>
  `version: 1\ninputs: { ${inputs} }\npolicies: { mail: { tools: [send], permit: { one: '${permit}' }${more} } }\n`;

describe('the nearest permitted call', () => {
  const MAIL = policy(
    'to: { list: text }, subject: { type: text, optional: true }, amount: { integer: [0, 1000] }',
    'to.all(r, domainOf(r) == "home.example") && amount <= 100',
    `, forbid: { nobody: 'size(to) == 0' }`,
  );
  it.each([
    [MAIL, { to: ['a@home.example', 'eve@evil'], amount: 5 }, { to: ['a@home.example'], amount: 5 }],
    [
      MAIL,
      { to: ['a@home.example'], subject: 'x', amount: 900 },
      { to: ['a@home.example'], subject: 'x', amount: 100 },
    ],
    [MAIL, { to: ['a@home.example'], amount: 900, bcc: 'eve' }, { to: ['a@home.example'], amount: 100 }],
    [MAIL, { to: ['a@home.example'], amount: 9, bcc: 'eve' }, { to: ['a@home.example'], amount: 9 }],
    [MAIL, { to: ['a@home.example'], amount: 'many' }, { to: ['a@home.example'], amount: 0 }],
    [policy('to: { type: text }', 'glob(to, "notes/*.md")'), { to: '/etc/passwd' }, { to: 'notes/.md' }],
    [policy('to: { type: text }', 'false && to == ""'), { to: 'x' }, null],
    [policy('a: { type: text }, b: { type: text }', 'a == b'), { a: 'x', b: 'y' }, { a: 'y', b: 'y' }],
  ])('changes as little as it can (%#)', async (text, args, expected) => {
    expect(await nearest(text, args)).toEqual(expected);
  });

  it.each([
    [
      'a: { type: text }, b: { type: text }',
      'a.endsWith(b) && a.startsWith("x")',
      { a: 'y', b: 'z'.repeat(9000) },
    ],
    [
      'to: { list: text }',
      'to.all(r, to.filter(q, q == r).size() == 1) && size(to) < 900',
      { to: many(1000) },
    ],
  ])(
    'is not looked for where arguments are long, while the agent and all others would wait (%#)',
    async (inputs, permit, args) => {
      let reads = 0;
      const counted = new Proxy(args as Args, {
        get(values, name) {
          reads++;
          return Reflect.get(values, name);
        },
      });
      expect(await nearest(policy(inputs, permit), counted)).toBeNull();
      expect(reads).toBeLessThan(10);
    },
  );

  it('keeps what it may of a list in few steps', async () => {
    let tried = 0;
    const few = (list: readonly unknown[]): boolean => {
      tried++;
      return list.length <= 100 && !list.includes('n7');
    };
    expect(keptElements(many(200), few)).toEqual(many(101).filter((one) => one !== 'n7'));
    expect(tried).toBeLessThan(250);
    tried = 0;
    expect(keptElements(many(1000), (list) => tried++ < 99 && !list.includes('n7'))).toHaveLength(999);
    expect(tried).toBeLessThan(30);
    expect(keptElements(many(9), () => false)).toBeNull();
  });

  it('is none for a tool that no policy decides, nor where the state alone is against it', async () => {
    expect(await nearest(MAIL, {}, {}, 'delete')).toBeNull();
    const tainted = policy(
      'to: { type: text }, tainted: { from: state.tainted, type: boolean }',
      '!tainted && to != ""',
    );
    expect(await nearest(tainted, { to: 'x' }, { tainted: true })).toBeNull();
    expect(await nearest(tainted, { to: '' }, { tainted: false })).toEqual({
      to: expect.stringMatching(/./),
    });
  });

  it('does not depend on what is hidden in the state, but for whether it is permitted', async () => {
    const account = policy(
      'amount: { integer: [0, 100000] }, balance: { from: state.balance, integer: [0, 100000] }',
      'amount <= balance',
    );
    const found = new Set<string>();
    for (const balance of [0, 1, 7, 500, 99_999])
      found.add(JSON.stringify(await nearest(account, { amount: 100_000 }, { balance })));
    expect([...found].filter((one) => one !== 'null').length).toBeLessThanOrEqual(1);
  });

  it('is told to the agent that is to plan again, or where the policy says so, and nowhere else', async () => {
    for (const [onDeny, decision, told] of [
      ['{ strategy: reflect }', 'reflect', true],
      ['{ strategy: reflect, suggest: false }', 'reflect', false],
      ['{ strategy: block, suggest: true }', 'block', true],
      ['{ strategy: block }', 'block', false],
    ] as const) {
      const { set, hash } = parsePolicies(
        policy('amount: { integer: [0, 1000] }', 'amount <= 100', `, onDeny: ${onDeny}`),
      );
      const session = createSession({ judges: [await policyJudge(set, hash)], tools: ['send'] });
      const verdict = await session.check({ id: '1', name: 'send', arguments: { amount: 700 } });
      expect(verdict.decision).toBe(decision);
      expect(verdict.message?.includes('The nearest permitted call: send {"amount":100}.')).toBe(told);
      expect(verdict.suggestion?.arguments).toEqual(told ? { amount: 100 } : undefined);
    }
  });
});

/** A condition, as text and as what it means. */
interface Condition {
  readonly text: string;
  readonly of: (args: Args) => boolean;
}

const atom: fc.Arbitrary<Condition> = fc.oneof(
  fc
    .constantFrom('x', 'y', 'z')
    .map((value) => ({ text: `kind == "${value}"`, of: ({ kind }: Args) => kind === value })),
  fc.constant({ text: 'urgent', of: ({ urgent }: Args) => urgent === true }),
  fc
    .integer({ min: 0, max: 3 })
    .map((most) => ({ text: `count <= ${most}`, of: ({ count }: Args) => (count as number) <= most })),
);
const condition: fc.Arbitrary<Condition> = fc.letrec<{ all: Condition }>((tie) => ({
  all: fc.oneof(
    { depthSize: 'small' },
    atom,
    tie('all').map(({ text, of }) => ({ text: `!(${text})`, of: (args: Args) => !of(args) })),
    fc
      .tuple(tie('all'), tie('all'))
      .map(([a, b]) => ({ text: `(${a.text} && ${b.text})`, of: (args: Args) => a.of(args) && b.of(args) })),
    fc
      .tuple(tie('all'), tie('all'))
      .map(([a, b]) => ({ text: `(${a.text} || ${b.text})`, of: (args: Args) => a.of(args) || b.of(args) })),
  ),
})).all;

const calls = ['x', 'y', 'z'].flatMap((kind) =>
  [false, true].flatMap((urgent) => [0, 1, 2, 3].map((count): Args => ({ kind, urgent, count }))),
);
const changes = (one: Args, other: Args) => Object.keys(one).filter((key) => one[key] !== other[key]).length;

it('is permitted, and no other that is permitted changes fewer inputs', async () => {
  const NearestCalls = await loadNearestCalls();
  fc.assert(
    fc.property(condition, condition, fc.constantFrom(...calls), (permit, forbid, call) => {
      const { set } = parsePolicies(
        policy(
          'kind: { enum: [x, y, z] }, urgent: { type: boolean }, count: { integer: [0, 3] }',
          permit.text,
          `, forbid: { two: '${forbid.text}' }`,
        ),
      );
      const permitted = calls.filter((one) => permit.of(one) && !forbid.of(one));
      const found = new NearestCalls(set).of({ name: 'send', arguments: call }, {});
      if (permitted.length === 0) {
        expect(found).toBeNull();
        return;
      }
      expect(permitted).toContainEqual(found?.arguments);
      expect(changes(call, found?.arguments ?? {})).toBe(
        Math.min(...permitted.map((one) => changes(call, one))),
      );
    }),
    { numRuns: Number(process.env.NEAREST_RUNS ?? 200) },
  );
});

describe('the elements of a denied list that stay', () => {
  it('are those that are permitted one by one, found in few decisions where few are denied', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 40 }), (list) => {
        const found = keptElements(list, (some) => some.every((one) => one !== 7)) ?? [];
        expect(found).toEqual(list.filter((one) => one !== 7));
      }),
    );
    let decided = 0;
    const list = Array.from({ length: 1000 }, (_, i) => i);
    const found = keptElements(list, (some) => {
      decided += some.length;
      return some.every((one) => one !== 500 && one !== 501);
    });
    expect(found).toHaveLength(998);
    expect(decided).toBeLessThan(50_000);
  });
});
