import { guardMiddleware } from 'foreguard/langchain';
import { AIMessage, createAgent, tool as define, FakeToolCallingModel, ToolMessage } from 'langchain';
import { z } from 'zod';

/** Hands everything through: what LangChain's own machinery takes for any middleware. */
const empty = {
  name: 'empty',
  wrapModelCall: (request, handler) => handler(request),
  wrapToolCall: (request, handler) => handler(request),
};

/** A run of one call: the model proposes it in its first turn, and says nothing in the second. */
const loops =
  (...before) =>
  ({ session, tool, input }) => {
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
    return { without: loop(before), within: loop([guardMiddleware(session, { AIMessage, ToolMessage })]) };
  };

export const overheads = {
  'LangChain.js': loops(),
  'LangChain.js, over a middleware that does nothing': loops(empty),
};
