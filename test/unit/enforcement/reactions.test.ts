import { describe, expect, it, vi } from 'vitest';
import { buildAutomaton } from '../../../bindings/languages/automaton/index.js';
import { parseFormula } from '../../../bindings/languages/logic/index.js';
import { bindAgentSpec, parseAgentSpec } from '../../../bindings/runtime/agentspec/index.js';
import type { RunRecord } from '../../../bindings/runtime/enforcement/index.js';
import { createGuard } from '../../../bindings/runtime/guard/index.js';
import { guardFile, ruleOf } from '../guard/guardFiles.js';
import { mailShield, mailTools } from './mail.js';
import { expectReplayed } from './replayed.js';
import { guardThat, SAFE, setting } from './setting.js';

/** A set of one reactive rule about moves. */
function onMove(enforce: string, check = 'true', predicates = {}) {
  const rule = `rule @on_move\ntrigger\nmove\ncheck\n${check}\nenforce\n${enforce}\nend`;
  return bindAgentSpec(parseAgentSpec(rule).rules, { predicates });
}

const failing = () =>
  onMove('stop', 'p', {
    p: () => {
      throw new Error('out of order');
    },
  });

/** A guard that never lets the agent brake after it has moved. */
function noBrakeAfterMove() {
  const formula = 'G (b -> H !a)';
  const automaton = buildAutomaton(parseFormula(formula));
  return guardFile([ruleOf(automaton, [0.1, 0.1, 0.1, 0.1], { formula })], {
    predicates: [
      { name: 'a', expression: 'has(action.name) && action.name == "move"' },
      { name: 'b', expression: 'has(action.name) && action.name == "brake"' },
    ],
  });
}

describe('sets of reactive rules', () => {
  it('stop the run although one before them fails, and faults only block', async () => {
    for (const rules of [
      [failing(), onMove('stop')],
      [onMove('stop'), failing()],
    ]) {
      const { propose, records } = setting({ rules, onFault: 'block' });
      expect((await propose('move')).verdict).toMatchObject({ decision: 'stop', reason: 'reactive-rule' });
      await expectReplayed(records, guardThat().file);
    }
  });

  it('remember over a restart how often the agent was asked to reflect, whatever idle moments were between', async () => {
    const rules = [onMove('llm_self_examine')];
    const reflectsUntilStop = async (restarts: boolean) => {
      let records: RunRecord[] = [];
      let run = setting({ rules, maxReflections: 2 });
      for (let n = 0; n < 5; n++) {
        const { verdict } = await run.propose('move');
        if (verdict.decision === 'stop') return n;
        await run.session.idle();
        if (!restarts) continue;
        records = [...records, ...run.records];
        run = setting({ rules, maxReflections: 2, guard: guardThat(), resume: records });
      }
      return -1;
    };
    expect(await reflectsUntilStop(false)).toBe(2);
    expect(await reflectsUntilStop(true)).toBe(2);
  });

  it.each([
    ['stop', {}],
    ['invoke_action(gentle)', { gentle: { name: 'look', arguments: {} } }],
  ])(
    'in shadow mode, the guard remembers the call that ran in spite of "%s"',
    async (enforce, replacements) => {
      const file = noBrakeAfterMove();
      const options = { guard: createGuard(file), tools: ['move', 'brake', 'look'], shadow: true };
      const rules = [onMove(enforce)];
      const { propose, records, ran } = setting({ ...options, rules, replacements });
      await propose('move');
      const { verdict } = await propose('brake');
      expect(ran).toEqual(['move', 'brake']);
      expect(verdict).toMatchObject({ decision: 'report', wouldDecide: 'stop', rule: 'rule' });
      await expectReplayed(records, file);

      const resume = records.slice(0, -2);
      const again = setting({ ...options, guard: createGuard(file), rules, replacements, resume });
      expect((await again.propose('brake')).verdict.wouldDecide).toBe('stop');
    },
  );
});

describe('a refusal', () => {
  it('names as permitted only tools that are declared, and that no reactive rule refuses', async () => {
    const guard = await mailShield({ strategy: 'block', threshold: 0.5 });
    const told = async (options: object) => {
      const { session } = setting({
        guard: guard.fork(),
        tools: mailTools,
        state: () => ({ tainted: true, leaked: false }),
        ...options,
      });
      const messages = [];
      for (const name of ['send']) {
        const verdict = await session.check({ id: name, name, arguments: {} });
        if (verdict.run !== null) await session.withdraw(verdict);
        messages.push(verdict.message ?? '');
      }
      return messages.join(' ');
    };
    expect(await told({})).toMatch(/Permitted here: .*forget/);
    expect(await told({ tools: ['fetch', 'send'] })).not.toMatch(/Permitted here: .*forget/);
    const rule = 'rule @none\ntrigger\nforget\ncheck\ntrue\nenforce\nstop\nend';
    const rules = [bindAgentSpec(parseAgentSpec(rule).rules, { predicates: {} })];
    expect(await told({ rules })).not.toMatch(/Permitted here: .*forget/);
  });
});

describe('a state', () => {
  it('that comes at once, and too late, is a fault', async () => {
    let now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    const state = () => {
      now += 60;
      return SAFE;
    };
    try {
      const { propose } = setting({ state, stateTimeoutMs: 50, onFault: 'block' });
      expect((await propose('move')).verdict).toMatchObject({ decision: 'block', reason: 'state-failed' });
    } finally {
      vi.restoreAllMocks();
    }
  });
});
