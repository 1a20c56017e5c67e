import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import '../../bindings/solvers/kernel/inline.js';
import { type Formula, printFormula, untilForm } from '../../bindings/languages/logic/index.js';
import { checkProperty, statesOf } from '../../bindings/solvers/checker/index.js';
import { dtmcFromRows } from '../../bindings/solvers/model/index.js';
import { ExactChain } from '../oracle/chain.js';
import { Rational } from '../oracle/rational.js';
import { exactWindowedUntil } from '../oracle/windowedUntil.js';
import { brackets, dyadicRow } from './chains.js';
import { booleanFormula, predicates, temporalFormula } from './formulas.js';

const place = { line: 1, column: 1, offset: 0 };
const STATES = 7;

const model = fc
  .tuple(
    fc.array(dyadicRow(STATES), { minLength: STATES, maxLength: STATES }),
    fc.array(fc.nat(7), { minLength: STATES, maxLength: STATES }),
  )
  .map(([rows, valuations]) =>
    dtmcFromRows(rows, {
      initial: [...rows.keys()],
      labels: Object.fromEntries(
        predicates.map((name, i) => [name, [...rows.keys()].filter((s) => (valuations[s] >> i) & 1)]),
      ),
    }),
  );

const path: fc.Arbitrary<Formula> = fc
  .tuple(fc.oneof({ weight: 9, arbitrary: temporalFormula }, booleanFormula), fc.boolean())
  .map(([formula, negate]) => (negate ? { kind: 'not', operand: formula, place } : formula));

describe('the probability of a path formula', () => {
  it('is bracketed in every state, on random chains with exact rational answers', () => {
    fc.assert(
      fc.property(model, path, (chain, formula) => {
        const result = checkProperty(chain, { kind: 'probability', bound: null, path: formula, place });
        if (result.kind !== 'probability') throw new Error('no probability');
        const { left, right, window, negated } = untilForm(formula);
        const values = exactWindowedUntil(
          new ExactChain(chain),
          statesOf(chain, left),
          statesOf(chain, right),
          window.from,
          window.to,
        ).map((value) => (negated ? Rational.ONE.minus(value) : value));
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
          expect(asked('>', 0)).toBe(value.compare(0) > 0);
          expect(asked('>=', 1)).toBe(value.compare(1) >= 0);
        });
      }),
      { numRuns: 400 },
    );
  });
});
