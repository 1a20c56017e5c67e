import { Agent, tool as define, Runner } from '@openai/agents';
import { assistantMessage, functionCall, ScriptedModel } from '@openai/agents/testing';
import { guardAgent } from 'foreguard/openai-agents';
import { z } from 'zod';

const runner = new Runner({ tracingDisabled: true });

/** A run of one call: the model proposes it in its first turn, and is done in the second. */
export const overheads = {
  'OpenAI Agents SDK': ({ session, tool, input }) => {
    const search = define({
      name: 'search',
      description: 'search',
      parameters: z.object({ query: z.string() }),
      execute: tool,
    });
    const agent = new Agent({ name: 'assistant', tools: [search] });
    const loop = (agent) => async () => {
      const model = new ScriptedModel([
        [functionCall('search', input, { callId: 'c' })],
        [assistantMessage('done')],
      ]);
      const { newItems } = await runner.run(agent.clone({ model }), 'go');
      return newItems[1].output;
    };
    return { without: loop(agent), within: loop(guardAgent(agent, session)) };
  },
};
