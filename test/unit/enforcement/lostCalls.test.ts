import { describe, expect, it } from 'vitest';
import { compileRules, parseSpecification } from '../../../bindings/rules/specification/index.js';
import { createSession, type RunRecord } from '../../../bindings/runtime/enforcement/index.js';
import { createGuard } from '../../../bindings/runtime/guard/index.js';
import { expectReplayed } from './replayed.js';

const FILE = compileRules(
  parseSpecification(`version: 1
predicates: { writes: 'action.name == "write"', reads: 'action.name == "read"' }
rules: { twoWrites: { formula: 'G !(writes & (Y O (writes & (Y O writes))))' } }`),
);

/** A process: it goes on with the run of the records, which it adds to. */
function start(records: RunRecord[]) {
  const session = createSession({
    guard: createGuard(FILE),
    tools: ['write', 'read'],
    id: 'one',
    ...(records.length > 0 && { resume: structuredClone(records) }),
    log: { append: (record) => void records.push(structuredClone(record)) },
  });
  return { session, decide: (name: string) => session.decide({ id: name, name, arguments: {} }) };
}

describe('a call that was let through, and whose process was killed before it came back', () => {
  it('counts for a rule whose predicates read the action, without a history', async () => {
    const records: RunRecord[] = [];
    // Killed, each time, after the call may have run.
    for (const name of ['write', 'read', 'write'])
      expect((await start(records).decide(name)).decision).toBe('allow');
    const { decide, session } = start(records);
    expect((await decide('write')).rule).toBe('twoWrites');
    const read = await decide('read');
    expect(read.decision).toBe('allow');
    await session.ran(read, { result: 1 });
    await session.end();
    expect(await expectReplayed(records, FILE)).toBe(5);
  });
});
