import { Agent, tool } from '@openai/agents';
import { askAgentTools, guardAgent } from 'foreguard/openai-agents';
import { expect, it } from 'vitest';
import { mailbox } from '../shared/mail.js';
import { askedSession } from '../shared/questions.js';
import { mailToolsOf, runner, scripted, told } from './mailAgent.js';

it('answers questions of the agent beside its calls, of which none is decided for them', async () => {
  const { session, questions } = askedSession();
  const mail = mailbox();
  const may = ['foreguard_may', { tool: 'send', arguments: { to: 'ann' } }] as const;
  const agent = new Agent({
    name: 'assistant',
    model: scripted([may], [['fetch', { url: 'u' }]], [may], 'done'),
    tools: [...mailToolsOf(mail), ...askAgentTools(questions, tool)],
  });
  const { newItems } = await runner.run(guardAgent(agent, session), 'go');
  const answers = told(newItems);
  expect(answers['1.0']).toContain('Yes');
  expect(answers['3.0']).toContain('No: rule "noLeak"');
  expect(mail.ran).toEqual(['fetch']);
  expect(session.stopped).toBeNull();
});
