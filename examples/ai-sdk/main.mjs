// The Vercel AI SDK, `ai` 6 or 7: a guard before the tools of an agent. The model is a mock that says what is written.
import { isLoopFinished, ToolLoopAgent, tool } from 'ai';
import * as mock from 'ai/test';
import { guardToolSet, stoppedBy } from 'foreguard/ai-sdk';
import { createSession } from 'foreguard/enforce';
import { z } from 'zod';
import { mailbox, mailGuard, mailTools } from '../mail/mail.mjs';

const turn = (unified, part) => ({
  content: [part],
  finishReason: { unified, raw: unified },
  usage: { inputTokens: { total: 0 }, outputTokens: { total: 0 } },
  warnings: [],
});
const proposes = (toolName, input) =>
  turn('tool-calls', { type: 'tool-call', toolCallId: toolName, toolName, input: JSON.stringify(input) });
const model = new (mock.MockLanguageModelV4 ?? mock.MockLanguageModelV3)({
  doGenerate: [
    proposes('fetch', { url: 'https://example.org/offer' }),
    proposes('send', { to: 'mallory@example.org' }),
    turn('stop', { type: 'text', text: 'I leave it at that.' }),
  ],
});

const { tools, state } = mailbox();
const session = createSession({ guard: await mailGuard({ strategy: 'reflect' }), tools: mailTools, state });
const agent = new ToolLoopAgent({
  model,
  tools: guardToolSet(session, {
    fetch: tool({ inputSchema: z.object({ url: z.string() }), execute: tools.fetch }),
    send: tool({ inputSchema: z.object({ to: z.string() }), execute: tools.send }),
  }),
  stopWhen: [isLoopFinished(), stoppedBy(session)],
});
const { steps } = await agent.generate({ prompt: 'See whether the offer is any good.' });
for (const { toolName, output, error, text } of steps.flatMap(({ content }) => content))
  if (output ?? error ?? text) console.log(`${toolName ?? 'says'}: ${output ?? error ?? text}`);
await session.end();
