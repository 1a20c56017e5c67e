import { guardMiddleware } from 'foreguard/langchain';
import { createAgent, tool as define, FakeToolCallingModel, ToolMessage } from 'langchain';
import { z } from 'zod';

/** A run of one call: the model proposes it in its first turn, and says nothing in the second. */
export const overheads = {
  'LangChain.js': ({ session, tool, input }) => {
    const loop = (middleware) => {
      const agent = createAgent({
        model: new FakeToolCallingModel({ toolCalls: [[{ id: 'c', name: 'search', args: input }], []] }),
        tools: [
          define(tool, { name: 'search', description: 'search', schema: z.object({ query: z.string() }) }),
        ],
        middleware,
      });
      return async () => (await agent.invoke({ messages: ['go'] })).messages[2].text;
    };
    return { unguarded: loop([]), guarded: loop([guardMiddleware(session, { AIMessage, ToolMessage })]) };
  },
};
