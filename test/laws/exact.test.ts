import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import '../../bindings/solvers/kernel/inline.js';
import { type Formula, printFormula, untilForm } from '../../bindings/languages/logic/index.js';
import { closeChain } from '../../bindings/solvers/checker/closedChain.js';
import { exactProbabilities } from '../../bindings/solvers/checker/exact/exactEvent.js';
import { checkProperty, statesOf } from '../../bindings/solvers/checker/index.js';
import { pathEvent } from '../../bindings/solvers/checker/pathEvent.js';
import { type Dtmc, dtmcFromRows, type Transition } from '../../bindings/solvers/model/index.js';
import { ExactChain } from '../oracle/chain.js';
import { Rational } from '../oracle/rational.js';
import { exactWindowedUntil } from '../oracle/windowedUntil.js';
import { dyadicRow } from './chains.js';
import { predicates, temporalFormula } from './formulas.js';
import { runs } from './runs.js';

const place = { line: 1, column: 1, offset: 0 };
const STATES = 7;

/** A row of quotients, whose doubles rarely sum to 1 exactly, and sometimes to more. */
const quotientRow: fc.Arbitrary<Transition[]> = fc
  .tuple(
    fc.shuffledSubarray([...Array(STATES).keys()], { minLength: 1, maxLength: 4 }),
    fc.array(fc.integer({ min: 1, max: 99 }), { minLength: 4, maxLength: 4 }),
  )
  .map(([targets, weights]) => {
    const sum = targets.reduce((total, _, i) => total + weights[i], 0);
    return targets.map((t, i): Transition => [t, weights[i] / sum]).sort(([a], [b]) => a - b);
  });

function model(row: fc.Arbitrary<Transition[]>): fc.Arbitrary<Dtmc> {
  return fc
    .tuple(
      fc.array(row, { minLength: STATES, maxLength: STATES }),
      fc.array(fc.nat(7), { minLength: STATES, maxLength: STATES }),
    )
    .map(([rows, valuations]) =>
      dtmcFromRows(rows, {
        labels: Object.fromEntries(
          predicates.map((name, i) => [name, [...rows.keys()].filter((s) => (valuations[s] >> i) & 1)]),
        ),
      }),
    );
}

const path: fc.Arbitrary<Formula> = fc
  .tuple(temporalFormula, fc.boolean())
  .map(([formula, negate]) => (negate ? { kind: 'not', operand: formula, place } : formula));

function oracle(chain: Dtmc, formula: Formula): Rational[] {
  const { left, right, window, negated } = untilForm(formula);
  const values = exactWindowedUntil(
    new ExactChain(chain),
    statesOf(chain, left),
    statesOf(chain, right),
    window.from,
    window.to,
  );
  return negated ? values.map((value) => Rational.ONE.minus(value)) : values;
}

const truths = {
  '<': (sign: number) => sign < 0,
  '<=': (sign: number) => sign <= 0,
  '>=': (sign: number) => sign >= 0,
  '>': (sign: number) => sign > 0,
};
const operators = ['<', '<=', '>=', '>'] as const;

describe('exact arithmetic', () => {
  it('gives the very fraction that the definition does, whatever the rows sum to', () => {
    fc.assert(
      fc.property(fc.oneof(model(dyadicRow(STATES)), model(quotientRow)), path, (chain, formula) => {
        using closed = closeChain(chain);
        const event = pathEvent(chain, formula);
        const found = exactProbabilities(closed, event, [...Array(STATES).keys()], undefined);
        expect(found.map(({ lower }) => `${lower}`)).toEqual(oracle(chain, formula).map(String));
        expect(found.every(({ lower, upper }) => lower === upper)).toBe(true);
      }),
      { numRuns: runs(300) },
    );
  });

  it('spans the values of all ways to go on from a state without data', () => {
    const unbounded = path.filter((formula) => {
      const { window } = untilForm(formula);
      return window.from === 0 && window.to === null;
    });
    fc.assert(
      fc.property(model(dyadicRow(STATES)), unbounded, fc.nat(STATES - 1), (chain, formula, dark) => {
        const rows = [...Array(STATES).keys()].map((s) =>
          [...chain.columns.slice(chain.rowStart[s], chain.rowStart[s + 1])].map(
            (t, i): Transition => [t, chain.values[chain.rowStart[s] + i]],
          ),
        );
        const labels = (extra: Record<number, boolean[]> = {}) =>
          Object.fromEntries(
            predicates.map((name, i) => [
              name,
              [
                ...(chain.labels.get(name) ?? []),
                ...Object.keys(extra)
                  .map(Number)
                  .filter((s) => extra[s][i]),
              ],
            ]),
          );
        const unsure = dtmcFromRows(
          rows.map((row, s) => (s === dark ? null : row)),
          { labels: labels() },
        );
        using closed = closeChain(unsure);
        const [{ lower, upper }] = exactProbabilities(closed, pathEvent(unsure, formula), [0], undefined);
        // Wherever the dark state leads, be it to a state with any valuation that then stays, the value lies in between.
        for (let valuation = 0; valuation < 2 ** predicates.length; valuation++) {
          const lit = dtmcFromRows(
            [...rows.map((row, s): Transition[] => (s === dark ? [[STATES, 1]] : row)), [[STATES, 1]]],
            { labels: labels({ [STATES]: predicates.map((_, i) => ((valuation >> i) & 1) === 1) }) },
          );
          const value = oracle(lit, formula)[0];
          const below = value.minus(new Rational(lower.numerator, lower.denominator)).compare(0);
          const above = value.minus(new Rational(upper.numerator, upper.denominator)).compare(0);
          expect(below >= 0 && above <= 0, `${printFormula(formula)}: ${lower} <= ${value} <= ${upper}`).toBe(
            true,
          );
        }
      }),
      { numRuns: runs(100) },
    );
  });

  it('decides every threshold at the value itself and at the doubles around it', () => {
    fc.assert(
      fc.property(
        model(dyadicRow(STATES)),
        path,
        fc.constantFrom(...operators),
        (chain, formula, operator) => {
          const [value] = oracle(chain, formula);
          const nearest = Number(value.numerator) / Number(value.denominator);
          const thresholds = [nearest, nearest * (1 - 2 ** -52), nearest * (1 + 2 ** -52)];
          for (const threshold of thresholds) {
            if (!(threshold >= 0 && threshold <= 1)) continue;
            const bound = { operator, threshold, text: `${threshold}` };
            const answer = checkProperty(chain, { kind: 'probability', bound, path: formula, place });
            expect(
              answer.value,
              `P${operator}${threshold} [ ${printFormula(formula)} ] where P = ${value}`,
            ).toBe(truths[operator](value.compare(threshold)));
          }
        },
      ),
      { numRuns: runs(200) },
    );
  });
});
