import { expect, it } from 'vitest';
import { firstStepRules } from '../../../bindings/face/cli/firstStepRules.js';
import { runRuleTests } from '../../../bindings/face/cli/runRuleTests.js';
import { parseSpecification } from '../../../bindings/rules/specification/index.js';

const toldOf = (formula: string) => firstStepRules([{ name: 'r', formula }]).length === 1;

it.each(['!w', 'w -> O v', 'H !w', 'count(w) <= 3', '"a b" & !w', 'w'])(
  'a rule without an operator of the future is named: %s',
  (formula) => expect(toldOf(formula)).toBe(true),
);

it.each(['G !w', 'F w', '!(F w)', '(X w) | v', 'w -> F v', 'v W w', 'always(!w)', 'P<0.1 [ F w ]'])(
  'others are not: %s',
  (formula) => expect(toldOf(formula)).toBe(false),
);

it('such a rule stops a first call, and no later one', async () => {
  const [first, later] = await runRuleTests(
    parseSpecification(`version: 1
predicates: { deletes: 'has(action.name) && action.name == "delete"' }
rules: { none: { formula: '!deletes' } }
tests:
  - { name: first, run: [delete], expect: { stopped: 0, by: none } }
  - { name: later, run: [look, delete], expect: allowed }`),
  );
  expect([first.passed, later.passed]).toEqual([true, true]);
});
