import { Agent, Runner, tool } from '@openai/agents';
import { answerInspection, guardAgent, inspectionOf } from 'foreguard/openai-agents';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { mailSession } from '../shared/mailSession.js';
import { mailAgent, runner, scripted, told } from './mailAgent.js';

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

  it("asks by the session's `ask` where it has one", async () => {
    const { session, box } = await mailSession(inspecting, { ask: async () => ({ approved: true }) });
    box.world.tainted = true;
    const { finalOutput } = await runner.run(mailAgent(session, box, scripted([sending], 'done')), 'send it');
    expect(finalOutput).toBe('done');
    expect(box.ran).toEqual(['send']);
  });
});
