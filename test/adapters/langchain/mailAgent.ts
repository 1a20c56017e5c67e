import type { BaseMessage } from '@langchain/core/messages';
import type { MemorySaver } from '@langchain/langgraph';
import { guardMiddleware, type LangChainOptions, type LangChainSession } from 'foreguard/langchain';
import { type AgentMiddleware, AIMessage, createAgent, fakeModel, ToolMessage, tool } from 'langchain';
import { z } from 'zod';
import type { mailbox } from '../shared/mail.js';

/** What the model says in a turn: text, or calls of tools, with ids by turn and place: `1.0`, `1.1`, … */
export type Turn = string | readonly (readonly [name: string, args?: Record<string, unknown>])[];

/** A model that says what is written, turn after turn. */
export function scripted(...turns: readonly Turn[]) {
  const model = fakeModel();
  for (const [turn, said] of turns.entries()) {
    if (typeof said === 'string') model.respond(new AIMessage(said));
    else {
      model.respondWithTools(
        said.map(([name, args = {}], place) => ({ name, args, id: `${turn + 1}.${place}` })),
      );
    }
  }
  return model;
}

type Options = Partial<LangChainOptions<ToolMessage, AIMessage>> & {
  readonly before?: readonly AgentMiddleware[];
  readonly checkpointer?: MemorySaver;
};

/** An assistant with the tools of a mailbox, guarded by a session. */
export function mailAgent(
  session: LangChainSession,
  { tools }: ReturnType<typeof mailbox>,
  model: ReturnType<typeof scripted>,
  { before = [], checkpointer, ...options }: Options = {},
) {
  const text = (field: string) => z.object({ [field]: z.string() });
  return createAgent({
    model,
    tools: [
      tool(tools.search as (args: object) => Promise<string>, {
        name: 'search',
        description: 'finds messages',
        schema: text('query'),
      }),
      tool(tools.fetch as (args: object) => Promise<string>, {
        name: 'fetch',
        description: 'reads a page',
        schema: text('url'),
      }),
      tool(tools.send as (args: object) => Promise<string>, {
        name: 'send',
        description: 'sends a message',
        schema: text('to'),
      }),
      tool(tools.forget as (args: object) => Promise<string>, {
        name: 'forget',
        description: 'forgets what was read',
        schema: z.object({}),
      }),
    ],
    middleware: [
      ...before,
      guardMiddleware(session, { AIMessage, ToolMessage, ...options }),
    ] as AgentMiddleware[],
    ...(checkpointer && { checkpointer }),
  });
}

export const asked = { messages: [{ role: 'user' as const, content: 'what is new?' }] };

/** What the model was told of its calls: by id, text and status of the message. */
export function told(
  messages: readonly BaseMessage[],
): Record<string, readonly [status: string, content: string]> {
  return Object.fromEntries(
    messages
      .filter(ToolMessage.isInstance)
      .map(({ tool_call_id, status, text }) => [tool_call_id, [status ?? '', text]]),
  );
}
