import {
  Agent,
  type FunctionTool,
  hostedMcpTool,
  RunContext,
  Runner,
  ToolCallError,
  ToolInputGuardrailTripwireTriggered,
  tool,
  webSearchTool,
} from '@openai/agents';
import { guardAgent } from 'foreguard/openai-agents';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { mailShield } from '../shared/mail.js';
import { mailSession } from '../shared/mailSession.js';
import { mailAgent, mailToolsOf, runner, scripted, told } from './mailAgent.js';

const reading = ['fetch', { url: 'a.example' }] as const;
const sending = ['send', { to: 'b.example' }] as const;
const searching = ['search', { query: 'bills' }] as const;

describe('a guarded agent of the OpenAI Agents SDK', () => {
  it('runs what is permitted, and its session observes it', async () => {
    const { session, box, happened } = await mailSession();
    const { newItems, finalOutput } = await runner.run(
      mailAgent(session, box, scripted([searching], 'three')),
      'new?',
    );
    expect(told(newItems)).toEqual({ '1.0': '3 messages about bills' });
    expect(finalOutput).toBe('three');
    expect(happened()).toEqual(['decide search', 'ran 0']);
  });

  it('rejects a call that is blocked with the reason, and goes on', async () => {
    const { session, box } = await mailSession();
    const agent = mailAgent(session, box, scripted([reading], [sending], 'I may not'));
    const { newItems, finalOutput } = await runner.run(agent, 'new?');
    expect(box.ran).toEqual(['fetch']);
    expect(told(newItems)['2.0']).toContain('noLeak');
    expect(finalOutput).toBe('I may not');
  });

  it('lets the agent plan again where the guard reflects, until the rule escalates', async () => {
    const { session, box } = await mailSession({
      strategy: 'reflect',
      maxReflections: 1,
      escalate: ['block'],
    });
    const agent = mailAgent(session, box, scripted([reading], [sending], [sending], 'done'));
    const { newItems } = await runner.run(agent, 'new?');
    expect(box.ran).toEqual(['fetch']);
    const { '2.0': reflected, '3.0': blocked } = told(newItems);
    expect(reflected).toContain('tainted');
    expect(reflected).not.toBe(blocked);
  });

  it('runs the safe action in place of the call, and tells so beside its result', async () => {
    const { session, box } = await mailSession(
      { strategy: { replace: 'forget' } },
      { replacements: { forget: { name: 'forget', arguments: {} } } },
    );
    const { newItems } = await runner.run(
      mailAgent(session, box, scripted([reading], [sending], 'done')),
      'new?',
    );
    expect(box.ran).toEqual(['fetch', 'forget']);
    expect(told(newItems)['2.0']).toMatch(/forget[\s\S]*\nforgotten$/);
  });

  it("ends where the guard stops by the SDK's error for tripwires, with nothing run of the step", async () => {
    const { session, box } = await mailSession({ strategy: 'stop' });
    const agent = mailAgent(session, box, scripted([reading], [searching, sending], 'never said'));
    const error = await runner.run(agent, 'new?').catch((error: unknown) => error);
    expect(error).toBeInstanceOf(ToolCallError);
    const { error: tripwire } = error as ToolCallError;
    expect(tripwire).toBeInstanceOf(ToolInputGuardrailTripwireTriggered);
    expect((tripwire as ToolInputGuardrailTripwireTriggered).result.output.outputInfo).toMatchObject({
      rule: 'noLeak',
    });
    expect(box.ran).toEqual(['fetch']);
    expect(session.stopped?.rule).toBe('noLeak');
  });

  const failing = {
    rejects: async () => ({ behavior: { type: 'rejectContent', message: 'no' } }) as const,
    throws: async (): Promise<never> => {
      throw new Error('out of order');
    },
  };
  const later = <T>(value: T) => new Promise<T>((resolve) => setTimeout(resolve, 20, value));
  const allow = { behavior: { type: 'allow' } } as const;

  /** A turn of two calls in a tainted world; `send`, which would leak, is a tool with more of its own, and stops the run. */
  async function forgettingAndSending(asking: Runner, own: object) {
    const mail = await mailSession({ strategy: 'stop' }, { guard: await mailShield({ strategy: 'stop' }) });
    const { session, box } = mail;
    box.world.tainted = true;
    const parameters = z.object({ to: z.string() });
    const send = tool({ name: 'send', description: 'x', parameters, execute: box.tools.send, ...own });
    const tools = [...mailToolsOf(box).filter(({ name }) => name !== 'send'), send];
    const model = scripted([['forget', {}], sending], 'done');
    const agent = guardAgent(new Agent({ name: 'assistant', model, tools }), session);
    const error = await asking.run(agent, 'go').catch((error: unknown) => error);
    return { ...mail, error };
  }

  it('runs nothing of a step that is stopped, if a guardrail of a tool of its own takes time', async () => {
    const inputGuardrails = [{ name: 'own', run: () => later(allow) }];
    const { box, session, error, happened } = await forgettingAndSending(runner, { inputGuardrails });
    expect(box.ran).toEqual([]);
    expect(session.stopped?.rule).toBe('noLeak');
    expect((error as ToolCallError).error).toBeInstanceOf(ToolInputGuardrailTripwireTriggered);
    expect(happened().slice(0, 2)).toEqual(['decide forget', 'decide send']);
  });

  // The SDK does not tell a tool which other calls the turn has.
  it.each([
    ['calls run one after another', { maxFunctionToolConcurrency: 1 }, {}],
    ["a tool's own policy of approvals takes time", {}, { needsApproval: () => later(false) }],
  ])('decides a call when the SDK begins it, if %s', async (_, toolExecution, own) => {
    const asking = new Runner({ tracingDisabled: true, toolExecution });
    const { box, happened } = await forgettingAndSending(asking, own);
    expect(happened()).toEqual(['decide forget', 'ran 0', 'decide send', 'ran 1']);
    expect(box.world.leaked).toBe(false);
  });

  it.each(Object.entries(failing))(
    "tells the session where a tool's own guardrail %s, after the guard has permitted the call",
    async (_, run) => {
      const { session, box, happened } = await mailSession();
      const search = tool({
        name: 'search',
        description: 'never',
        parameters: z.object({ query: z.string() }),
        inputGuardrails: [{ name: 'own', run }],
        execute: box.tools.search,
      });
      const model = scripted([searching], 'done');
      const agent = guardAgent(new Agent({ name: 'own', model, tools: [search] }), session);
      await runner.run(agent, 'new?').catch(() => undefined);
      expect(box.ran).toEqual([]);
      expect(happened()).toEqual(['decide search', 'withheld 0']);
    },
  );

  it('judges a later call of a step where the ones before it will have led', async () => {
    const { session, box } = await mailSession(undefined, { guard: await mailShield() });
    await runner.run(mailAgent(session, box, scripted([reading, sending], 'done')), 'new?');
    expect(box.ran).toEqual(['fetch']);
    expect(box.world.leaked).toBe(false);
  });

  it('decides all calls of a step before the first of them runs', async () => {
    const { session, box, happened } = await mailSession();
    await runner.run(mailAgent(session, box, scripted([searching, reading, searching], 'done')), 'new?');
    expect(box.ran).toHaveLength(3);
    expect(happened().slice(0, 3)).toEqual(['decide search', 'decide fetch', 'decide search']);
    expect(happened().slice(3).sort()).toEqual(['ran 0', 'ran 1', 'ran 2']);
  });

  it('decides alike when it streams', async () => {
    const { session, box } = await mailSession();
    const agent = mailAgent(session, box, scripted([searching, reading], [sending], 'I may not'));
    const streamed = await runner.run(agent, 'new?', { stream: true });
    const types = new Set<string>();
    for await (const event of streamed) types.add(event.type);
    await streamed.completed;
    expect(types).toContain('run_item_stream_event');
    expect(box.ran.sort()).toEqual(['fetch', 'search']);
    expect(told(streamed.newItems)['2.0']).toContain('noLeak');
    expect(streamed.finalOutput).toBe('I may not');
  });

  it('tells the session that a tool has failed, although the SDK makes text of what it throws', async () => {
    const { session, box, happened } = await mailSession();
    box.tools.search = async () => {
      throw new Error('no connection');
    };
    await runner.run(mailAgent(session, box, scripted([searching], 'it failed')), 'new?');
    expect(happened()).toEqual(['decide search', 'failed 0']);
  });

  it('keeps a tool that took too long among the calls that are running, until it has settled', async () => {
    const { session, happened } = await mailSession();
    let settle: (text: string) => void = () => undefined;
    const slow = tool({
      name: 'search',
      description: 'answers late',
      parameters: z.object({ query: z.string() }),
      execute: () => new Promise<string>((resolve) => (settle = resolve)),
      timeoutMs: 10,
    });
    const agent = guardAgent(
      new Agent({ name: 'slow', model: scripted([searching], 'too slow'), tools: [slow] }),
      session,
    );
    const { newItems } = await runner.run(agent, 'new?');
    expect(told(newItems)['1.0']).toContain('timed out');
    expect(happened()).toEqual(['decide search']);
    settle('at last');
    await expect.poll(happened).toEqual(['decide search', 'ran 0']);
  });

  it('runs nothing on arguments that are not JSON, and asks nobody about them', async () => {
    const { session, box } = await mailSession();
    const { newItems, interruptions } = await runner.run(
      mailAgent(session, box, scripted([['search', '{"query"']], 'sorry')),
      'new?',
    );
    expect(interruptions).toEqual([]);
    expect(box.ran).toEqual([]);
    expect(told(newItems)['1.0']).toContain('valid JSON');
  });

  it('decides on a call that another program makes of a guarded tool, each time', async () => {
    const { session, box, happened } = await mailSession();
    const { tools } = mailAgent(session, box, scripted());
    const search = tools.find((one) => one.type === 'function' && one.name === 'search') as FunctionTool;
    const input = JSON.stringify({ query: 'bills' });
    const again = () => search.invoke(new RunContext(), input);
    expect(await Promise.all([again(), again()])).toEqual(Array(2).fill('3 messages about bills'));
    expect(happened().filter((what) => what === 'decide search')).toHaveLength(2);
  });

  it('keeps the runs of one agent apart by their context', async () => {
    const runs = { a: await mailSession(), b: await mailSession() };
    const agent = mailAgent(
      ({ context }) => runs[context as 'a' | 'b'].session,
      runs.a.box,
      scripted([searching], 'a', [reading], 'b'),
    );
    await runner.run(agent, 'new?', { context: 'a' as never });
    await runner.run(agent, 'new?', { context: 'b' as never });
    expect(runs.a.happened()).toEqual(['decide search', 'ran 0']);
    expect(runs.b.happened()).toEqual(['decide fetch', 'ran 0']);
  });
});

