import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import '../../bindings/kernel/inline.js';
import { checkProperty, statesOf } from '../../bindings/checker/index.js';
import { type Formula, printFormula, untilForm } from '../../bindings/logic/index.js';
import { dtmcFromRows } from '../../bindings/model/index.js';
import { exactWindowedUntil, Fraction } from '../oracle/linear.js';
import { brackets, dyadicRow, exact } from './chains.js';
import { booleanFormula, predicates, temporalFormula } from './formulas.js';

const place = { line: 1, column: 1, offset: 0 };
const STATES = 7;

const model = fc
  .tuple(
    fc.array(dyadicRow(STATES), { minLength: STATES, maxLength: STATES }),
    fc.array(fc.nat(7), { minLength: STATES, maxLength: STATES }),
  )
  .map(([rows, valuations]) => ({
    rows,
    chain: dtmcFromRows(rows, {
      initial: [...rows.keys()],
      labels: Object.fromEntries(
        predicates.map((name, i) => [name, [...rows.keys()].filter((s) => (valuations[s] >> i) & 1)]),
      ),
    }),
  }));

const path: fc.Arbitrary<Formula> = fc
  .tuple(fc.oneof({ weight: 9, arbitrary: temporalFormula }, booleanFormula), fc.boolean())
  .map(([formula, negate]) => (negate ? { kind: 'not', operand: formula, place } : formula));

describe('the probability of a path formula', () => {
  it('is bracketed in every state, on random chains with exact rational answers', () => {
    fc.assert(
      fc.property(model, path, ({ rows, chain }, formula) => {
        const result = checkProperty(chain, { kind: 'probability', bound: null, path: formula, place });
        if (result.kind !== 'probability') throw new Error('no probability');
        const { left, right, window, negated } = untilForm(formula);
        const remain = statesOf(chain, left);
        const target = statesOf(chain, right);
        const values = exactWindowedUntil(
          exact(rows),
          (s) => remain.has(s),
          (s) => target.has(s),
          window.from,
          window.to,
        ).map((value) => (negated ? Fraction.one.minus(value) : value));
        const { lower, upper } = result.solution;
        values.forEach((value, s) => {
          expect(brackets(lower[s], value, upper[s]), `${printFormula(formula)} at ${s}`).toBe(true);
          expect(upper[s] - lower[s]).toBeLessThanOrEqual(2e-6);
          // What the graph says must be what the numbers say.
          const asked = (operator: '>' | '>=', threshold: number) =>
            checkProperty(
              { ...chain, initial: [s] },
              {
                kind: 'probability',
                bound: { operator, threshold, text: `${threshold}` },
                path: formula,
                place,
              },
            ).value;
          expect(asked('>', 0)).toBe(!value.isZero());
          expect(asked('>=', 1)).toBe(Fraction.one.atMost(value));
        });
      }),
      { numRuns: 400, seed: 11 },
    );
  });
});
