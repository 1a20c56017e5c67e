import { expect, it } from 'vitest';
import type { InvokeDetails } from '../../../../bindings/runtime/adapters/openaiAgents/sdk.js';
import { guardAgent } from '../../../../bindings/runtime/adapters/openaiAgents.js';
import { settled } from '../../../settled.js';
import { setting } from '../../enforcement/setting.js';

it('a tool that the SDK goes on without is pending until it has settled', async () => {
  const { session, outcomes } = setting();
  let settle: (text: string) => void = () => undefined;
  const tool = {
    type: 'function' as const,
    name: 'move',
    needsApproval: async () => false,
    invoke: () => new Promise<string>((resolve) => (settle = resolve)),
  };
  const agent = guardAgent(
    {
      name: 'agent',
      tools: [tool],
      handoffs: [],
      mcpServers: [],
      clone: (config: object) => ({ ...config }),
    } as never,
    session,
  ) as unknown as { tools: { invoke: (run: object, input: string, details: InvokeDetails) => unknown }[] };
  const timeOut = new AbortController();
  const details = { toolCall: { callId: '1', arguments: '{}' }, signal: timeOut.signal };
  const running = agent.tools[0].invoke({}, '{}', details);
  await settled();
  timeOut.abort(new Error('tool timed out'));
  await settled();
  expect(outcomes()).toEqual([]);
  settle('at last');
  await running;
  expect(outcomes()).toEqual(['ran']);
});
