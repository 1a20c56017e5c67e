import { context, type Span, SpanStatusCode } from '@opentelemetry/api';
import { generateText, stepCountIs, streamText, tool } from 'ai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { scripted } from '../aiSdk/scripted.js';
import { AsyncContext, recordingProvider } from './sdk.js';

beforeAll(() => void context.setGlobalContextManager(new AsyncContext()));
afterAll(() => context.disable());

const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

describe('spans of the SDK', () => {
  it('are read as the runs that they came from, whatever is between the agent and its calls', async () => {
    const { provider, read } = recordingProvider();
    const tracer = provider.getTracer('agent');
    const within = <T>(name: string, attributes: Record<string, unknown>, run: (span: Span) => Promise<T>) =>
      tracer.startActiveSpan(name, { attributes: attributes as Record<string, string> }, async (span) => {
        try {
          return await run(span);
        } finally {
          span.end();
        }
      });
    const call = (name: string, given: unknown, run: (span: Span) => Promise<unknown>) =>
      within(
        `execute_tool ${name}`,
        {
          'gen_ai.operation.name': 'execute_tool',
          'gen_ai.tool.name': name,
          'gen_ai.tool.call.arguments': JSON.stringify(given),
        },
        run,
      );
    const began = Date.now() / 1000;
    await within('invoke_agent clerk', { 'gen_ai.operation.name': 'invoke_agent' }, async () => {
      await within('chat', { 'gen_ai.operation.name': 'chat' }, async () => {
        await call('find', { size: 41 }, async (span) =>
          span.setAttribute('gen_ai.tool.call.result', '{"hits":2}'),
        );
        await within('GET /', {}, async () => undefined);
      });
      await Promise.all([
        call('buy', { id: 1 }, async (span) => {
          await wait(20);
          span.setStatus({ code: SpanStatusCode.ERROR, message: 'sold out' });
        }),
        wait(5).then(() =>
          call('buy', { id: 2 }, async (span) => span.setAttribute('gen_ai.tool.call.result', '"bought"')),
        ),
      ]);
    });
    const [run, ...others] = await read();
    expect(others).toEqual([]);
    expect(run.complete).toBe(true);
    expect(run.steps.map(({ action }) => action)).toEqual([
      { name: 'find', arguments: { size: 41 } },
      { name: 'buy', arguments: { id: 1 } },
      { name: 'buy', arguments: { id: 2 } },
      undefined,
    ]);
    expect(run.steps.map(({ state }) => state.lastResult)).toEqual([null, { hits: 2 }, null, 'bought']);
    expect(run.steps[3].state).toMatchObject({ calls: { buy: 2, find: 1 }, failures: { buy: 1, find: 0 } });
    const times = run.steps.map(({ time }) => time as number);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    // Clocks of spans are drawn from another clock than `Date.now`, to the millisecond.
    for (const time of times) expect(began - 1 <= time && time <= Date.now() / 1000 + 1).toBe(true);
  });
});

describe('spans of the Vercel AI SDK', () => {
  const tools = {
    find: tool({
      inputSchema: z.object({ size: z.number() }),
      execute: async ({ size }) => ({ hits: size > 40 ? 2 : 0 }),
    }),
    buy: tool({
      inputSchema: z.object({ id: z.number() }),
      execute: async ({ id }): Promise<string> => {
        if (id === 1) throw new Error('sold out');
        await wait(5);
        return 'bought';
      },
    }),
  };
  const turns = [
    [['find', { size: 41 }]],
    [
      ['buy', { id: 1 }],
      ['buy', { id: 2 }],
    ],
    'Here you are.',
  ] as const;

  it.each(['generateText', 'streamText'])(
    'are read as runs with calls, arguments and results: %s',
    async (way) => {
      const { provider, read } = recordingProvider();
      const options = {
        model: scripted(...turns).model,
        tools,
        prompt: 'Shoes, please.',
        stopWhen: stepCountIs(5),
        experimental_telemetry: { isEnabled: true, functionId: 'clerk', tracer: provider.getTracer('ai') },
      };
      if (way === 'generateText') await generateText(options);
      else await streamText(options).consumeStream();
      const notes: { source: string; message: string }[] = [];
      const [run, ...others] = await read(notes);
      expect(others).toEqual([]);
      expect(run.complete).toBe(true);
      expect(run.steps.map(({ action }) => action)).toEqual([
        { name: 'find', arguments: { size: 41 } },
        { name: 'buy', arguments: { id: 1 } },
        { name: 'buy', arguments: { id: 2 } },
        undefined,
      ]);
      expect(run.steps[1].state.lastResult).toEqual({ hits: 2 });
      expect(run.steps[3].state).toMatchObject({
        lastResult: 'bought',
        failures: { buy: 1, find: 0 },
      });
      expect(notes.filter(({ message }) => !message.includes('began before'))).toEqual([]);
    },
  );
});