describe('what cannot be guarded', () => {
  it('is refused when configured, unless it is named', async () => {
    const { session, box } = await mailSession();
    const other = new Agent({ name: 'other' });
    const agent = new Agent({
      name: 'assistant',
      tools: [
        ...mailToolsOf(box),
        webSearchTool(),
        hostedMcpTool({ serverLabel: 'files', serverUrl: 'https://files.example' }),
      ],
      handoffs: [other],
    });
    expect(() => guardAgent(agent, session)).toThrow(/"web_search".*"hosted_mcp".*handoff to "other"/);
    expect(() =>
      guardAgent(agent, session, { unguarded: ['web_search', 'hosted_mcp', 'other'] }),
    ).not.toThrow();
  });

  it('is refused by a name that nothing has', async () => {
    const { session } = await mailSession();
    const agent = new Agent({ name: 'assistant', tools: [webSearchTool()] });
    expect(() => guardAgent(agent, session, { unguarded: ['web_search', 'files'] })).toThrow(
      /"files"; it has web_search/,
    );
  });

  it('is no handoff to an agent that is guarded', async () => {
    const { session } = await mailSession();
    const other = guardAgent(new Agent({ name: 'other' }), session);
    expect(() => guardAgent(new Agent({ name: 'assistant', handoffs: [other] }), session)).not.toThrow();
  });

  it('is a tool with an output schema, in which the guard could not say why a call is withheld', async () => {
    const { session } = await mailSession();
    const strict = (errorFunction?: () => { count: number }) =>
      tool({
        name: 'search',
        description: 'counts',
        parameters: z.object({ query: z.string() }),
        outputSchema: z.object({ count: z.number() }),
        execute: async () => ({ count: 3 }),
        ...(errorFunction && { errorFunction }),
      });
    const agent = (counting: ReturnType<typeof strict>) => new Agent({ name: 'strict', tools: [counting] });
    expect(() => guardAgent(agent(strict()), session)).toThrow(/output schema.*block/);
    expect(() => guardAgent(agent(strict(() => ({ count: 0 }))), session)).not.toThrow();
  });
});
