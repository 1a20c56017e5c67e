import { Agent } from '@openai/agents';
import { guardAgent } from 'foreguard/openai-agents';
import { expect, it } from 'vitest';
import { turnSession } from '../shared/turns.js';

it('refuses a session that may withhold turns, when configured', async () => {
  const session = await turnSession();
  expect(() => guardAgent(new Agent({ name: 'assistant', tools: [] }), session)).toThrow(
    'the OpenAI Agents SDK shows calls one by one',
  );
});
