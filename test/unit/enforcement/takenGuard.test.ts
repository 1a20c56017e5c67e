import { describe, expect, it } from 'vitest';
import '../../../bindings/solvers/kernel/inline.js';
import { InvalidArgumentError } from '../../../bindings/base/errors.js';
import { guardThat, RISKY, SAFE, setting } from './setting.js';

const call = { id: '1', name: 'move', arguments: {} };

describe('a guard that follows a run', () => {
  it('is refused to a second session at once, and the first goes on as if nothing had been', async () => {
    const guard = guardThat();
    const first = setting({ guard, id: 'ann', maxPending: 6 });
    await first.session.check(call);
    const before = { steps: guard.counters.steps, observed: guard.observed() };
    expect(() => setting({ guard, id: 'bob' })).toThrow(InvalidArgumentError);
    expect(() => setting({ guard, id: 'bob' })).toThrow(
      /follows run ann, which has not ended.*guard\.fork\(\)/,
    );
    expect({ steps: guard.counters.steps, observed: guard.observed() }).toEqual(before);
    expect((await first.session.check({ ...call, id: '2' })).run).not.toBeNull();
    expect(first.session.stopped).toBeNull();
  });

  it('is free once its session has ended, and what that is told afterwards does not reach it', async () => {
    const guard = guardThat();
    const { session } = setting({ guard, maxPending: 6 });
    const [verdict, other] = [await session.check(call), await session.check({ ...call, id: '2' })];
    const ending = session.end();
    expect(() => setting({ guard })).toThrow('has not ended');
    await ending;
    const next = setting({ guard, id: 'another' });
    await next.session.check(call);
    const before = { steps: guard.counters.steps, observed: guard.observed() };
    await session.ran(verdict, { result: 'moved' });
    await session.withdraw(other);
    await session.end();
    expect({ steps: guard.counters.steps, observed: guard.observed() }).toEqual(before);
    expect(() => setting({ guard })).toThrow('follows run another');
  });

  it('is not taken by a session that could not be made', () => {
    const guard = guardThat();
    expect(() => setting({ guard, guardHash: '0' })).toThrow('another file');
    expect(() => setting({ guard, resume: [{ kind: 'end', run: 'x', time: 0, decisions: 0 }] })).toThrow(
      'the beginning of run',
    );
    expect(() => setting({ guard })).not.toThrow();
  });

  it('has forks for other runs at the same time', async () => {
    const guard = guardThat();
    const risky = setting({ guard: guard.fork(), id: 'bob', state: () => RISKY });
    const safe = setting({ guard, id: 'ann', state: () => SAFE });
    expect((await risky.propose('move')).ran).toBe(false);
    expect((await safe.propose('move')).ran).toBe(true);
    expect(risky.session.guardHash).toBe(safe.session.guardHash);
  });
});
