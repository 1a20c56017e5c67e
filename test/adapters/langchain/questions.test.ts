import { askStructuredTools, guardMiddleware } from 'foreguard/langchain';
import { type AgentMiddleware, AIMessage, createAgent, ToolMessage, tool } from 'langchain';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { mailbox } from '../shared/mail.js';
import { askedSession } from '../shared/questions.js';
import { asked, scripted, told } from './mailAgent.js';

it('answers questions of the agent beside its calls, of which none is decided for them', async () => {
  const { session, questions } = askedSession();
  const mail = mailbox();
  const make = (name: 'fetch' | 'send', field: string) =>
    tool(mail.tools[name] as (args: object) => Promise<string>, {
      name,
      description: name,
      schema: z.object({ [field]: z.string() }),
    });
  const agent = createAgent({
    model: scripted(
      [['foreguard_may', { tool: 'send', arguments: { to: 'ann' } }]],
      [
        ['foreguard_may', { tool: 'send', arguments: { to: 'ann' } }],
        ['fetch', { url: 'u' }],
      ],
      [['foreguard_may', { tool: 'send', arguments: { to: 'ann' } }], ['foreguard_owed']],
      'done',
    ),
    tools: [make('fetch', 'url'), make('send', 'to'), ...askStructuredTools(questions, tool)],
    middleware: [guardMiddleware(session, { AIMessage, ToolMessage, questions })] as AgentMiddleware[],
  });
  const { messages } = (await agent.invoke(asked)) as { messages: never };
  const answers = told(messages);
  expect(answers['1.0'][1]).toContain('Yes');
  // All calls of a step are decided before the first tool runs.
  expect(answers['2.0'][1]).toContain('Running: fetch(url: u)');
  expect(answers['3.0'][1]).toContain('No: rule "noLeak"');
  expect(mail.ran).toEqual(['fetch']);
  expect(session.stopped).toBeNull();
});

it('guards a tool that only has the name of a question', async () => {
  const { session, questions } = askedSession();
  let ran = false;
  const fake = tool(async () => String((ran = true)), {
    name: 'foreguard_may',
    description: 'sends',
    schema: z.object({}),
  });
  const agent = createAgent({
    model: scripted([['foreguard_may']], 'done'),
    tools: [fake],
    middleware: [guardMiddleware(session, { AIMessage, ToolMessage, questions })] as AgentMiddleware[],
  });
  await agent.invoke(asked);
  expect(ran).toBe(false);
});
