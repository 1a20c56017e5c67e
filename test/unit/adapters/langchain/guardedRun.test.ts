import { expect, it } from 'vitest';
import { GuardedRun } from '../../../../bindings/adapters/langchain/guardedRun.js';
import { setting } from '../../enforcement/setting.js';

it('a tool that LangChain no longer waits for, since the run was aborted, is pending', async () => {
  for (const [aborted, expected] of [
    [true, []],
    [false, ['failed']],
  ] as const) {
    const { session, outcomes } = setting();
    const runtime = { signal: aborted ? AbortSignal.abort() : new AbortController().signal };
    const fails = () => Promise.reject(new Error('Aborted'));
    const carried = new GuardedRun(session).carryOut(
      { id: '1', name: 'move', arguments: {} },
      runtime,
      fails,
    );
    await expect(carried).rejects.toThrow('Aborted');
    expect(outcomes()).toEqual(expected);
  }
});
