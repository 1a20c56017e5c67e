import { beforeAll, describe, expect, it } from 'vitest';
import { loadRegexEngine } from '../../../bindings/languages/expression/index.js';
import {
  type Obligation,
  requireVerified,
  verifyPolicies,
} from '../../../bindings/proofs/policyProof/index.js';
import { parsePolicies } from '../../../bindings/rules/specification/index.js';

beforeAll(loadRegexEngine);

const INPUTS = `version: 1
inputs:
  cents: { integer: [0, 100000] }
  refunds: { from: state.calls.refund, integer: [0, 100] }
  tainted: { from: state.tainted, type: boolean }
`;

async function session(policies: string, formula: string, inputs = INPUTS): Promise<Obligation> {
  const text = `${inputs}policies:\n${policies}\nsession: { it: '${formula}' }\n`;
  const { obligations } = await verifyPolicies(parsePolicies(text));
  return obligations.find(({ kind }) => kind === 'session')!;
}

const THREE = `  refunds: { tools: [refund], permit: { few: 'refunds < 3' } }`;

describe('what policies ensure of a session', () => {
  it('is proved, or refuted by calls that were run', async () => {
    expect(await session(THREE, 'G count(action.name == "refund") <= 3')).toMatchObject({
      policy: 'session',
      verdict: 'proved',
      says: 'for every session',
      line: 8,
    });
    const { verdict, calls, says } = await session(THREE, 'G count(action.name == "refund") <= 2');
    expect(verdict).toBe('refuted');
    expect(calls).toHaveLength(3);
    expect(says).toContain('refund {}, then refund {}, then refund {}');
  });

  it('takes what it does not follow for anything, and says so', async () => {
    const free = await session(THREE, 'G !(action.name == "refund" & secret == 1)');
    expect(free).toMatchObject({ verdict: 'unproved' });
    expect(free.says).toContain('"secretIs1"');
    expect(free.says).toContain('declare an input');
  });

  it('shows the state in which a call is permitted', async () => {
    const policy = `  refunds: { tools: [refund], permit: { some: 'cents <= 5000 || !tainted' } }`;
    const found = await session(policy, 'G !(action.name == "refund" & action.arguments.cents > 5000)');
    expect(found.calls).toEqual([{ name: 'refund', arguments: { cents: 5001 }, state: { tainted: false } }]);
  });

  it('holds of tools that no policy decides only if they are denied', async () => {
    const never = 'G !(action.name == "delete")';
    expect(await session(THREE, never)).toMatchObject({ verdict: 'proved' });
    const open = `${THREE}\nuncoveredTools: permit`;
    expect(await session(open, never)).toMatchObject({ verdict: 'refuted', calls: [{ name: 'delete' }] });
    expect(await session(open, 'G count(action.name == "refund") <= 3')).toMatchObject({ verdict: 'proved' });
    // What begins like it may be called as well.
    expect((await session(open, 'G count(action.name.startsWith("re")) <= 3')).verdict).not.toBe('proved');
  });

  it('does not trust what a history would have shown otherwise', async () => {
    const inputs = INPUTS.replace(
      'tainted: {',
      'failed: { from: state.lastToolFailed, type: boolean }\n  tainted: {',
    );
    const policy = `  refunds: { tools: [refund], permit: { after: 'failed' } }`;
    // Whether a call failed is not followed: some calls might be permitted, none was when they were run.
    expect(await session(policy, 'G !(action.name == "refund")', inputs)).toMatchObject({
      verdict: 'unproved',
    });
  });

  it('counts beyond what any condition tells apart', async () => {
    const some = `  refunds: { tools: [refund], permit: { always: 'cents < 10' } }`;
    expect(await session(some, 'G (calls.refund > 4 -> action.arguments.cents < 10)')).toMatchObject({
      verdict: 'proved',
    });
    const late = await session(some, 'G (calls.refund > 4 -> action.arguments.cents < 9)');
    expect(late.calls).toHaveLength(6);
  });

  it('keeps policies from guarding that do not ensure it', async () => {
    const text = `${INPUTS}policies:\n${THREE}\nsession: { two: 'G count(action.name == "refund") <= 2' }\n`;
    await expect(requireVerified(parsePolicies(text))).rejects.toThrow('session "two"');
    const vacuous = await session(THREE, 'G (action.name == "refund" | true)');
    expect(vacuous.verdict).toBe('proved');
  });

  it('is refused where it cannot be read', () => {
    const read = (formula: string) => () =>
      parsePolicies(`${INPUTS}policies:\n${THREE}\nsession: { it: '${formula}' }\n`, { source: 'p.yaml' });
    expect(read('G refund')).toThrow(/p\.yaml:8.*"refund", which is not a predicate/);
    expect(read('G (')).toThrow('p.yaml:8');
    expect(read('P<0.1 [ F calls.refund > 2 ]')).toThrow('what always holds');
    expect(read('F[0s,3s] calls.refund > 2')).toThrow('p.yaml:8');
    expect(() => parsePolicies('version: 1\nsession: { a: "true" }')).toThrow('session is about policies');
  });
});
