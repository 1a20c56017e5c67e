import { MemorySaver } from '@langchain/langgraph';
import { guardMiddleware } from 'foreguard/langchain';
import {
  AIMessage,
  createAgent,
  createMiddleware,
  fakeModel,
  ToolMessage,
  tool,
  toolStrategy,
} from 'langchain';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { mailShield } from '../shared/mail.js';
import { mailSession } from '../shared/mailSession.js';
import { asked, mailAgent, scripted, told } from './mailAgent.js';

const reading = ['fetch', { url: 'a.example' }] as const;
const sending = ['send', { to: 'b.example' }] as const;
const searching = ['search', { query: 'bills' }] as const;

describe('a guarded agent of LangChain.js', () => {
  it('runs what is permitted, and its session observes it', async () => {
    const { session, box, happened } = await mailSession();
    const { messages } = await mailAgent(session, box, scripted([searching], 'three bills')).invoke(asked);
    expect(told(messages)).toEqual({ '1.0': ['success', '3 messages about bills'] });
    expect(messages.at(-1)?.text).toBe('three bills');
    expect(happened()).toEqual(['decide search', 'ran 0']);
  });

  it('answers a call that is blocked with the reason, and goes on', async () => {
    const { session, box } = await mailSession();
    const { messages } = await mailAgent(
      session,
      box,
      scripted([reading], [sending], 'I may not send it'),
    ).invoke(asked);
    expect(box.ran).toEqual(['fetch']);
    const [status, content] = told(messages)['2.0'];
    expect(status).toBe('error');
    expect(content).toContain('noLeak');
    expect(messages.at(-1)?.text).toBe('I may not send it');
  });

  it('lets the agent plan again where the guard reflects, until the rule escalates', async () => {
    const { session, box } = await mailSession({
      strategy: 'reflect',
      maxReflections: 1,
      escalate: ['block'],
    });
    const model = scripted([reading], [sending], [sending], 'done');
    const { messages } = await mailAgent(session, box, model).invoke(asked);
    expect(box.ran).toEqual(['fetch']);
    const { '2.0': reflected, '3.0': blocked } = told(messages);
    expect(reflected[1]).not.toBe(blocked[1]);
    expect(reflected[1]).toContain('tainted');
  });

  it('runs the safe action in place of the call, and tells so beside its result', async () => {
    const { session, box } = await mailSession(
      { strategy: { replace: 'forget' } },
      { replacements: { forget: { name: 'forget', arguments: {} } } },
    );
    const { messages } = await mailAgent(session, box, scripted([reading], [sending], 'done')).invoke(asked);
    expect(box.ran).toEqual(['fetch', 'forget']);
    const [status, content] = told(messages)['2.0'];
    expect(status).toBe('success');
    expect(content).toMatch(/forget[\s\S]*\nforgotten$/);
  });

  it('ends where the guard stops: no tool and no model is called any more, also when it is called again', async () => {
    const { session, box } = await mailSession({ strategy: 'stop' });
    const model = scripted([reading], [searching, sending], 'never said');
    const agent = mailAgent(session, box, model);
    const { messages } = await agent.invoke(asked);
    expect(box.ran).toEqual(['fetch']);
    expect(model.callCount).toBe(2);
    expect(Object.keys(told(messages))).toEqual(['1.0', '2.0', '2.1']);
    expect(session.stopped?.rule).toBe('noLeak');
    expect(messages.at(-1)?.text).toBe(session.stopped?.message);

    await agent.invoke(asked);
    expect(model.callCount).toBe(2);
  });

  it('judges a later call of a step where the ones before it will have led', async () => {
    const { session, box } = await mailSession(undefined, { guard: await mailShield() });
    await mailAgent(session, box, scripted([reading, sending], 'done')).invoke(asked);
    expect(box.ran).toEqual(['fetch']);
    expect(box.world.leaked).toBe(false);
  });

  it('decides all calls of a step before the first of them runs', async () => {
    const { session, box, happened } = await mailSession();
    const calls = [searching, reading, searching] as const;
    await mailAgent(session, box, scripted(calls, 'done')).invoke(asked);
    expect(box.ran).toHaveLength(3);
    expect(happened().slice(0, 3)).toEqual(['decide search', 'decide fetch', 'decide search']);
    expect(happened().slice(3).sort()).toEqual(['ran 0', 'ran 1', 'ran 2']);
  });

  it('runs nothing of a step in which one call stops the run', async () => {
    const { session, box } = await mailSession(undefined, { tools: ['search'] });
    await mailAgent(session, box, scripted([searching, sending], 'never said')).invoke(asked);
    expect(box.ran).toEqual([]);
    expect(session.stopped?.reason).toBe('unknown-tool');
  });

  it.each(['values', 'updates', 'messages'] as const)(
    'decides alike when it streams %s',
    async (streamMode) => {
      const { session, box } = await mailSession();
      const agent = mailAgent(session, box, scripted([searching, reading], [sending], 'I may not send it'));
      const chunks: unknown[] = [];
      for await (const chunk of await agent.stream(asked, { streamMode })) chunks.push(chunk);
      expect(box.ran.sort()).toEqual(['fetch', 'search']);
      expect(JSON.stringify(chunks)).toContain('noLeak');
      expect(JSON.stringify(chunks)).toContain('I may not send it');
    },
  );

  it('tells the agent of a tool that throws as an agent without a guard does, and the session of the failure', async () => {
    const { session, box, happened } = await mailSession();
    box.tools.search = async () => {
      throw new Error('no connection');
    };
    const { messages } = await mailAgent(session, box, scripted([searching], 'it failed')).invoke(asked);
    expect(told(messages)['1.0']).toEqual(['error', 'Error: no connection']);
    expect(happened()).toEqual(['decide search', 'failed 0']);
  });

  it('throws on what a tool throws where other middleware handles it', async () => {
    const { session, box } = await mailSession();
    box.tools.search = async () => {
      throw new Error('no connection');
    };
    const agent = mailAgent(session, box, scripted([searching], 'never said'), { toolErrors: 'throw' });
    await expect(agent.invoke(asked)).rejects.toThrow('no connection');
  });

  it('decides again on calls that other middleware changes after they were decided', async () => {
    const { session, box, happened } = await mailSession();
    const changing = createMiddleware({
      name: 'changing',
      wrapToolCall: (request, handler) =>
        handler({
          ...request,
          toolCall: { ...request.toolCall, name: 'fetch', args: { url: 'c.example' } },
          tool: undefined,
        }),
    });
    await mailAgent(session, box, scripted([searching], 'done'), { before: [changing] }).invoke(asked);
    expect(happened()).toEqual(['decide search', 'decide fetch', 'ran 1', 'withheld 0']);
  });

  it('runs the tool that was judged where other middleware renames a call and leaves its tool as it was', async () => {
    const { session, box } = await mailSession();
    const renaming = createMiddleware({
      name: 'renaming',
      wrapToolCall: (request, handler) =>
        handler({ ...request, toolCall: { ...request.toolCall, name: 'fetch', args: { url: 'c.example' } } }),
    });
    await mailAgent(session, box, scripted([searching], 'done'), { before: [renaming] }).invoke(asked);
    expect(box.ran).toEqual(['fetch']);
  });

  it('decides on one step after another where two runs share a session', async () => {
    const { session, box } = await mailSession();
    const steps = [searching, searching].map(([name, args]) => [name, args] as const);
    const agents = [1, 2].map(() => mailAgent(session, box, scripted(steps, steps, 'done')));
    const ended = await Promise.all(agents.map((agent) => agent.invoke(asked)));
    for (const { messages } of ended) expect(messages.at(-1)?.text).toBe('done');
    expect(box.ran).toHaveLength(8);
  });

  it('runs what was decided on, also where other middleware changes arguments in place', async () => {
    const { session, box, records } = await mailSession();
    const changing = createMiddleware({
      name: 'changing',
      wrapToolCall: (request, handler) => {
        request.toolCall.args.query = 'passwords';
        return handler(request);
      },
    });
    const agent = mailAgent(session, box, scripted([searching], 'done'), { before: [changing] });
    const { messages } = await agent.invoke(asked);
    expect(told(messages)['1.0']).toEqual(['success', '3 messages about passwords']);
    const decided = records.filter((record) => record.kind === 'decision').map(({ call }) => call.arguments);
    expect(decided).toEqual([{ query: 'bills' }, { query: 'passwords' }]);
  });

  it('decides on each of two calls of the same id', async () => {
    const { session, box, happened } = await mailSession();
    const twice = [searching, searching].map(([name, args]) => ({ name, args, id: 'same' }));
    const model = fakeModel().respondWithTools(twice).respond(new AIMessage('done'));
    await mailAgent(session, box, model).invoke(asked);
    expect(box.ran).toEqual(['search', 'search']);
    expect(happened().sort()).toEqual(['decide search', 'decide search', 'ran 0', 'ran 1']);
  });

  it('runs nothing of calls that no tool answers, or whose arguments are no plain data', async () => {
    for (const call of [
      { name: 'purge', args: {} },
      { name: 'toString', args: {} },
      { name: 'search', args: { query: 1n } },
    ]) {
      const { session, box } = await mailSession(undefined, { onFault: 'block' });
      const model = fakeModel()
        .respondWithTools([{ ...call, id: '1' }])
        .respond(new AIMessage('done'));
      const { messages } = await mailAgent(session, box, model).invoke(asked);
      expect(told(messages)['1'][0]).toBe('error');
      expect(box.ran).toEqual([]);
    }
  });

  it('keeps the runs of one agent apart by their thread', async () => {
    const runs = { a: await mailSession(), b: await mailSession() };
    const agent = mailAgent(
      ({ thread_id }) => runs[thread_id as 'a' | 'b'].session,
      runs.a.box,
      scripted([searching], 'three', [reading], 'read'),
      { checkpointer: new MemorySaver() },
    );
    await agent.invoke(asked, { configurable: { thread_id: 'a' } });
    await agent.invoke(asked, { configurable: { thread_id: 'b' } });
    expect(runs.a.happened()).toEqual(['decide search', 'ran 0']);
    expect(runs.b.happened()).toEqual(['decide fetch', 'ran 0']);
  });

  it('goes on after a tool that returns directly was withheld', async () => {
    const { session, box } = await mailSession();
    box.world.tainted = true;
    const send = tool(box.tools.send, {
      name: 'send',
      description: 'sends a message',
      schema: z.object({ to: z.string() }),
      returnDirect: true,
    });
    const agent = createAgent({
      model: scripted([sending], 'I may not send it'),
      tools: [send],
      middleware: [guardMiddleware(session, { AIMessage, ToolMessage })],
    });
    const { messages } = await agent.invoke(asked);
    expect(messages.at(-1)?.text).toBe('I may not send it');
  });

  it('leaves the answers of structured output alone', async () => {
    const { session, box, happened } = await mailSession();
    const agent = createAgent({
      model: scripted([searching], [['extract-1', { bills: 3 }]]),
      tools: [
        tool(box.tools.search as (args: object) => Promise<string>, {
          name: 'search',
          description: 'finds messages',
          schema: z.object({ query: z.string() }),
        }),
      ],
      middleware: [guardMiddleware(session, { AIMessage, ToolMessage })],
      responseFormat: toolStrategy(z.object({ bills: z.number() })),
    });
    const { structuredResponse } = await agent.invoke(asked);
    expect(structuredResponse.bills).toBe(3);
    expect(happened()).toEqual(['decide search', 'ran 0']);
  });
});
