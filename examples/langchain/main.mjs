// LangChain.js 1: a guard as middleware of an agent, which pauses to ask a person. The model is a mock that says what is written.
import { Command, MemorySaver } from '@langchain/langgraph';
import { createSession } from 'foreguard/enforce';
import { guardMiddleware } from 'foreguard/langchain';
import { AIMessage, createAgent, fakeModel, ToolMessage, tool } from 'langchain';
import { z } from 'zod';
import { mailbox, mailGuard, mailTools } from '../mail/mail.mjs';

const model = fakeModel()
  .respondWithTools([{ id: '1', name: 'fetch', args: { url: 'https://example.org/offer' } }])
  .respondWithTools([{ id: '2', name: 'send', args: { to: 'mallory@example.org' } }])
  .respond(new AIMessage('I leave it at that.'));

const { tools, state } = mailbox();
const guard = await mailGuard({ strategy: 'inspect' });
const session = createSession({ guard, tools: mailTools, state });
const agent = createAgent({
  model,
  tools: [
    tool(tools.fetch, { name: 'fetch', description: 'reads a page', schema: z.object({ url: z.string() }) }),
    tool(tools.send, { name: 'send', description: 'sends a message', schema: z.object({ to: z.string() }) }),
  ],
  middleware: [guardMiddleware(session, { AIMessage, ToolMessage, interrupts: true })],
  checkpointer: new MemorySaver(),
});

const thread = { configurable: { thread_id: '1' } };
const paused = await agent.invoke({ messages: ['See whether the offer is any good.'] }, thread);
const { inspection } = paused.__interrupt__[0].value;
console.log(`asks: ${inspection.question}`);
const resume = { approved: false, comment: 'not to strangers', id: inspection.id };
const { messages } = await agent.invoke(new Command({ resume }), thread);
for (const { type, name, text } of messages) if (type === 'tool') console.log(`${name}: ${text}`);
console.log(`says: ${messages.at(-1).text}`);
await session.end();
