import { expect, it } from 'vitest';
import { compileRules, parseSpecification } from '../../bindings/rules/specification/index.js';
import { explainRule } from '../../bindings/runtime/explanation/index.js';
import { createGuard } from '../../bindings/runtime/guard/index.js';

it('a history that grows after it has lost steps does not have these again', () => {
  const specification = parseSpecification(
    JSON.stringify({
      version: 1,
      predicates: { a: 'a' },
      rules: { rule: { formula: 'G ((X a) -> O[2,2] !a)', strategy: 'block' } },
    }),
  );
  const guard = createGuard(compileRules(specification));
  // The rule's automaton leaves its initial state at step 10; the steps from 8 on are kept for it, and 0 to 7 are lost before.
  for (let step = 0; step < 80; step++) {
    guard.step({ a: [0, 10, 11].includes(step) });
    expect(guard.history.first).toBe(Math.min(8, Math.max(0, step - 63)));
    expect(explainRule(guard, 'rule')?.text).toMatch(
      step < 64 ? /^open/ : /: nothing is due, but every step must have `\(X a\) -> O\[2,2\] !a`$/,
    );
  }
});
