import { Agent, Runner, RunState, tool, toolNamespace } from '@openai/agents';
import { assistantMessage, functionCall, ScriptedModel } from '@openai/agents/testing';
import { answerInspection, guardAgent, inspectionOf } from 'foreguard/openai-agents';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { mailSession } from '../shared/mailSession.js';
import { MOVES, worseningWorld } from '../shared/worseningWorld.js';
import { mailAgent, mailToolsOf, runner, scripted, told } from './mailAgent.js';

const inspecting = { strategy: 'inspect' };
const sending = ['send', { to: 'b.example' }] as const;

/** A run that waits for an answer whether it may send. */
async function waiting(asking: InstanceType<typeof Runner> = runner) {
  const mail = await mailSession(inspecting);
  mail.box.world.tainted = true;
  const agent = mailAgent(mail.session, mail.box, scripted([sending], 'done'));
  const { state, interruptions } = await asking.run(agent, 'send it');
  return { ...mail, agent, state, interruptions };
}

describe('inspection by an approval of the OpenAI Agents SDK', () => {
  it('waits for an answer, and tells what is asked', async () => {
    const { session, box, interruptions } = await waiting();
    expect(box.ran).toEqual([]);
    expect(interruptions).toHaveLength(1);
    expect(await inspectionOf(session, interruptions[0])).toMatchObject({
      rule: 'noLeak',
      call: { id: '1.0', name: 'send' },
    });
  });

  it.each([true, false])('goes on with the answer %s, and decides nothing twice', async (approved) => {
    const { session, agent, state, interruptions, box, happened } = await waiting();
    await answerInspection(session, state, interruptions[0], { approved, by: 'Ada', comment: 'not to them' });
    const { newItems, finalOutput } = await runner.run(agent, state);
    expect(box.ran).toEqual(approved ? ['send'] : []);
    expect(finalOutput).toBe('done');
    if (!approved) expect(told(newItems)['1.0']).toContain('not to them');
    expect(happened().slice(0, 2)).toEqual(['decide send', approved ? 'approved 0' : 'refused 0']);
  });

  it.each(['before', 'after'])(
    'goes on in another process, with a session resumed from its records, answered %s the restart',
    async (when) => {
      const before = await waiting();
      if (when === 'before') before.state.approve(before.interruptions[0]);
      const text = before.state.toString();

      const { session } = await mailSession(inspecting, {
        state: before.box.state,
        resume: structuredClone(before.records),
      });
      const agent = mailAgent(session, before.box, scripted('done'));
      const state = await RunState.fromString(agent, text);
      if (when === 'after') {
        await answerInspection(session, state, state.getInterruptions()[0], { approved: true });
      }
      const { newItems } = await runner.run(agent, state);
      expect(before.box.ran).toEqual(['send']);
      expect(told(newItems)['1.0']).toBe('sent to b.example');
    },
  );

  it.each(MOVES.flatMap((move) => ['before', 'after'].map((when) => ({ ...move, when }))))(
    'counts after a restart for what people were told: %o',
    async ({ before, after, covered, when }) => {
      const { world, box, records, start } = await worseningWorld();
      world.watched = before;
      const first = mailAgent(start(), box, scripted([sending], 'done'));
      const paused = await runner.run(first, 'send it');
      if (when === 'before') paused.state.approve(paused.interruptions[0]);
      world.watched = after;
      const session = start();
      const agent = mailAgent(session, box, scripted('done'));
      const state = await RunState.fromString(agent, paused.state.toString());
      // What the program has kept of the person's answer.
      if (when === 'after')
        await answerInspection(session, state, state.getInterruptions()[0], { approved: true });
      const { newItems } = await runner.run(agent, state);
      expect(box.ran).toEqual(covered ? ['send'] : []);
      const approved = records.filter((one) => one.kind === 'outcome' && one.outcome === 'approved');
      expect(approved).toHaveLength(Number(covered));
      if (!covered) expect(told(newItems)['1.0']).toContain('to have a person asked anew');
    },
  );

  it('takes an answer to the question that the program was given after the restart', async () => {
    const { world, box, start } = await worseningWorld();
    const paused = await runner.run(mailAgent(start(), box, scripted([sending], 'done')), 'send it');
    world.watched = true;
    const session = start();
    const agent = mailAgent(session, box, scripted('done'));
    const state = await RunState.fromString(agent, paused.state.toString());
    const [interruption] = state.getInterruptions();
    expect((await inspectionOf(session, interruption))?.question).toContain('noHarm');
    await answerInspection(session, state, interruption, { approved: true });
    await runner.run(agent, state);
    expect(box.ran).toEqual(['send']);
  });

  it('keeps an approval for always, of a tool that people were asked about, over a restart', async () => {
    const { world, box, start } = await worseningWorld();
    const paused = await runner.run(mailAgent(start(), box, scripted([sending], 'done')), 'send it');
    paused.state.approve(paused.interruptions[0], { alwaysApprove: true });
    world.watched = true;
    const agent = mailAgent(start(), box, scripted('done'));
    await runner.run(agent, await RunState.fromString(agent, paused.state.toString()));
    expect(box.ran).toEqual(['send']);
  });

  it("takes the SDK's own approval for an answer", async () => {
    const { agent, state, interruptions, box, happened } = await waiting();
    state.approve(interruptions[0]);
    await runner.run(agent, state);
    expect(box.ran).toEqual(['send']);
    expect(happened()).toEqual(['decide send', 'approved 0', 'ran 0']);
  });

  it("runs nothing after the SDK's own rejection", async () => {
    const { agent, state, interruptions, box } = await waiting();
    state.reject(interruptions[0]);
    await runner.run(agent, state);
    expect(box.ran).toEqual([]);
  });

  it('does not take guardrails that run before anyone is asked for an approval', async () => {
    const early = new Runner({ tracingDisabled: true, toolExecution: { preApprovalInputGuardrails: true } });
    const { agent, state, interruptions, box } = await waiting(early);
    expect(box.ran).toEqual([]);
    expect(interruptions).toHaveLength(1);
    state.approve(interruptions[0]);
    await early.run(agent, state);
    expect(box.ran).toEqual(['send']);
  });

  it('asks for what the tool itself wants approved too, but not where the guard withholds it', async () => {
    const { session, box } = await mailSession(inspecting);
    const own = tool({
      name: 'search',
      description: 'asks always',
      parameters: z.object({ query: z.string() }),
      needsApproval: true,
      execute: box.tools.search,
    });
    const agent = guardAgent(
      new Agent({ name: 'own', model: scripted([['search', { query: 'bills' }]], 'done'), tools: [own] }),
      session,
    );
    const { state, interruptions } = await runner.run(agent, 'search');
    expect(await inspectionOf(session, interruptions[0])).toBeNull();
    state.approve(interruptions[0]);
    await runner.run(agent, state);
    expect(box.ran).toEqual(['search']);
  });

  it("tells the session where a tool's own guardrail withholds a call that the guard had permitted", async () => {
    const { session, box, happened } = await mailSession(inspecting);
    const own = tool({
      name: 'search',
      description: 'never',
      parameters: z.object({ query: z.string() }),
      inputGuardrails: [
        { name: 'own', run: async () => ({ behavior: { type: 'rejectContent', message: 'no' } }) },
      ],
      execute: box.tools.search,
    });
    const model = scripted([['search', { query: 'bills' }]], 'done');
    const agent = guardAgent(new Agent({ name: 'own', model, tools: [own] }), session);
    const { newItems } = await runner.run(agent, 'search');
    expect(told(newItems)['1.0']).toBe('no');
    expect(happened()).toEqual(['decide search', 'withheld 0']);
  });

  it("hears of the SDK's own rejection when the next call is proposed", async () => {
    const { session, box, happened } = await mailSession(inspecting);
    box.world.tainted = true;
    const agent = mailAgent(session, box, scripted([sending], [['forget', {}]], 'done'));
    const { state, interruptions } = await runner.run(agent, 'send it');
    state.reject(interruptions[0]);
    await runner.run(agent, state);
    expect(happened().slice(0, 3)).toEqual(['decide send', 'refused 0', 'decide forget']);
  });

  it('takes no approval of a tool in a namespace but by answerInspection', async () => {
    for (const [answered, ran] of [
      [false, []],
      [true, ['send']],
    ] as const) {
      const { session, box } = await mailSession(inspecting);
      box.world.tainted = true;
      const call = functionCall('send', { to: 'b.example' }, { callId: '1', namespace: 'mail' });
      const tools = toolNamespace({ name: 'mail', description: 'mail', tools: mailToolsOf(box) });
      const model = new ScriptedModel([[call], [assistantMessage('done')]]);
      const agent = guardAgent(new Agent({ name: 'assistant', model, tools }), session);
      const { state, interruptions } = await runner.run(agent, 'send it');
      if (answered) await answerInspection(session, state, interruptions[0], { approved: true });
      else state.approve(interruptions[0]);
      await runner.run(agent, state);
      expect(box.ran).toEqual(ran);
    }
  });

  it('runs nothing on arguments that are not JSON, which the SDK brings to the person', async () => {
    const { session, box } = await mailSession(inspecting, { onFault: 'block' });
    const agent = mailAgent(session, box, scripted([['search', '{"query"']], 'sorry'));
    const { state, interruptions } = await runner.run(agent, 'search');
    expect(interruptions).toHaveLength(1);
    state.approve(interruptions[0]);
    const { finalOutput } = await runner.run(agent, state);
    expect(finalOutput).toBe('sorry');
    expect(box.ran).toEqual([]);
  });

  it("asks by the session's `ask` where it has one", async () => {
    const { session, box } = await mailSession(inspecting, { ask: async () => ({ approved: true }) });
    box.world.tainted = true;
    const { finalOutput } = await runner.run(mailAgent(session, box, scripted([sending], 'done')), 'send it');
    expect(finalOutput).toBe('done');
    expect(box.ran).toEqual(['send']);
  });
});
