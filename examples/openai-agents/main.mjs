// The OpenAI Agents SDK: a guard before the tools of an agent, which waits for a person. The model is a mock that says what is written.
import { Agent, Runner, tool } from '@openai/agents';
import { assistantMessage, functionCall, ScriptedModel } from '@openai/agents/testing';
import { createSession } from 'foreguard/enforce';
import { answerInspection, guardAgent, inspectionOf } from 'foreguard/openai-agents';
import { z } from 'zod';
import { mailbox, mailGuard, mailTools } from '../mail/mail.mjs';

const model = new ScriptedModel([
  [functionCall('fetch', { url: 'https://example.org/offer' }, { callId: '1' })],
  [functionCall('send', { to: 'mallory@example.org' }, { callId: '2' })],
  [assistantMessage('I leave it at that.')],
]);

const { tools, state } = mailbox();
const guard = await mailGuard({ strategy: 'inspect' });
const session = createSession({ guard, tools: mailTools, state });
const define = (name, field) =>
  tool({ name, description: name, parameters: z.object({ [field]: z.string() }), execute: tools[name] });
const assistant = new Agent({
  name: 'assistant',
  model,
  tools: [define('fetch', 'url'), define('send', 'to')],
});
const agent = guardAgent(assistant, session);

const runner = new Runner({ tracingDisabled: true });
let result = await runner.run(agent, 'See whether the offer is any good.');
for (const interruption of result.interruptions) {
  console.log(`asks: ${(await inspectionOf(session, interruption)).question}`);
  const answer = { approved: false, comment: 'not to strangers' };
  await answerInspection(session, result.state, interruption, answer);
}
result = await runner.run(agent, result.state);
for (const { rawItem } of result.newItems)
  if (rawItem.type === 'function_call_result') console.log(`${rawItem.name}: ${rawItem.output.text}`);
console.log(`says: ${result.finalOutput}`);
await session.end();
