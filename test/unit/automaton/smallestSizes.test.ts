import { expect, it } from 'vitest';
import { buildAutomaton } from '../../../bindings/languages/automaton/index.js';
import { parseFormula } from '../../../bindings/languages/logic/index.js';
import sizes from './data/smallestSizes.json' with { type: 'json' };

/**
 * Numbers of states that MONA 1.4 found through LTLf2DFA for random formulas; the second is for tools that take the empty trace the
 * other way. A formula of the past is judged there at a trace's last position.
 */
it.each([
  ['the future', sizes.future, (text: string) => text],
  ['the past', sizes.past, (text: string) => `F ((!(X true)) & (${text}))`],
] as const)('automata of formulas of %s are as small as those of another tool', (_, rows, rule) => {
  expect(rows.length).toBeGreaterThan(30);
  for (const [text, fewest, most] of rows) {
    const { states } = buildAutomaton(parseFormula(rule(text as string)));
    expect(states, text as string).toBeGreaterThanOrEqual(fewest as number);
    expect(states, text as string).toBeLessThanOrEqual(most as number);
  }
});
