import { streamText } from 'ai';
import { guardToolSet } from 'foreguard/ai-sdk';
import { expect, it } from 'vitest';
import { mailbox } from '../shared/mail.js';
import { turnSession } from '../shared/turns.js';
import { generate, toolSet } from './assistant.js';
import { scripted } from './scripted.js';

const home = ['send', { to: 'ann.home' }] as const;
const away = ['send', { to: 'mallory' }] as const;

it('runs no call of a step in which one is refused for its whole turn, and those of the next', async () => {
  const mail = mailbox();
  const { told } = await generate(mail, await turnSession(), [['forget', {}], home, away], [home], 'done');
  expect(mail.ran).toEqual(['send']);
  expect(JSON.stringify(told['1.0'])).toContain('another of the same turn');
  expect(JSON.stringify(told['1.1'])).toContain('another of the same turn');
  expect(JSON.stringify(told['1.2'])).toContain('permits it only if');
});

it('runs none of it in a stream, either', async () => {
  const mail = mailbox();
  const session = await turnSession();
  const { model } = scripted([home, away]);
  await streamText({ model, prompt: 'go', tools: guardToolSet(session, toolSet(mail)) }).consumeStream();
  expect(mail.ran).toEqual([]);
});
