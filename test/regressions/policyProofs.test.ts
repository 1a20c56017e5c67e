import { beforeAll, describe, expect, it } from 'vitest';
import { loadRegexEngine } from '../../bindings/languages/expression/index.js';
import { comparePolicies, verifyPolicies } from '../../bindings/proofs/policyProof/index.js';
import { parsePolicies } from '../../bindings/rules/specification/index.js';

beforeAll(loadRegexEngine);

type Written = Record<string, unknown>;
const text = (inputs: Written, policy: Written, more: Written = {}): string =>
  JSON.stringify({ version: 1, inputs, policies: { p: { tools: ['t'], ...policy } }, ...more });

/** The verdict of one property. */
async function verdictOf(inputs: Written, permit: string, ensures: string, more: Written = {}) {
  const policies = parsePolicies(text(inputs, { permit: { a: permit }, ensures: { e: ensures }, ...more }));
  const { obligations, verified } = await verifyPolicies(policies);
  return { verdict: obligations.find(({ kind }) => kind === 'ensures')?.verdict, verified };
}

const T = { t: { type: 'text' } };
const KS = { ks: { list: ['work', 'private'], max: 3 } };

describe('no property is proved that some input breaks', () => {
  it.each<[string, Written, string, string, Written?]>([
    ['a function of a text beside null', T, 'domainOf(t) != null || t == "b"', 'permitted -> t == "b"'],
    [
      'the same in a list',
      { to: { list: 'text' } },
      'to.exists(r, extension(r) != null) || "a" in to',
      'permitted -> "a" in to',
    ],
    [
      'a list read in its own body',
      KS,
      'size(ks) == 0 || ks.exists(k, size(ks) >= 2)',
      'permitted -> size(ks) == 0',
    ],
    [
      'a list beside null in its own body',
      { to: { list: 'text', optional: true } },
      'to.all(r, to != null && r != "x")',
      'permitted -> size(to) == 0',
    ],
    ['nested macros over one list', KS, 'ks.all(k, ks.exists(j, j == k))', 'permitted -> size(ks) == 0'],
    [
      'a call that is denied by what is required',
      { t: { enum: ['work', 'private'] }, u: { enum: ['good', 'bad'] } },
      'u == "good"',
      '(u == "good" && !permitted) || (u == "bad" && permitted) -> false',
      { requires: 't == "private"' },
    ],
  ])('%s', async (_, inputs, permit, ensures, more) => {
    const { verdict, verified } = await verdictOf(inputs, permit, ensures, more);
    expect(verdict).not.toBe('proved');
    expect(verified).toBe(false);
  });

  it.each([
    'permitted -> t == r"\\" || t == "->"',
    'permitted -> t == """a"b -> c"""',
    'permitted) || (t != "s" -> false',
  ])('arrows in what is no text to them are refused: %s', (ensures) => {
    expect(() => parsePolicies(text(T, { permit: { a: 'true' }, ensures: { e: ensures } }))).toThrow();
  });
});

describe('the verdicts of policies', () => {
  it('stay within time and memory for many folders and many sums', async () => {
    const folders = Array.from({ length: 24 }, (_, i) => `isUnder(t, "/srv/d${i}")`).join(' || ');
    expect((await verdictOf(T, folders, 'permitted -> isUnder(t, "/srv")')).verdict).toBe('proved');
    expect((await verdictOf(T, folders, 'permitted -> !isUnder(t, "/srv/d7/x")')).verdict).toBe('refuted');
    const sums = Array.from({ length: 13 }, (_, i) => `n % ${i + 2} == 0`).join(' && ');
    expect((await verdictOf({ n: { type: 'number' } }, sums, 'permitted -> n == 0')).verdict).toBe(
      'unproved',
    );
  });

  it('take a value that is no pattern for one without an answer', async () => {
    const inputs = { p: { enum: ['(', 'a'] }, ...T };
    expect((await verdictOf(inputs, 't.matches(p)', 'permitted -> p == "a"')).verdict).toBe('unproved');
  });

  it('tell policies apart that decide other tools, or let others through', async () => {
    const one = parsePolicies(text(T, { permit: { a: 'true' } }));
    const tools = parsePolicies(text(T, { tools: ['t', 'wipe'], permit: { a: 'true' } }));
    const open = parsePolicies(text(T, { permit: { a: 'true' } }, { uncoveredTools: 'permit' }));
    expect(await comparePolicies(one, tools)).toMatchObject([{ kind: 'different' }]);
    expect(await comparePolicies(one, open)).toMatchObject([{ kind: 'looser' }, { kind: 'equivalent' }]);
  });

  it.each(['constructor', 'toString', '__proto__'])('no input is called %s', (name) => {
    const written = `{"version":1,"inputs":{"${name}":{"type":"text"}},"policies":{"p":{"tools":["t"],"permit":{"a":"true"}}}}`;
    expect(() => parsePolicies(written)).toThrow('is no name of an input');
  });
});
