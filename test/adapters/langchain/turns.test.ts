import { expect, it } from 'vitest';
import { mailbox } from '../shared/mail.js';
import { turnSession } from '../shared/turns.js';
import { asked, mailAgent, scripted, told } from './mailAgent.js';

it('runs no call of a step in which one is refused for its whole turn, and those of the next', async () => {
  const mail = mailbox();
  const home = ['send', { to: 'ann.home' }] as const;
  const model = scripted([['forget'], home, ['send', { to: 'mallory' }]], [home], 'done');
  const { messages } = await mailAgent(await turnSession(), mail, model).invoke(asked);
  expect(mail.ran).toEqual(['send']);
  const answers = told(messages);
  expect(answers['1.0'][1]).toContain('another of the same turn');
  expect(answers['1.1'][1]).toContain('another of the same turn');
  expect(answers['1.2'][1]).toContain('permits it only if');
});
