import { Command, interrupt, MemorySaver } from '@langchain/langgraph';
import { InvalidArgumentError } from 'foreguard';
import type { Answer } from 'foreguard/enforce';
import {
  guardMiddleware,
  type LangChainInspectionRequest,
  type LangChainResponse,
} from 'foreguard/langchain';
import { AIMessage, ToolMessage } from 'langchain';
import { describe, expect, it } from 'vitest';
import { mailSession } from '../shared/mailSession.js';
import { asked, mailAgent, scripted, told } from './mailAgent.js';

const inspecting = { strategy: 'inspect' };
const sending = ['send', { to: 'b.example' }] as const;
const config = { configurable: { thread_id: 'one' } };

/** An agent that has paused to ask whether it may send. */
async function paused(...more: readonly (typeof sending)[]) {
  const run = await mailSession(inspecting);
  run.box.world.tainted = true;
  const checkpointer = new MemorySaver();
  const model = scripted([sending, ...more], 'done');
  const agent = mailAgent(run.session, run.box, model, { checkpointer, interrupts: true });
  const { __interrupt__: [pause] = [] } = await agent.invoke(asked, config);
  return { ...run, checkpointer, model, agent, request: pause?.value as LangChainInspectionRequest };
}

describe('inspection by an interrupt of LangGraph', () => {
  it('shows what is to be decided as LangChain shows its own requests', async () => {
    const { box, request } = await paused();
    expect(box.ran).toEqual([]);
    expect(request.actionRequests).toEqual([
      { name: 'send', args: { to: 'b.example' }, description: request.inspection.question },
    ]);
    expect(request.reviewConfigs[0].allowedDecisions).toEqual(['approve', 'reject']);
    expect(request.inspection).toMatchObject({ rule: 'noLeak', call: { id: '1.0', name: 'send' } });
  });

  it.each<[string, Answer | LangChainResponse, boolean]>([
    ['an answer that approves', { approved: true, by: 'Ada' }, true],
    ['an answer that refuses', { approved: false, by: 'Ada', comment: 'not to them' }, false],
    ["LangChain's approval", { decisions: [{ type: 'approve' }] }, true],
    ["LangChain's rejection", { decisions: [{ type: 'reject', message: 'not to them' }] }, false],
    ['what is no answer', 'yes' as unknown as Answer, false],
    [
      'an edited call, which was not decided on',
      { decisions: [{ type: 'edit' }] } as unknown as LangChainResponse,
      false,
    ],
  ])('goes on with %s', async (_, resume, runs) => {
    const { agent, box, happened } = await paused();
    const { messages } = await agent.invoke(new Command({ resume }), config);
    expect(box.ran).toEqual(runs ? ['send'] : []);
    expect(told(messages)['1.0'][0]).toBe(runs ? 'success' : 'error');
    expect(happened().filter((what) => what === 'decide send')).toHaveLength(1);
  });

  it('goes on with an agent made anew over the same checkpointer, and decides nothing twice', async () => {
    const { session, box, model, checkpointer, happened } = await paused();
    const again = mailAgent(session, box, model, { checkpointer, interrupts: true });
    await again.invoke(new Command({ resume: { approved: true } }), config);
    expect(box.ran).toEqual(['send']);
    expect(happened()).toEqual(['decide send', 'approved 0', 'ran 0']);
  });

  it('goes on in another process, with a session resumed from its records', async () => {
    const before = await paused();
    const { session, happened } = await mailSession(inspecting, {
      state: before.box.state,
      resume: structuredClone(before.records),
    });
    const again = mailAgent(session, before.box, before.model, {
      checkpointer: before.checkpointer,
      interrupts: true,
    });
    const { messages } = await again.invoke(new Command({ resume: { approved: true } }), config);
    expect(told(messages)['1.0']).toEqual(['success', 'sent to b.example']);
    expect(happened()).toEqual(['decide send', 'approved 1', 'ran 1']);
  });

  it('pauses a stream, too', async () => {
    const { session, box } = await mailSession(inspecting);
    box.world.tainted = true;
    const checkpointer = new MemorySaver();
    const agent = mailAgent(session, box, scripted([sending], 'done'), { checkpointer, interrupts: true });
    const pauses: unknown[] = [];
    for await (const chunk of await agent.stream(asked, { ...config, streamMode: 'updates' })) {
      if ('__interrupt__' in chunk) pauses.push(chunk.__interrupt__);
    }
    expect(pauses).toMatchObject([[{ value: { inspection: { rule: 'noLeak' } } }]]);
    const resume = new Command({ resume: { approved: true } });
    for await (const _ of await agent.stream(resume, { ...config, streamMode: 'updates' }));
    expect(box.ran).toEqual(['send']);
  });

  it('asks about one call of a step after the other', async () => {
    const { agent, box } = await paused(['send', { to: 'c.example' }] as unknown as typeof sending);
    const { __interrupt__: [second] = [] } = await agent.invoke(
      new Command({ resume: { approved: true } }),
      config,
    );
    expect((second.value as LangChainInspectionRequest).inspection.call.arguments).toEqual({
      to: 'c.example',
    });
    expect(box.ran).toEqual([]);
    const { messages } = await agent.invoke(new Command({ resume: { approved: false } }), config);
    expect(box.ran).toEqual(['send']);
    expect(told(messages)).toMatchObject({
      '1.0': ['success', 'sent to b.example'],
      '1.1': ['error', expect.any(String)],
    });
  });

  it('pauses where a tool asks by itself, and decides on its call once', async () => {
    const { session, box, happened } = await mailSession(inspecting);
    box.tools.send = async () => `sent to ${interrupt('to whom?')}`;
    const agent = mailAgent(session, box, scripted([sending], 'done'), {
      checkpointer: new MemorySaver(),
      interrupts: true,
    });
    await agent.invoke(asked, config);
    expect(happened()).toEqual(['decide send']);
    const { messages } = await agent.invoke(new Command({ resume: 'c.example' }), config);
    expect(told(messages)['1.0']).toEqual(['success', 'sent to c.example']);
    expect(happened()).toEqual(['decide send', 'ran 0']);
  });

  it("asks by the session's `ask` where it has one", async () => {
    const { session, box } = await mailSession(inspecting, { ask: async () => ({ approved: true }) });
    box.world.tainted = true;
    await mailAgent(session, box, scripted([sending], 'done')).invoke(asked);
    expect(box.ran).toEqual(['send']);
  });

  it('is refused when configured where nobody can be asked', async () => {
    const { session } = await mailSession(inspecting);
    expect(() => guardMiddleware(session, { AIMessage, ToolMessage })).toThrow(InvalidArgumentError);
  });

  it('runs nothing without a checkpointer', async () => {
    const { session, box } = await mailSession(inspecting);
    box.world.tainted = true;
    const agent = mailAgent(session, box, scripted([sending], 'never said'), { interrupts: true });
    await expect(agent.invoke(asked)).rejects.toThrow('checkpointer');
    expect(box.ran).toEqual([]);
  });
});
