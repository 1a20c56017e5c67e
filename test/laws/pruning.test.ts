import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bindAutomaton, buildAutomaton, VIOLATED } from '../../bindings/languages/automaton/index.js';
import { type Formula, parseFormula, printFormula } from '../../bindings/languages/logic/index.js';
import { createPruner } from '../../bindings/runtime/explanation/index.js';
import { holds, type Position } from '../oracle/ltlf.js';
import { nestedFormula, predicates, ruleFormula } from './formulas.js';

const position = (bits: number): Position =>
  Object.fromEntries(predicates.map((name, i) => [name, ((bits >> i) & 1) === 1]));
const letters = Array.from({ length: 8 }, (_, bits) => bits);
const word = (most: number) => fc.array(fc.nat(7), { maxLength: most });
/** Automata of so few states that some continuation of up to 3 steps leads wherever one can get. */
const small = fc.oneof(ruleFormula, nestedFormula).filter((formula) => buildAutomaton(formula).states <= 4);

/** Whether some continuation of up to so many steps satisfies the formula. */
function satisfiable(formula: Formula, trace: readonly Position[], steps: number): boolean {
  if (holds(formula, trace)) return true;
  return steps > 0 && letters.some((bits) => satisfiable(formula, [...trace, position(bits)], steps - 1));
}

const prunerOf = (formulas: readonly Formula[], jointly = false) =>
  createPruner({ rules: formulas.map((formula, i) => ({ name: `rule${i}`, formula })), jointly });

describe('pruning', () => {
  it('refuses an action exactly if no continuation of what it leads to satisfies some rule', () => {
    let refusals = 0;
    fc.assert(
      fc.property(fc.array(small, { minLength: 1, maxLength: 2 }), word(3), (formulas, past) => {
        const pruner = prunerOf(formulas);
        for (const letter of past) pruner.observe(position(letter));
        const proposals = letters.map((action) => ({ action, valuation: position(action) }));
        const { permitted, refused } = pruner.filterActions(proposals);
        for (const action of letters) {
          const trace = [...past, action].map(position);
          const broken = formulas.flatMap((formula, i) =>
            satisfiable(formula, trace, 3) ? [] : [`rule${i}`],
          );
          const text = `${formulas.map(printFormula)} on ${past} then ${action}`;
          expect(permitted.includes(action), text).toBe(broken.length === 0);
          expect(refused.find((one) => one.action === action)?.rules ?? [], text).toEqual(broken);
          refusals += broken.length;
        }
      }),
      { numRuns: 30 },
    );
    expect(refusals).toBeGreaterThan(25);
  });

  it('finds the step of a plan at which running the automaton does', () => {
    fc.assert(
      fc.property(fc.oneof(ruleFormula, nestedFormula), word(4), word(8), (formula, past, plan) => {
        const automaton = buildAutomaton(formula);
        const stepper = bindAutomaton(automaton, predicates);
        const after = (steps: readonly number[]): number =>
          steps.reduce((q, letter) => stepper.step(q, Uint32Array.of(letter)), automaton.initial);
        const step = plan.findIndex(
          (_, i) => automaton.verdict[after([...past, ...plan.slice(0, i + 1)])] === VIOLATED,
        );
        const pruner = prunerOf([formula]);
        for (const letter of past) pruner.observe(position(letter));
        const text = `${printFormula(formula)} on ${past} then ${plan}`;
        expect(pruner.wouldViolate(plan.map(position))?.step ?? -1, text).toBe(step);
        const trace = [...past, ...plan].map(position);
        if (step >= 0 || trace.length === 0) return;
        expect(pruner.wouldViolate(plan.map(position), { ends: true })?.step ?? -1, text).toBe(
          holds(formula, trace) ? -1 : plan.length,
        );
      }),
      { numRuns: 120 },
    );
  });

  it('looks at all rules at once as at their conjunction', () => {
    fc.assert(
      fc.property(small, small, fc.nat(7), (one, other, letter) => {
        const both: Formula = { kind: 'and', left: one, right: other, place: one.place };
        const proposal = [{ action: 'act', valuation: position(letter) }];
        expect(prunerOf([one, other], true).filterActions(proposal).permitted).toEqual(
          prunerOf([both]).filterActions(proposal).permitted,
        );
      }),
      { numRuns: 40 },
    );
  });

  it('under constraints counts the continuations that meet them', () => {
    const constraints = { state: '!(a && c)', transition: 'from.a || !to.b', end: 'a || b || c' };
    const valid = (trace: readonly Position[], ended: boolean): boolean =>
      trace.every(({ a, b, c }, i) => !(a && c) && (i === 0 || trace[i - 1].a || !b)) &&
      (!ended || ['a', 'b', 'c'].some((name) => trace[trace.length - 1][name]));
    const validly = (formula: Formula, trace: readonly Position[], steps: number): boolean => {
      if (!valid(trace, false)) return false;
      if (valid(trace, true) && holds(formula, trace)) return true;
      return steps > 0 && letters.some((bits) => validly(formula, [...trace, position(bits)], steps - 1));
    };
    const rules = fc.constantFrom(
      'F b',
      'G (a -> X b)',
      'F (b & !a)',
      'X b',
      'G !a',
      'c U b',
      'F<=2 b',
      'G (c -> X c)',
    );
    fc.assert(
      fc.property(rules, fc.nat(7), fc.nat(7), (formula, first, second) => {
        const pruner = createPruner({ rules: [{ name: 'rule', formula }], constraints });
        const trace = [first, second].map(position);
        const violation = pruner.wouldViolate(trace.map((step) => ({ ...step })));
        const parsed = parseFormula(formula);
        const firstBad = [1, 2].find((length) => !validly(parsed, trace.slice(0, length), 4));
        expect(violation === null ? undefined : violation.step + 1, `${formula} on ${first},${second}`).toBe(
          firstBad,
        );
      }),
      { numRuns: 40 },
    );
  });
});
