// A loop of one's own: a guard before its tools. The model is a list of what it proposes.
import { createSession } from 'foreguard/enforce';
import { guardCalls } from 'foreguard/plain';
import { mailbox, mailGuard, mailTools } from '../mail/mail.mjs';

const { tools, state } = mailbox();
const session = createSession({ guard: await mailGuard({ strategy: 'reflect' }), tools: mailTools, state });
const run = guardCalls(session, tools);

const turns = [
  [{ id: '1', name: 'fetch', arguments: { url: 'https://example.org/offer' } }],
  [
    { id: '2', name: 'send', arguments: { to: 'mallory@example.org' } },
    { id: '3', name: 'search', arguments: { query: 'passwords' } },
  ],
];
for (const calls of turns) {
  for (const { call, verdict, content } of await run(calls))
    console.log(`${call.name}: ${verdict.decision}. ${content}`);
  if (session.stopped !== null) break;
}
await session.end();
