import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import '../../bindings/solvers/kernel/inline.js';
import { InvalidArgumentError, InvalidModelError } from '../../bindings/base/errors.js';
import {
  bindAutomaton,
  buildAutomaton,
  SATISFIED,
  VIOLATED,
} from '../../bindings/languages/automaton/index.js';
import { type Formula, printFormula } from '../../bindings/languages/logic/index.js';
import { type ChainView, violationRisk } from '../../bindings/solvers/checker/index.js';
import { openJointProduct } from '../../bindings/solvers/checker/jointProduct.js';
import { BitSet } from '../../bindings/solvers/kernel/index.js';
import type { Transition } from '../../bindings/solvers/model/index.js';
import { holds, type Position } from '../oracle/ltlf.js';
import { Rational } from '../oracle/rational.js';
import { ruleProduct } from '../oracle/ruleProduct.js';
import { exactWindowedUntil } from '../oracle/windowedUntil.js';
import { brackets, learntChains } from './chains.js';
import { predicates, ruleFormula } from './formulas.js';

const position = (bits: number): Position =>
  Object.fromEntries(predicates.map((name, i) => [name, ((bits >> i) & 1) === 1]));

/** All runs to `end` from a state, with their exact probabilities, as the states passed after it. */
function* runs(
  rows: readonly (readonly Transition[])[],
  s: number,
): Generator<{ path: number[]; probability: Rational }> {
  for (const [t, p] of rows[s]) {
    const one = Rational.fromDouble(p);
    if (t === rows.length - 1) yield { path: [], probability: one };
    else
      for (const { path, probability } of runs(rows, t))
        yield { path: [t, ...path], probability: one.times(probability) };
  }
}

/** Risk by the rule's definition; rules that nothing can violate are no test. */
function risk(
  view: ChainView,
  formula: Formula,
  atEnd: 'strong' | 'weak',
  horizonSteps: number | null = null,
) {
  try {
    return violationRisk({ chain: view, automaton: buildAutomaton(formula), atEnd, horizonSteps });
  } catch (error) {
    if (error instanceof InvalidArgumentError || error instanceof InvalidModelError) fc.pre(false);
    throw error;
  }
}

describe('the risk of a rule on a chain', () => {
  it('is the probability that the finished run breaks the formula, by its definition, after every history', () => {
    fc.assert(
      fc.property(learntChains(5, true), ruleFormula, ({ rows, valuations, view }, formula) => {
        const { lower, upper, start } = risk(view, formula, 'strong');
        const automaton = buildAutomaton(formula);
        const stepper = bindAutomaton(automaton, predicates);
        const letters = (path: readonly number[]): Position[] => path.map((s) => position(valuations[s - 1]));
        const broken = (history: readonly number[], from: number): Rational => {
          let sum = Rational.ZERO;
          for (const { path, probability } of runs(rows, from)) {
            if (!holds(formula, letters([...history, ...path]))) sum = sum.plus(probability);
          }
          return sum;
        };
        expect(brackets(start.lower, broken([], 0), start.upper), printFormula(formula)).toBe(true);
        const visit = (history: readonly number[], q: number): void => {
          const s = history.at(-1) as number;
          const entry = s * automaton.states + q;
          expect(
            brackets(lower[entry], broken(history, s), upper[entry]),
            `${printFormula(formula)} after ${history}`,
          ).toBe(true);
          for (const [t] of rows[s]) {
            if (t <= valuations.length) visit([...history, t], stepper.step(q, view.valuations, t));
          }
        };
        for (const [s] of rows[0]) visit([s], stepper.step(automaton.initial, view.valuations, s));
      }),
      { numRuns: 300 },
    );
  });

  it('is the exact solution of the product, cycles included, weak and strong, ever and within a horizon', () => {
    fc.assert(
      fc.property(
        learntChains(5, false),
        ruleFormula,
        fc.constantFrom('strong' as const, 'weak' as const),
        fc.option(fc.nat(6)),
        ({ rows, view }, formula, atEnd, horizon) => {
          const automaton = buildAutomaton(formula);
          const { lower, upper } = risk(view, formula, atEnd, horizon);
          const entries = [...upper.keys()].filter((entry) => !Number.isNaN(upper[entry]));
          const pairs = entries.map(
            (entry) => [Math.floor(entry / automaton.states), [entry % automaton.states]] as const,
          );
          const { chain, violated, indexOf } = ruleProduct(rows, view, [{ automaton, atEnd }], pairs);
          const values = exactWindowedUntil(chain, BitSet.full(chain.states), violated, 0, horizon);
          for (const [i, entry] of entries.entries()) {
            const exact = values[indexOf(...pairs[i])];
            expect(brackets(lower[entry], exact, upper[entry]), printFormula(formula)).toBe(true);
          }
          expect(entries.length).toBeGreaterThanOrEqual(rows.length - 2);
        },
      ),
      { numRuns: 400 },
    );
  });

  it('is 1 at violated, 0 at satisfied, grows with the horizon, and is not smaller strong than weak', () => {
    fc.assert(
      fc.property(learntChains(5, false), ruleFormula, ({ view }, formula) => {
        const strong = risk(view, formula, 'strong');
        const automaton = buildAutomaton(formula);
        const within = [0, 1, 2, 5, 20].map((horizon) => risk(view, formula, 'strong', horizon));
        const weak = Array.from(automaton.verdict).includes(VIOLATED)
          ? risk(view, formula, 'weak')
          : undefined;
        strong.upper.forEach((upper, entry) => {
          if (Number.isNaN(upper)) return;
          const verdict = automaton.verdict[entry % automaton.states];
          if (verdict === VIOLATED) expect(strong.lower[entry]).toBe(1);
          if (verdict === SATISFIED) expect(upper).toBe(0);
          within.reduce((before, now) => {
            expect(before.lower[entry]).toBeLessThanOrEqual(now.upper[entry]);
            return now;
          });
          expect(within.at(-1)!.lower[entry]).toBeLessThanOrEqual(upper);
          if (weak) expect(weak.lower[entry]).toBeLessThanOrEqual(upper);
        });
      }),
      { numRuns: 300 },
    );
  });

  it('has an entry for every state a monitor can be in, whatever it reads, and no row that does not sum to 1', () => {
    fc.assert(
      fc.property(
        learntChains(5, false),
        ruleFormula,
        fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 10 }),
        ({ view }, formula, path) => {
          const automaton = buildAutomaton(formula);
          using product = openJointProduct(view, [{ automaton, atEnd: 'strong' }], { withMatrix: true });
          const { rowStart, values } = product.matrix!;
          const stepper = bindAutomaton(automaton, predicates);
          let q = automaton.initial;
          for (const s of path) {
            q = stepper.step(q, view.valuations, s);
            expect(product.find(s, [q])).toBeGreaterThanOrEqual(0);
          }
          for (let node = 0; node < product.nodes; node++) {
            const row = values.subarray(rowStart[node], rowStart[node + 1]);
            expect(row.reduce((sum, p) => sum + p, 0)).toBe(1);
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});
