import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import '../../bindings/solvers/kernel/inline.js';
import { InvalidArgumentError, InvalidModelError } from '../../bindings/base/errors.js';
import { buildAutomaton, VIOLATED } from '../../bindings/languages/automaton/index.js';
import { type Formula, printFormula } from '../../bindings/languages/logic/index.js';
import {
  type JointRiskSolution,
  jointViolationRisk,
  violationRisk,
} from '../../bindings/solvers/checker/index.js';
import { BitSet } from '../../bindings/solvers/kernel/index.js';
import { ruleProduct } from '../oracle/ruleProduct.js';
import { exactWindowedUntil } from '../oracle/windowedUntil.js';
import { brackets, learntChains } from './chains.js';
import { nestedFormula, ruleFormula } from './formulas.js';
import { runs } from './runs.js';

const atEnds = fc.constantFrom('strong' as const, 'weak' as const);
const place = { line: 1, column: 1, offset: 0 };

/** Rules that nothing can violate, and strong rules that are never judged, are no test. */
function unlessRefused<T>(solve: () => T): T {
  try {
    return solve();
  } catch (error) {
    if (error instanceof InvalidArgumentError || error instanceof InvalidModelError) fc.pre(false);
    throw error;
  }
}

/** Entries that are no `end`, as chain state and tuple. */
function entriesOf(
  { nodes, chainState, automatonState }: JointRiskSolution,
  end: number,
): { entry: number; state: number; tuple: number[] }[] {
  return Array.from({ length: nodes }, (_, entry) => ({
    entry,
    state: chainState[entry],
    tuple: automatonState.map((own) => own[entry]),
  })).filter(({ state }) => state !== end);
}

describe('the joint risk of several rules', () => {
  it('brackets the exact probability that any is violated, ever and within horizons, from every tuple', () => {
    fc.assert(
      fc.property(
        learntChains(4, false),
        fc.array(fc.record({ formula: ruleFormula, atEnd: atEnds }), { minLength: 1, maxLength: 3 }),
        fc.constantFrom('words' as const, 'start' as const),
        ({ rows, view }, formulas, from) => {
          const rules = formulas.map(({ formula, atEnd }) => ({ automaton: buildAutomaton(formula), atEnd }));
          const joint = unlessRefused(() =>
            jointViolationRisk({ chain: view, rules, horizons: [3, 1] }, { from }),
          );
          const entries = entriesOf(joint, view.end);
          fc.pre(entries.length <= 60);
          const product = ruleProduct(
            rows,
            view,
            rules,
            entries.map(({ state, tuple }) => [state, tuple]),
          );
          const everywhere = BitSet.full(product.chain.states);
          for (const steps of [null, 1, 3]) {
            const exact = exactWindowedUntil(product.chain, everywhere, product.violated, 0, steps);
            const { lower, upper } = steps === null ? joint : joint.horizons.get(steps)!;
            for (const { entry, state, tuple } of entries) {
              expect(brackets(lower[entry], exact[product.indexOf(state, tuple)], upper[entry])).toBe(true);
              expect(joint.find(state, tuple)).toBe(entry);
            }
          }
        },
      ),
      { numRuns: runs(60) },
    );
  });

  it('is that of the rule which is their conjunction, of strong rules on runs that end', () => {
    fc.assert(
      fc.property(
        learntChains(5, true),
        fc.array(nestedFormula, { minLength: 2, maxLength: 3 }),
        ({ view }, formulas) => {
          const rules = formulas.map((formula) => ({
            automaton: buildAutomaton(formula),
            atEnd: 'strong' as const,
          }));
          const joint = unlessRefused(() => jointViolationRisk({ chain: view, rules }));
          const all = formulas.reduce((left, right): Formula => ({ kind: 'and', left, right, place }));
          const whole = violationRisk({ chain: view, automaton: buildAutomaton(all), atEnd: 'strong' });
          expect(joint.start.lower, printFormula(all)).toBeLessThanOrEqual(whole.start.upper);
          expect(whole.start.lower, printFormula(all)).toBeLessThanOrEqual(joint.start.upper);
        },
      ),
      { numRuns: runs(80) },
    );
  });

  it('is at least that of each rule, at most their sum, and of weak rules at most that of their conjunction', () => {
    fc.assert(
      fc.property(learntChains(5, false), ruleFormula, ruleFormula, atEnds, ({ view }, one, other, atEnd) => {
        const rules = [one, other].map((formula) => ({ automaton: buildAutomaton(formula), atEnd }));
        const joint = unlessRefused(() => jointViolationRisk({ chain: view, rules }));
        const single = rules.map((rule) => unlessRefused(() => violationRisk({ chain: view, ...rule })));
        for (const { entry, state, tuple } of entriesOf(joint, view.end)) {
          const own = single.map(({ lower, upper }, i) => {
            const place = state * rules[i].automaton.states + tuple[i];
            return { lower: lower[place], upper: upper[place] };
          });
          for (const { lower } of own) expect(lower).toBeLessThanOrEqual(joint.upper[entry]);
          expect(joint.lower[entry]).toBeLessThanOrEqual(own[0].upper + own[1].upper);
          if (tuple.some((q, i) => rules[i].automaton.verdict[q] === VIOLATED))
            expect(joint.lower[entry]).toBe(1);
        }
        const both = buildAutomaton({ kind: 'and', left: one, right: other, place });
        const whole = unlessRefused(() => violationRisk({ chain: view, automaton: both, atEnd }));
        expect(joint.start.lower).toBeLessThanOrEqual(whole.start.upper);
      }),
      { numRuns: runs(80) },
    );
  });

  it('of one rule is its risk, bit by bit', () => {
    fc.assert(
      fc.property(learntChains(5, false), ruleFormula, atEnds, ({ view }, formula, atEnd) => {
        const rule = { automaton: buildAutomaton(formula), atEnd };
        const single = unlessRefused(() => violationRisk({ chain: view, ...rule, horizons: [2] }));
        const joint = jointViolationRisk({ chain: view, rules: [rule], horizons: [2] });
        expect(joint.start).toEqual(single.start);
        for (const { entry, state, tuple } of entriesOf(joint, view.end)) {
          const place = state * rule.automaton.states + tuple[0];
          expect([joint.lower[entry], joint.upper[entry]]).toEqual([
            single.lower[place],
            single.upper[place],
          ]);
          expect(joint.horizons.get(2)!.upper[entry]).toBe(single.horizons.get(2)!.upper[place]);
        }
      }),
      { numRuns: runs(30) },
    );
  });
});
