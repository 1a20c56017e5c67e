import { describe, expect, it } from 'vitest';
import '../../../bindings/kernel/inline.js';
import { guardThat, SAFE, setting } from './setting.js';

const call = { id: '1', name: 'move', arguments: {} };

describe('a session whose guard another has taken', () => {
  it('does not step it, whatever it is told afterwards', async () => {
    const guard = guardThat();
    const { session } = setting({ guard });
    const [first, second] = [await session.check(call), await session.check({ ...call, id: '2' })];
    const taker = setting({ guard, id: 'another' });
    await taker.session.check(call);
    const before = { steps: guard.counters.steps, observed: guard.observed() };
    await session.ran(first, { result: 'moved' });
    await session.withdraw(second);
    await session.end();
    expect({ steps: guard.counters.steps, observed: guard.observed() }).toEqual(before);
  });

  it('lets nothing run, also where it was taken while the world was observed', async () => {
    const guard = guardThat();
    let observed = (_: typeof SAFE): void => undefined;
    const looked = new Promise<typeof SAFE>((resolve) => {
      observed = resolve;
    });
    const { session } = setting({ guard, state: () => looked });
    const checked = session.check(call);
    await new Promise(setImmediate);
    setting({ guard, id: 'another' });
    observed(SAFE);
    expect(await checked).toMatchObject({ reason: 'run-over', run: null });
    expect(guard.counters.steps).toBe(0);
  });
});
