import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  compileCondition,
  loadRegexEngine,
  parseExpression,
} from '../../bindings/languages/expression/index.js';
import { verifyPolicies } from '../../bindings/proofs/policyProof/index.js';
import { parsePolicies } from '../../bindings/rules/specification/index.js';
import { PolicyDecider } from '../../bindings/runtime/policy/index.js';
import { runs } from './runs.js';

beforeAll(loadRegexEngine);

const CONDITIONS = [
  'to.all(r, domainOf(r) == "a.b")',
  'to.exists(r, r.endsWith("@a.b"))',
  'size(to) < 2',
  '"x@a.b" in to',
  'path.startsWith("/a")',
  'isUnder(path, "/a")',
  '!path.contains("..")',
  'amount <= 10',
  'amount > 2',
  'secret',
  'mode == "draft"',
  'note == null',
];
const condition = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...CONDITIONS) },
  fc
    .tuple(fc.constantFrom(...CONDITIONS), fc.constantFrom('&&', '||'), fc.constantFrom(...CONDITIONS))
    .map((parts) => parts.join(' ')),
  fc.constantFrom(...CONDITIONS).map((one) => `!(${one})`),
);
const named = (least: number) =>
  fc
    .array(condition, { minLength: least, maxLength: 3 })
    .map((list) => Object.fromEntries(list.map((one, i) => [`c${i}`, one])));
const policy = fc.record({
  permit: named(1),
  forbid: named(0),
  ensures: fc.array(fc.tuple(condition, condition), { minLength: 1, maxLength: 2 }),
});
const address = fc.constantFrom(
  'x@a.b',
  'y@a.b',
  'x@c.d',
  'X@A.B',
  'x@a.b,y@c.d',
  '',
  '@a.b',
  `${'x'.repeat(70)}@a.b`,
);
const call = fc.record({
  to: fc.array(address, { maxLength: 3 }),
  path: fc.constantFrom('/a', '/a/b', '/a/../b', '/ab', 'a', '', '/a/%2e%2e', '/b', '/a/..c'),
  amount: fc.constantFrom(-1, 0, 2, 2.5, 10, 10.1, 1e300),
  secret: fc.boolean(),
  mode: fc.constantFrom('draft', 'final'),
  note: fc.option(fc.constantFrom('', 'hello'), { nil: undefined }),
});

const specificationOf = ({
  permit,
  forbid,
  ensures,
}: {
  permit: object;
  forbid: object;
  ensures: [string, string][];
}) =>
  JSON.stringify({
    version: 1,
    inputs: {
      to: { list: 'text' },
      path: { type: 'text' },
      amount: { type: 'number' },
      secret: { type: 'boolean' },
      mode: { enum: ['draft', 'final'] },
      note: { type: 'text', optional: true },
    },
    policies: {
      p: {
        tools: ['t'],
        permit,
        forbid,
        ensures: Object.fromEntries(ensures.map(([a, b], i) => [`e${i}`, `permitted && (${a}) -> ${b}`])),
      },
    },
  });

/** The value of a condition: undefined if it has none. */
function valueIn(text: string, inputs: object): boolean | undefined {
  try {
    return compileCondition(parseExpression(text))(inputs as Record<string, unknown>, {});
  } catch {
    return undefined;
  }
}

describe('policies', () => {
  it('permit what their conditions say, and what is proved of them holds of every call', async () => {
    const seen = { proved: 0, refuted: 0, unproved: 0, permitted: 0 };
    await fc.assert(
      fc.asyncProperty(policy, fc.array(call, { minLength: 60, maxLength: 60 }), async (written, calls) => {
        const specification = parsePolicies(specificationOf(written));
        const decider = new PolicyDecider(specification.set);
        const report = await verifyPolicies(specification);
        const ensured = report.obligations.filter(({ kind }) => kind === 'ensures');
        for (const { verdict } of ensured) seen[verdict]++;
        for (const { note, ...rest } of calls) {
          const inputs = { ...rest, note: note ?? null };
          const args = note === undefined ? rest : { ...rest, note };
          const isPermitted = decider.denial({ name: 't', arguments: args }, {}) === null;
          // By the words of docs/policies.md.
          const permits = Object.values(written.permit).some((one) => valueIn(one, inputs) === true);
          const forbids = Object.values(written.forbid).some((one) => valueIn(one, inputs) !== false);
          expect(isPermitted).toBe(permits && !forbids);
          if (isPermitted) seen.permitted++;
          for (const [i, [given, then]] of written.ensures.entries()) {
            const isBroken =
              isPermitted && valueIn(given, inputs) !== false && valueIn(then, inputs) !== true;
            if (isBroken) expect(ensured[i].verdict).not.toBe('proved');
          }
        }
        for (const [i, { verdict, input }] of ensured.entries()) {
          if (verdict !== 'refuted') continue;
          // What is shown breaks the property, whatever the inputs are that the policy does not read.
          const [given, then] = written.ensures[i];
          const whole = { to: [], path: '', amount: 0, secret: false, mode: 'draft', note: null, ...input };
          expect(valueIn(given, whole) !== false && valueIn(then, whole) !== true).toBe(true);
        }
      }),
      { numRuns: runs(120) },
    );
    expect(seen.proved).toBeGreaterThan(8);
    expect(seen.refuted).toBeGreaterThan(20);
    expect(seen.unproved).toBeLessThan(runs(5));
    expect(seen.permitted).toBeGreaterThan(500);
  });
});
