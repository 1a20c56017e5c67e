import { expect, it } from 'vitest';
import type { DeclaredTool } from '../../../bindings/runtime/enforcement/index.js';
import { expectReplayed } from './replayed.js';
import { guardThat, RISKY, setting } from './setting.js';

const call = { id: '1', name: 'move', arguments: { to: 'b' } };

function asked(tool: DeclaredTool, onFault: 'stop' | 'block' = 'block') {
  const guard = guardThat({ strategy: { kind: 'inspect' } });
  return { guard, ...setting({ guard, state: () => RISKY, onFault, tools: { move: tool } }) };
}

it.each(['stop', 'block'] as const)(
  'a yes lets no call run of a tool that has become another since the question: %s',
  async (onFault) => {
    let changed: string | null = null;
    const { session, records, outcomes, guard } = asked({ refused: () => changed }, onFault);
    const { inspection } = await session.check(call);
    changed = 'its definition has changed';
    const answered = await session.answer(inspection!.id, { approved: true });
    expect(answered).toMatchObject({ decision: onFault, reason: 'tool-changed', run: null });
    expect(outcomes()).toEqual(['no-answer']);
    changed = null;
    if (onFault === 'block') {
      // It is as it was before: people may be asked again.
      const again = await session.check({ ...call, id: '2' });
      expect((await session.answer(again.inspection!.id, { approved: true })).run).not.toBeNull();
    } else expect(session.stopped).not.toBeNull();
    await expectReplayed(records, guard.file);
  },
);

it('a yes lets no call run whose arguments the tool does not take any more', async () => {
  let takes = true;
  const { session } = asked({ check: () => (takes ? null : 'expected another place') });
  const { inspection } = await session.check(call);
  takes = false;
  expect(await session.answer(inspection!.id, { approved: true })).toMatchObject({
    decision: 'block',
    reason: 'invalid-arguments',
    run: null,
  });
});
