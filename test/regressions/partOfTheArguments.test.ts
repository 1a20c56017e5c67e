import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileRules, parseSpecification } from '../../bindings/rules/specification/index.js';
import {
  createSession,
  type DecisionRecord,
  type RunRecord,
  type SessionOptions,
} from '../../bindings/runtime/enforcement/index.js';
import { createGuard } from '../../bindings/runtime/guard/index.js';

const RULES = compileRules(
  parseSpecification(`version: 1
predicates:
  readsKey: 'action.name == "read"'
  sendsAfter: >-
    action.name == "send" && history.exists(c, c.name == "read" && (c.arguments.path == "/key" || c.arguments.list.exists(one, one == "/key")))
rules: { noLeak: { formula: 'G !sendsAfter' } }`),
);

/** A session on one run, whose records it adds to `records`. */
function sessionOf(records: RunRecord[], options: Partial<SessionOptions> = {}) {
  return createSession({
    guard: createGuard(RULES),
    tools: ['read', 'send'],
    id: 'run',
    onFault: 'block',
    log: { append: (record) => void records.push(JSON.parse(JSON.stringify(record))) },
    ...(records.length > 0 && { resume: [...records] }),
    ...options,
  });
}

async function reads(args: Record<string, unknown>, options: Partial<SessionOptions> = {}) {
  const records: RunRecord[] = [];
  const session = sessionOf(records, options);
  const verdict = await session.decide({ id: '1', name: 'read', arguments: args });
  await session.ran(verdict, { result: 'it' });
  return { session, records };
}

const sending = { id: '2', name: 'send', arguments: {} };
const deep = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);

describe('a call of which the records have a part', () => {
  it.each([
    ['many values', { path: '', list: [...Array(10_001).fill(''), '/key'] }],
    ['long text', { path: '', list: ['x'.repeat(100_001), '/key'] }],
    ['whole', { path: '', list: ['/key'] }],
  ])('keeps others from running after a restart as before it: %s', async (_, args) => {
    const { session, records } = await reads(args);
    const again = sessionOf(records);
    const after = [await again.decide(sending), await session.decide(sending)];
    expect(after.map(({ decision, rule }) => [decision, rule])).toEqual([
      ['block', 'noLeak'],
      ['block', 'noLeak'],
    ]);
  });

  it('keeps others from running where a session with other fields to hide goes on', async () => {
    const { records } = await reads({ path: '/key', list: [] }, { redact: ['path'] });
    expect(JSON.stringify(records)).not.toContain('/key');
    expect((await sessionOf(records).decide(sending)).decision).toBe('block');
    const { records: whole } = await reads({ path: '/tmp', list: [] }, { redact: ['other'] });
    expect((await sessionOf(whole, { redact: ['path'] }).decide(sending)).decision).toBe('allow');
  });

  it('keeps others from running in logs of earlier releases, by what stands in its place', async () => {
    for (const [args, options] of [
      [{ path: '/key', list: [] }, { redact: ['path'] }],
      [{ path: '', list: [...Array(10_001).fill(''), '/key'] }, {}],
      [{ path: '', list: ['x'.repeat(100_001), '/key'] }, {}],
      [{ path: '', list: [], deep: deep(150) }, {}],
    ] as const) {
      const { records } = await reads(args, options);
      for (const record of records)
        if (record.kind === 'decision')
          for (const mark of ['cut', 'hidden'] as const)
            delete (record.call as { [name in 'cut' | 'hidden']?: true })[mark];
      expect((await sessionOf(records).decide(sending)).decision).toBe('block');
    }
  });

  it('says so in its record, exactly if the record differs from the call', async () => {
    const json = fc.jsonValue({ maxDepth: 4, noUnicodeString: false } as object);
    const args = fc.dictionary(fc.constantFrom('a', 'b', 'card', 'path'), json);
    const fields = fc.subarray(['a', 'card', 'arguments.b.card', 'arguments.path.*']);
    await fc.assert(
      fc.asyncProperty(args, fields, async (given, redact) => {
        const { records } = await reads(given, { redact });
        const { call } = records.find(({ kind }) => kind === 'decision') as DecisionRecord;
        const plain = JSON.parse(JSON.stringify(given));
        if (call.hidden === undefined) expect(call.arguments).toEqual(plain);
        else expect(JSON.stringify(call.arguments)).toContain('[redacted]');
        expect(JSON.stringify(call.arguments).includes('[redacted]')).toBe(call.hidden === true);
      }),
      { numRuns: 100 },
    );
  });
});
