import { describe, expect, it } from 'vitest';
import {
  type AgentParameters,
  type HouseholdAction,
  householdTask,
  type RunGuard,
  runAgent,
} from '../../../../worlds/src/index.js';

const find = (object: string): HouseholdAction => ({ name: 'find', arguments: { object } });
/** Nothing goes wrong, nothing is forgotten, no warning helps: what happens is what alternatives do. */
const steady: Partial<AgentParameters> = {
  slip: 0,
  failure: 0,
  forget: 0,
  haste: 0,
  attention: 0,
  heed: 0,
  discouraged: 0,
  giveUp: 0,
};

/** Blocks the first so many proposals of a run that are not among the alternatives, and names these. */
function blocking(times: number, alternatives: readonly HouseholdAction[] = []): RunGuard {
  let blocks = 0;
  const isNamed = (action: HouseholdAction) =>
    alternatives.some((named) => JSON.stringify(named) === JSON.stringify(action));
  return {
    reset: () => void (blocks = 0),
    step: (_, { action }) =>
      action && !isNamed(action) && blocks++ < times
        ? { decision: 'block', alternatives }
        : { decision: 'allow' },
  };
}

const actionsOf = (run: ReturnType<typeof runAgent>) =>
  run.trace.steps.flatMap(({ action }) => (action === undefined ? [] : [action]));

describe('an agent told of alternatives', () => {
  const task = householdTask('fryPotato');
  const alternatives = [find('Pan'), find('DiningTable')];

  it('takes the safest that it did not take before, and then goes on with its own plan', () => {
    const agent = { ...steady, follow: 1 };
    for (const blocks of [1, 2, 3]) {
      const run = runAgent({ task, seed: 1, agent, guard: blocking(blocks, alternatives) });
      expect(run.blocked).toBe(blocks);
      const named = alternatives.slice(0, blocks);
      expect(actionsOf(run).slice(0, named.length), `${blocks} blocks`).toEqual(named);
      expect(run.completed).toBe(true);
    }
  });

  it('behaves as if none were named where it never follows', () => {
    for (let stream = 0; stream < 50; stream++) {
      const options = { task, seed: 5, stream, agent: { follow: 0 } };
      expect(runAgent({ ...options, guard: blocking(2, alternatives) })).toEqual(
        runAgent({ ...options, guard: blocking(2) }),
      );
    }
  });

  it('does not count the attempt as failed, so that it gives up less often', () => {
    const completed = (guard: () => RunGuard) => {
      let count = 0;
      for (let stream = 0; stream < 400; stream++) {
        count += Number(
          runAgent({ task, seed: 6, stream, agent: { giveUp: 0.9 }, guard: guard() }).completed,
        );
      }
      return count;
    };
    expect(completed(() => blocking(1, alternatives))).toBeGreaterThan(3 * completed(() => blocking(1)));
  });

  it('plans again instead where the warning makes it careful', () => {
    const agent = { ...steady, heed: 1, follow: 1 };
    const run = runAgent({ task, seed: 1, agent, guard: blocking(1, alternatives) });
    expect(actionsOf(run)).toEqual(actionsOf(runAgent({ task, seed: 1, agent: steady })));
  });
});

describe('a guard that judges proposals', () => {
  const task = householdTask('heatMeal');

  it('is asked to step once in a state, and about what is proposed there again after a block', () => {
    const calls: { kind: string; state: unknown }[] = [];
    const note = (kind: string, state: unknown) => void calls.push({ kind, state });
    let blocks = 0;
    const guard: RunGuard = {
      step: (state) => {
        note('step', state);
        return { decision: blocks++ % 3 === 0 ? 'block' : 'allow', alternatives: [find('Fork')] };
      },
      propose: (state) => {
        note('propose', state);
        return { decision: 'allow' };
      },
    };
    const run = runAgent({ task, seed: 3, guard, agent: { giveUp: 0, discouraged: 0 } });
    expect(run.blocked).toBeGreaterThan(1);
    const stepped = calls.filter(({ kind }) => kind === 'step').map(({ state }) => state);
    expect(stepped).toEqual(run.trace.steps.map(({ state }) => state));
    const again = calls.flatMap(({ kind }, i) => (kind === 'propose' ? [i] : []));
    expect(again).toHaveLength(run.blocked);
    for (const i of again) expect(calls[i].state).toBe(calls[i - 1].state);
  });

  it('costs a proposal for every warning and every block', () => {
    const free = runAgent({ task, seed: 4 });
    expect(free.proposals).toBe(free.trace.steps.length);
    const blocked = runAgent({ task, seed: 4, guard: blocking(2), agent: { giveUp: 0, discouraged: 0 } });
    expect(blocked.proposals).toBe(blocked.trace.steps.length + 2);
    const warned = runAgent({ task, seed: 4, guard: { step: () => ({ decision: 'reflect' }) } });
    // After the last proposal, which is to do nothing, nobody is asked again.
    expect(warned.proposals).toBe(warned.trace.steps.length + warned.reflections - 1);
  });
});
