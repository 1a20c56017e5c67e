import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import '../../bindings/kernel/inline.js';
import { buildAutomaton } from '../../bindings/automaton/index.js';
import { createGuard, Monitor, type Observed } from '../../bindings/guard/index.js';
import { parseFormula } from '../../bindings/logic/index.js';
import { guardFile, ruleOf } from '../unit/guard/guardFiles.js';

const FORMULAS = [
  'G !b',
  'G (a -> F<=2 b)',
  'G (a -> G<=3 !b)',
  '!b U a',
  'F b',
  'G (b -> O<=2 a)',
  'G (a -> X !b)',
];

/** One observation: whether a held in it, whether the action was "go", whether that did not run, and how many periods after the one before. */
const observation = fc.record({
  a: fc.boolean(),
  go: fc.boolean(),
  withheld: fc.boolean(),
  periods: fc.integer({ min: 1, max: 3 }),
});

describe('an action that does not run', () => {
  it.each(['error', 'hold'] as const)(
    'takes its time under a sampling period, with resample: %s',
    (resample) => {
      fc.assert(
        fc.property(
          fc.constantFrom(...FORMULAS),
          fc.array(observation, { minLength: 1, maxLength: 8 }),
          (formula, run) => {
            const automaton = buildAutomaton(parseFormula(formula));
            const file = guardFile([ruleOf(automaton, [0.1, 0.1, 0.1, 0.1], { formula })], {
              samplingPeriodSeconds: 0.5,
              resample,
              predicates: [
                { name: 'a', expression: 'a' },
                { name: 'b', expression: 'has(action.name) && action.name == "go"' },
              ],
            });
            const guard = createGuard(file);
            const again = createGuard(file);
            const byDefinition = new Monitor(automaton, ['a', 'b']);
            const recorded: Observed[] = [];
            let time = 3;
            let before = 0;
            run.forEach(({ a, go, withheld, periods }, i) => {
              const steps = resample === 'hold' && i > 0 ? periods : 1;
              time += 0.5 * steps;
              guard.step({ a }, { action: { name: go ? 'go' : 'stay' }, time });
              recorded.push(guard.observed());
              for (let held = 1; held < steps; held++) byDefinition.advance(Uint32Array.of(before));
              // The last action runs: what became of it is read in the step after.
              const runs = !withheld || i + 1 === run.length;
              if (!runs) guard.withhold();
              before = Number(a) + 2 * Number(go && runs);
              byDefinition.advance(Uint32Array.of(before));
            });
            expect(guard.rules[0].verdict).toBe(byDefinition.verdict);
            for (const one of JSON.parse(JSON.stringify(recorded)) as Observed[]) again.decideAgain(one);
            expect(again.rules[0].verdict).toBe(byDefinition.verdict);
            expect(again.observed()).toEqual(guard.observed());
          },
        ),
      );
    },
  );
});
