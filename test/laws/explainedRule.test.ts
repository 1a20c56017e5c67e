import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvalidArgumentError, NotSupportedError } from '../../bindings/base/errors.js';
import { bindAutomaton, OPEN } from '../../bindings/languages/automaton/index.js';
import { type Formula, parseFormula, printFormula } from '../../bindings/languages/logic/index.js';
import { compileRules, parseSpecification } from '../../bindings/rules/specification/index.js';
import { type Explanation, explainRule, explainVerdict } from '../../bindings/runtime/explanation/index.js';
import { createGuard, type Guard } from '../../bindings/runtime/guard/index.js';
import { holds, type Position } from '../oracle/ltlf.js';
import { nestedFormula, operatorFormula, operators, predicates, ruleFormula } from './formulas.js';
import { runs } from './runs.js';

type Step = Readonly<Record<string, boolean | undefined>>;

const place = { line: 1, column: 1, offset: 0 };

/** `G (… -> …)`, as most rules are, of the past on the left and of the future on the right. */
const triggered = fc
  .tuple(
    fc.oneof(operatorFormula('O'), operatorFormula('H'), operatorFormula('S'), nestedFormula),
    fc.oneof(...operators.map(operatorFormula), nestedFormula),
    fc.boolean(),
  )
  .map(([past, future, turned]): Formula => {
    const [left, right] = turned ? [future, past] : [past, future];
    const operand: Formula = { kind: 'implies', left, right, place };
    return { kind: 'unary', operator: 'G', operand, window: null, place };
  });
const formulas = fc.oneof(nestedFormula, ruleFormula, triggered, triggered);

/** A step, of which some predicates may not be readable. */
const stepOf = (bits: number, unread = 0): Step =>
  Object.fromEntries(
    predicates.map((name, i) => [name, (unread >> i) & 1 ? undefined : ((bits >> i) & 1) === 1]),
  );

/** A guard of one rule; what no guard can be made of is no test, nor a rule that is decided before the first step. */
function guardOf(formula: Formula): Guard {
  try {
    const specification = parseSpecification(
      JSON.stringify({
        version: 1,
        predicates: Object.fromEntries(predicates.map((name) => [name, name])),
        rules: { rule: { formula: printFormula(formula), atEnd: 'strong', strategy: 'block' } },
      }),
    );
    const guard = createGuard(compileRules(specification));
    fc.pre(guard.rules[0].verdict === OPEN);
    return guard;
  } catch (error) {
    if (error instanceof InvalidArgumentError || error instanceof NotSupportedError) fc.pre(false);
    throw error;
  }
}

/** The drawn letters, each replaced by the next one if it would decide the rule: a long run is open only by luck. */
function openRun(guard: Guard, drawn: readonly number[]): number[] {
  const { automaton } = guard.file.rules[0];
  const stepper = bindAutomaton(automaton, predicates);
  const run: number[] = [];
  let q = automaton.initial;
  for (const letter of drawn) {
    const open = [0, 1, 2, 3, 4, 5, 6, 7]
      .map((more) => (letter + more) % 8)
      .find((next) => automaton.verdict[stepper.step(q, Uint32Array.of(next))] === OPEN);
    if (open === undefined) break;
    run.push(open);
    q = stepper.step(q, Uint32Array.of(open));
  }
  return run;
}

function take(guard: Guard, step: Step): void {
  guard.step(Object.fromEntries(Object.entries(step).filter(([, value]) => value !== undefined)));
}

function explained(guard: Guard, ended: boolean): Explanation {
  return explainRule(guard, 'rule', { ended }) as Explanation;
}

/** No deadline is over: what is due can still be done. */
function expectTimely({ obligations, text }: Explanation): void {
  for (const { stepsLeft } of obligations) if (stepsLeft !== null) expect(stepsLeft, text).toBeGreaterThan(0);
}

const letters = (minLength: number, maxLength: number) => fc.array(fc.nat(7), { minLength, maxLength });

describe("a guard's rule", () => {
  it('is explained as its formula is on the whole run, after each step, while all steps are kept', () => {
    let due = 0;
    fc.assert(
      fc.property(
        formulas,
        fc.array(fc.tuple(fc.nat(7), fc.oneof(fc.constant(0), fc.constant(0), fc.nat(7))), {
          minLength: 1,
          maxLength: 14,
        }),
        fc.boolean(),
        (formula, word, ended) => {
          const guard = guardOf(formula);
          const { automaton } = guard.file.rules[0];
          const steps: Step[] = [];
          for (const [bits, unread] of word) {
            steps.push(stepOf(bits, unread));
            take(guard, steps[steps.length - 1]);
            const found = explained(guard, ended);
            expect(found).toEqual(explainVerdict(formula, steps, { ended, automaton }));
            expectTimely(found);
            due += found.obligations.filter(({ stepsLeft }) => stepsLeft !== null).length;
          }
        },
      ),
      { numRuns: runs(300) },
    );
    // A few formulas bring most of what is due, so the sum varies: 154 to over 1,000 were seen.
    expect(due).toBeGreaterThan(20);
  });

  it('names what is due also where the first steps are no longer kept: a run keeps the rule exactly if it does all of that', () => {
    let due = 0;
    let lost = 0;
    fc.assert(
      fc.property(
        fc.oneof(nestedFormula, triggered, triggered),
        letters(72, 84),
        letters(0, 8),
        (formula, drawn, more) => {
          const guard = guardOf(formula);
          const run = openRun(guard, drawn).map((bits) => stepOf(bits) as Position);
          run.forEach((step, i) => {
            take(guard, step);
            if (i < 64) return;
            const found = explained(guard, false);
            expectTimely(found);
            if (found.text.includes('made due is not known')) return;
            if (guard.history.first > 0) lost++;
            due += found.obligations.filter(({ standing }) => !standing).length;
            const whole = [...run.slice(0, i + 1), ...more.map((bits) => stepOf(bits) as Position)];
            const met = found.obligations.every(({ formula: text, since }) =>
              holds(parseFormula(text), whole, since),
            );
            expect(met, `${printFormula(formula)}, ${found.text}`).toBe(holds(formula, whole));
          });
        },
      ),
      { numRuns: runs(200) },
    );
    expect(Math.min(due, lost)).toBeGreaterThan(50);
  });
});
