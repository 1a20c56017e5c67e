import { generateText, isLoopFinished, jsonSchema } from 'ai';
import { askToolSet, guardToolSet, stoppedBy } from 'foreguard/ai-sdk';
import { expect, it } from 'vitest';
import { mailbox } from '../shared/mail.js';
import { askedSession } from '../shared/questions.js';
import { toolSet } from './assistant.js';
import { scripted, toldModel } from './scripted.js';

it('answers questions of the agent beside its calls, of which none is decided for them', async () => {
  const { session, questions } = askedSession();
  const mail = mailbox();
  const may = ['foreguard_may', { tool: 'send', arguments: { to: 'ann' } }] as const;
  const { model, prompts } = scripted([may], [['fetch', { url: 'u' }]], [may], 'done');
  await generateText({
    model,
    prompt: 'go',
    tools: {
      ...guardToolSet(session, toolSet(mail)),
      ...askToolSet(questions, jsonSchema),
    },
    stopWhen: [isLoopFinished(), stoppedBy(session)],
  });
  const answers = JSON.stringify(toldModel(prompts));
  expect(answers).toContain('Yes');
  expect(answers).toContain('No: rule \\"noLeak\\"');
  expect(mail.ran).toEqual(['fetch']);
  expect(session.stopped).toBeNull();
});
