import { expect, it } from 'vitest';
import { GuardedRun } from '../../../../bindings/runtime/adapters/langchain/guardedRun.js';
import { guardThat, RISKY, setting } from '../../enforcement/setting.js';

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

it('of calls that run side by side in one node, the first that asks is the one that is asked about', async () => {
  const { session, records } = setting({
    guard: guardThat({ strategy: { kind: 'inspect' } }),
    state: () => RISKY,
  });
  const run = new GuardedRun(session);
  const shown: unknown[] = [];
  const pause = Object.assign(new Error('paused'), { is_bubble_up: true });
  const runtime = {
    configurable: { checkpoint_ns: 'tools:1' },
    interrupt: (value: unknown) => {
      shown.push(value);
      throw pause;
    },
  };
  const calls = ['a', 'b'].map((id) => ({ id, name: 'move', arguments: {} }));
  const carried = calls.map((call) => run.carryOut(call, runtime, async () => 'moved'));
  expect(await Promise.allSettled(carried)).toEqual(calls.map(() => ({ status: 'rejected', reason: pause })));
  expect(shown).toMatchObject([{ inspection: { call: { id: 'a' } } }]);
  expect(records.filter(({ kind }) => kind === 'question')).toMatchObject([{ number: 0, place: 0 }]);
});

it('an answer approves nothing without its id where LangGraph has no name for the node', async () => {
  for (const withId of [true, false]) {
    const { session, ran } = setting({
      guard: guardThat({ strategy: { kind: 'inspect' } }),
      state: () => RISKY,
    });
    const run = new GuardedRun(session);
    const call = { id: 'a', name: 'move', arguments: {} };
    const interrupt = (value: unknown) => ({
      approved: true,
      ...(withId && { id: (value as { inspection: { id: string } }).inspection.id }),
    });
    await run.decideAll([call], { interrupt });
    await run.carryOut(call, { interrupt }, async () => ran.push('move'));
    expect(ran).toEqual(withId ? ['move'] : []);
  }
});
