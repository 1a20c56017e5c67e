import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { bindAgentSpec, parseAgentSpec } from '../../../../bindings/runtime/agentspec/index.js';
import {
  createSession,
  type ReplayAuditOptions,
  type RunRecord,
  replayAudit,
  type SessionOptions,
} from '../../../../bindings/runtime/enforcement/index.js';
import { createGuard, type GuardFile } from '../../../../bindings/runtime/guard/index.js';

/** A log that sessions wrote before there was one interface for all judges: its first line has what judged, and the others are records. */
const path = fileURLToPath(new URL('./earlierLog.jsonl', import.meta.url));
const [judged, ...records] = readFileSync(path, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line)) as [
  { first: GuardFile; second: GuardFile; rules: string },
  ...RunRecord[],
];
const { first, second } = judged;

/** Rules: no pay; think before look where `a`; nudge in place of push where `a`. */
const rules = () =>
  bindAgentSpec(parseAgentSpec(judged.rules).rules, { predicates: { often: 'a', hasA: 'a' } });

function replayed(options: ReplayAuditOptions, changed: readonly RunRecord[] = records) {
  async function* entries() {
    for (const [sequence, record] of changed.entries()) yield { sequence, record, previous: '', hash: '' };
  }
  return replayAudit(entries(), first, options);
}

/** What is decided on these calls where a run goes on in a world in which `a` holds, until `turn`. */
async function goesOn(id: string, options: Partial<SessionOptions>): Promise<string[]> {
  const world = { a: true };
  const session = createSession({
    tools: ['send', 'review', 'pay', 'look', 'push', 'nudge'],
    state: () => ({ ...world }),
    replacements: { nudge: { name: 'nudge', arguments: {} } },
    id,
    resume: records.filter(({ run }) => run === id),
    ...options,
  });
  const told: string[] = [];
  for (const [i, name] of ['look', 'send', 'turn', 'send', 'push', 'review', 'idle', 'pay'].entries()) {
    if (name === 'turn') world.a = false;
    else {
      const call = { id: `again-${i}`, name, arguments: {} };
      const verdict = await (name === 'idle' ? session.idle() : session.check(call));
      told.push(`${name}: ${verdict.decision}, ${verdict.reason}`);
      if (verdict.run !== null) await session.ran(verdict, { result: 1 });
    }
  }
  return told;
}

describe('a log of an earlier release', () => {
  it('comes to the same as its release did, with the rules and without', async () => {
    const counts = { runs: 4, otherRuns: 2, faults: 6, drift: 0, missing: 0, difference: null };
    expect(await replayed({ beside: [second], rules: [rules()] })).toEqual({
      ...counts,
      decisions: 56,
      reactive: 0,
    });
    expect(await replayed({ beside: [second] })).toEqual({ ...counts, decisions: 47, reactive: 9 });
    expect(await replayed({ rules: [rules()] })).toMatchObject({ runs: 1, decisions: 18, difference: null });
  });

  it('shows where it was altered: a value that rules had read', async () => {
    const altered = records.map((record) =>
      record.kind === 'decision' && record.reason === 'reactive-rule' && record.decision === 'reflect'
        ? { ...record, reactive: [{ often: false, hasA: false }] }
        : record,
    );
    const { difference } = await replayed({ beside: [second], rules: [rules()] }, altered);
    expect(difference).toMatchObject({ recorded: 'reflect', replayed: 'allow' });
  });

  it('is gone on with as its release did', async () => {
    const both = () => [createGuard(first), createGuard(second)];
    expect(await goesOn('cut', { judges: [...both(), rules()], maxReflections: 9 })).toEqual([
      'look: reflect, reactive-rule',
      'send: inspect, violated',
      'send: allow, kept',
      'push: allow, kept',
      'review: allow, kept',
      'idle: allow, kept',
      'pay: stop, reactive-rule',
    ]);
    expect((await goesOn('guards', { judges: both() })).slice(0, 3)).toEqual([
      'look: allow, kept',
      'send: inspect, violated',
      'send: allow, kept',
    ]);
    // It was asked to reflect twice before.
    expect((await goesOn('alone', { rules: [rules()] }))[0]).toBe('look: stop, reactive-rule');
    expect(() =>
      createSession({ tools: [], judges: both().reverse(), id: 'guards', resume: records }),
    ).toThrow(/run guards began with the guard file/);
  });
});
