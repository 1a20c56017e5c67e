import { describe, expect, it } from 'vitest';
import '../../../bindings/solvers/kernel/inline.js';
import { bindAgentSpec, parseAgentSpec } from '../../../bindings/runtime/agentspec/index.js';
import { createGuard, type StrategyName } from '../../../bindings/runtime/guard/index.js';
import { guardFile, never, ruleOf } from '../guard/guardFiles.js';
import { RISKY, SAFE, setting } from './setting.js';

const swap = bindAgentSpec(
  parseAgentSpec('rule @swap\ntrigger\nmove\ncheck\ntrue\nenforce\ninvoke_action(gentle)\nend').rules,
  { predicates: {} },
);

describe("a reactive rule's replacement", () => {
  it.each<StrategyName>(['inspect', 'reflect'])(
    'does not run where a guard that judges states would %s, or cannot read the state',
    async (kind) => {
      const file = guardFile([ruleOf(never, [0.1, 0.9, 0.1, 0.1], { strategy: { kind } })], {
        onUnknown: 'inspect',
      });
      for (const [state, runs] of [
        [SAFE, 'brake'],
        [RISKY, null],
        [{ a: '?' }, null],
      ] as const) {
        const { session } = setting({
          guard: createGuard(file),
          rules: [swap],
          replacements: { gentle: { name: 'brake', arguments: {} } },
          state: () => state,
        });
        const verdict = await session.check({ id: '1', name: 'move', arguments: {} });
        expect(verdict.run?.name ?? null).toBe(runs);
      }
    },
  );
});
