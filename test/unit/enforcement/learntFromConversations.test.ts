import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import '../../../bindings/solvers/kernel/inline.js';
import { learnMdp } from '../../../bindings/estimation/learning/index.js';
import { Abstraction } from '../../../bindings/observations/abstraction/index.js';
import { readTauBench } from '../../../bindings/observations/trace/index.js';
import { compileGuard } from '../../../bindings/rules/risk/index.js';
import { parseSpecification } from '../../../bindings/rules/specification/index.js';
import { guardTools } from '../../../bindings/runtime/adapters/plain.js';
import { createSession } from '../../../bindings/runtime/enforcement/index.js';
import { createGuard } from '../../../bindings/runtime/guard/index.js';
import { sharedData } from '../../shared.js';
import { chunked, collect } from '../trace/bytes.js';

const specification = parseSpecification(`
version: 1
predicates:
  identified: 'calls.get_user_details > 0'
  cancelled: 'calls.cancel_reservation > 0'
rules:
  identifyFirst: { formula: 'G !(cancelled & !identified)', threshold: 0.5, strategy: block }
learning: { model: mdp, smoothing: 0 }`);

/** A guard learnt from a recording, and in a session the tools that it guards. */
async function clerkGuardedBy(recording: string | Uint8Array) {
  const traces = await collect(readTauBench(chunked(recording), { source: 'airline.json' }));
  const abstraction = new Abstraction(specification.abstraction);
  const { model } = await learnMdp(abstraction, traces, specification.learning);
  const ran: string[] = [];
  const tool = (name: string) => (_: object) => {
    ran.push(name);
    return '{"status": "ok"}';
  };
  const tools = {
    get_user_details: tool('get_user_details'),
    get_reservation_details: tool('get_reservation_details'),
    cancel_reservation: tool('cancel_reservation'),
  };
  return () => {
    ran.length = 0;
    const guard = createGuard(compileGuard(specification, model));
    return { ran, guarded: guardTools(createSession({ guard, tools: Object.keys(tools) }), tools) };
  };
}

async function identifiesFirst(recording: string | Uint8Array): Promise<void> {
  const begin = await clerkGuardedBy(recording);

  const hasty = begin();
  await hasty.guarded.get_reservation_details({ reservation_id: 'EHGLP3' });
  await expect(hasty.guarded.cancel_reservation({ reservation_id: 'EHGLP3' })).rejects.toMatchObject({
    code: 'withheld',
    verdict: { decision: 'block', rule: 'identifyFirst', reason: 'at-threshold' },
  });
  expect(hasty.ran).toEqual(['get_reservation_details']);
  // It may still do as it should, and then cancel.
  await hasty.guarded.get_user_details({ user_id: 'mia_li_3668' });
  await hasty.guarded.cancel_reservation({ reservation_id: 'EHGLP3' });
  expect(hasty.ran.at(-1)).toBe('cancel_reservation');

  const careful = begin();
  await careful.guarded.get_user_details({ user_id: 'mia_li_3668' });
  await careful.guarded.get_reservation_details({ reservation_id: 'EHGLP3' });
  await careful.guarded.cancel_reservation({ reservation_id: 'EHGLP3' });
  expect(careful.ran).toHaveLength(3);
}

/** A conversation of tau-bench's form in which these tools are called. */
function conversation(tools: readonly string[], task_id: number): object {
  const traj = tools.flatMap((name, i) => [
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: `${i}`, type: 'function', function: { name, arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: `${i}`, name, content: '{"status": "ok"}' },
  ]);
  const asked = { role: 'user', content: 'Please cancel my flight.' };
  return { task_id, trial: 0, reward: 1, traj: [asked, ...traj, { role: 'user', content: '###STOP###' }] };
}

describe('a guard learnt from conversations', () => {
  it('withholds the call that the agent must not make yet, and lets it through after', async () => {
    const seldom = ['get_reservation_details', 'cancel_reservation'];
    const often = ['get_user_details', 'get_reservation_details', 'cancel_reservation'];
    const other = ['get_reservation_details', 'get_user_details'];
    const runs = [seldom, seldom, often, often, often, often, other, other, other, other];
    await identifiesFirst(JSON.stringify(runs.map(conversation)));
  });

  sharedData('tau-bench/gpt-4o-airline.json', (path) => {
    it('does so after the recordings of a real agent, which cancelled too early 12 of 52 times', async () => {
      await identifiesFirst(readFileSync(path));
    });
  });
});
