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

it('a guarded agent is learnt from as it was guarded: what was withheld did not happen', async () => {
  const { provider, exporter, read } = recordingProvider();
  const tracer = provider.getTracer('mail');
  const { tools, state, ran } = mailbox();
  const session = createSession({
    guard: await mailGuard(),
    tools: mailTools,
    state,
    observers: [telemetry({ tracer })],
  });
  const { model } = scripted(
    [
      ['search', { query: 'offer' }],
      ['fetch', { url: 'https://example.org' }],
    ],
    [['send', { to: 'mallory@example.org' }]],
    'I leave it at that.',
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
  expect(ran).toEqual(['search', 'fetch']);
  const spans = exporter.getFinishedSpans();
  const decisions = spans.filter(({ name }) => name === 'foreguard decide');
  expect(
    decisions.map(({ attributes }) => [attributes['gen_ai.tool.name'], attributes['foreguard.decision']]),
  ).toEqual([
    ['search', 'allow'],
    ['fetch', 'allow'],
    ['send', 'block'],
  ]);
  const [{ traceId }] = spans.map((span) => span.spanContext());
  for (const span of decisions) expect(span.spanContext().traceId).toBe(traceId);
  const [run] = await read();
  expect(run.steps.map(({ action }) => action?.name)).toEqual(['search', 'fetch', undefined]);
});
