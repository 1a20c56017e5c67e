import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import '../../bindings/solvers/kernel/inline.js';
import { buildAutomaton, OPEN } from '../../bindings/languages/automaton/index.js';
import { parseFormula } from '../../bindings/languages/logic/index.js';
import {
  createGuard,
  type Guard,
  type GuardFile,
  Monitor,
  type RecordedStep,
} from '../../bindings/runtime/guard/index.js';
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

interface Step {
  readonly state: { readonly a: boolean };
  readonly context: { readonly action: { readonly name: string }; readonly time: number };
  readonly isWithheld: boolean;
}

type Resample = 'error' | 'hold' | 'none';

/** A guard file of one rule, and a run of it with what its rule is to read by definition. */
const example = (resample: Resample) =>
  fc
    .record({
      formula: fc.constantFrom(...FORMULAS),
      run: fc.array(observation, { minLength: 1, maxLength: 8 }),
    })
    .map(({ formula, run }) => {
      const automaton = buildAutomaton(parseFormula(formula));
      const file = guardFile([ruleOf(automaton, [0.1, 0.1, 0.1, 0.1], { formula })], {
        ...(resample !== 'none' && { samplingPeriodSeconds: 0.5, resample }),
        predicates: [
          { name: 'a', expression: 'a' },
          { name: 'b', expression: 'has(action.name) && action.name == "go"' },
        ],
      });
      const byDefinition = new Monitor(automaton, ['a', 'b']);
      let time = 3;
      let before = 0;
      const steps = run.map(({ a, go, withheld, periods }, i): Step => {
        const passed = resample === 'hold' && i > 0 ? periods : 1;
        time += 0.5 * passed;
        for (let held = 1; held < passed; held++) byDefinition.advance(Uint32Array.of(before));
        // The last action runs: what became of it is read in the step after.
        const isWithheld = withheld && i + 1 < run.length;
        before = Number(a) + 2 * Number(go && !isWithheld);
        byDefinition.advance(Uint32Array.of(before));
        return { state: { a }, context: { action: { name: go ? 'go' : 'stay' }, time }, isWithheld };
      });
      return { file, steps, verdict: byDefinition.verdict };
    });

/** A guard that has decided the same. */
function resumed(file: GuardFile, recorded: readonly RecordedStep[]): Guard {
  const guard = createGuard(file);
  for (const one of JSON.parse(JSON.stringify(recorded)) as RecordedStep[]) guard.decideAgain(one);
  return guard;
}

describe.each(['error', 'hold', 'none'] as const)(
  'an action that does not run, with resample: %s',
  (resample) => {
    it('leaves the step as it is without it', () => {
      fc.assert(
        fc.property(example(resample), ({ file, steps, verdict }) => {
          const guard = createGuard(file);
          const recorded: RecordedStep[] = [];
          for (const { state, context, isWithheld } of steps) {
            guard.step(state, context);
            recorded.push(guard.observed());
            if (isWithheld) guard.withhold();
          }
          expect(guard.rules[0].verdict).toBe(verdict);
          const again = resumed(file, recorded);
          expect(again.rules[0].verdict).toBe(verdict);
          expect(again.observed()).toEqual(guard.observed());
        }),
      );
    });

    it('is never taken for another by a guard that is resumed between them', () => {
      fc.assert(
        fc.property(example(resample), ({ file, steps, verdict }) => {
          let guard = createGuard(file);
          const recorded: RecordedStep[] = [];
          for (const { state, context, isWithheld } of steps) {
            guard.step(state, context);
            recorded.push(guard.observed());
            guard = resumed(file, recorded);
            if (isWithheld) guard.withhold();
          }
          const found = guard.rules[0].verdict;
          if (found !== OPEN) expect(found).toBe(verdict);
        }),
      );
    });
  },
);
