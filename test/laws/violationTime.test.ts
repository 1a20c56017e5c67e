import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import '../../bindings/solvers/kernel/inline.js';
import { InvalidArgumentError, InvalidModelError } from '../../bindings/base/errors.js';
import { buildAutomaton, statesAfterWords } from '../../bindings/languages/automaton/index.js';
import { type Formula, printFormula } from '../../bindings/languages/logic/index.js';
import { type TimeSolution, violationTime } from '../../bindings/solvers/checker/index.js';
import { BitSet } from '../../bindings/solvers/kernel/index.js';
import { ExactChain } from '../oracle/chain.js';
import { Rational } from '../oracle/rational.js';
import { accumulated } from '../oracle/rewards.js';
import { type RuleProduct, ruleProduct } from '../oracle/ruleProduct.js';
import { brackets, chainView, type LearntChain, learntChains } from './chains.js';
import { nestedFormula, predicates, ruleFormula } from './formulas.js';
import { runs } from './runs.js';

const HORIZON = 8;
const atEnds = fc.constantFrom('strong' as const, 'weak' as const);

interface Case {
  readonly times: TimeSolution;
  readonly product: RuleProduct;
  /** Entries with a time, and the product's state of each. */
  readonly entries: readonly { entry: number; node: number }[];
}

function caseOf({ rows, view }: LearntChain, formula: Formula, atEnd: 'strong' | 'weak'): Case {
  const automaton = buildAutomaton(formula);
  let times: TimeSolution;
  try {
    times = violationTime({ chain: view, automaton, atEnd, horizonSteps: HORIZON });
  } catch (error) {
    if (error instanceof InvalidArgumentError || error instanceof InvalidModelError) fc.pre(false);
    throw error;
  }
  const pairs = Array.from({ length: rows.length - 2 }, (_, i) => i + 1).flatMap((s) =>
    statesAfterWords(automaton).map((q) => ({ s, q, entry: s * automaton.states + q })),
  );
  const known = pairs.filter(({ entry }) => {
    try {
      return times.at(entry) !== undefined;
    } catch {
      return false;
    }
  });
  const product = ruleProduct(
    rows,
    view,
    [{ automaton, atEnd }],
    known.map(({ s, q }) => [s, [q]]),
  );
  return {
    times,
    product,
    entries: known.map(({ s, q, entry }) => ({ entry, node: product.indexOf(s, [q]) })),
  };
}

/** A state without data goes on so: a violation after so many more steps with a chance in 64, or none ever. */
interface After {
  readonly chance: number;
  readonly delay: number;
}

/** A product in which each unknown state goes on in some way. */
function complete(
  { chain, violated }: RuleProduct,
  unknown: readonly number[],
  afters: readonly After[],
): { chain: ExactChain; violated: BitSet } {
  const rows = chain.rows.map((row) => new Map(row));
  const [good, bad] = [0, 1];
  for (const [i, node] of unknown.entries()) {
    const { chance, delay } = afters[i];
    // A line of `delay` states, the last of which leads to the violation.
    const line = Array.from({ length: delay }, (_, k) => rows.length + k);
    for (const k of line.keys()) rows.push(new Map([[line[k + 1] ?? bad, Rational.ONE]]));
    const violation = new Rational(BigInt(chance), 64n);
    rows[node] = new Map(
      [[line[0] ?? bad, violation] as const, [good, Rational.ONE.minus(violation)] as const].filter(
        ([, p]) => p.compare(0) > 0,
      ),
    );
  }
  return {
    chain: new ExactChain(rows),
    violated: BitSet.where(rows.length, (s) => s < violated.size && violated.has(s)),
  };
}

describe('the time to a violation', () => {
  it('has the exact distribution, step by step, and brackets its quantiles', () => {
    fc.assert(
      fc.property(learntChains(4, false), ruleFormula, atEnds, (chain, formula, atEnd) => {
        const { times, product, entries } = caseOf(chain, formula, atEnd);
        const { chain: exact, violated } = product;
        const everywhere = BitSet.full(exact.states);
        const risk = exact.until(everywhere, violated);
        const byStep = Array.from({ length: HORIZON + 1 }, (_, k) =>
          exact.boundedUntil(everywhere, violated, k),
        );
        for (const { entry, node } of entries) {
          const time = times.at(entry);
          expect(brackets(time.risk.lower, risk[node], time.risk.upper)).toBe(true);
          for (const [k, values] of byStep.entries())
            expect(brackets(time.within.lower[k], values[node], time.within.upper[k])).toBe(true);
          for (const part of [0.25, 0.5, 0.875]) {
            const quantile = time.quantile(part);
            if (quantile === null) {
              expect(risk[node].compare(0)).toBe(0);
              continue;
            }
            const wanted = risk[node].times(Rational.fromDouble(part));
            const found = byStep.findIndex((values) => values[node].compare(wanted) >= 0);
            const k = found < 0 ? HORIZON + 1 : found;
            expect(quantile.lower, printFormula(formula)).toBeLessThanOrEqual(k);
            expect(quantile.upper, printFormula(formula)).toBeGreaterThanOrEqual(k);
          }
        }
      }),
      { numRuns: runs(50) },
    );
  });

  it('has the exact mean: of what comes at each step, on runs that end, and of its equations on others', () => {
    fc.assert(
      fc.property(fc.boolean(), nestedFormula, atEnds, fc.gen(), (forward, formula, atEnd, generate) => {
        const chain = generate(learntChains, 5, forward);
        const { times, product, entries } = caseOf(chain, formula, atEnd);
        const { chain: exact, violated } = product;
        const everywhere = BitSet.full(exact.states);
        const risk = exact.until(everywhere, violated);
        let sums: readonly (Rational | null)[];
        if (forward) {
          // No run has more than 6 steps: the sum over k of k times what is added by step k.
          const byStep = Array.from({ length: 7 }, (_, k) => exact.boundedUntil(everywhere, violated, k));
          sums = risk.map((_, node) =>
            byStep.reduce(
              (sum, values, k) =>
                k === 0
                  ? sum
                  : sum.plus(values[node].minus(byStep[k - 1][node]).times(Rational.fromDouble(k))),
              Rational.ZERO,
            ),
          );
        } else {
          const open = (node: number) => !violated.has(node) && risk[node].compare(0) > 0;
          sums = accumulated(exact, risk, open, () => true);
        }
        for (const { entry, node } of entries) {
          const { expected } = times.at(entry);
          if (risk[node].compare(0) === 0) {
            expect(expected).toBeNull();
            continue;
          }
          const mean = (sums[node] as Rational).dividedBy(risk[node]);
          expect(brackets(expected!.lower, mean, expected!.upper), printFormula(formula)).toBe(true);
          expect(expected!.upper - expected!.lower).toBeLessThan(1e-4 * Math.max(1, expected!.lower));
        }
      }),
      { numRuns: runs(60) },
    );
  });

  it('holds whatever comes after a state without data: at any chance, and however late', () => {
    const after = fc.record({ chance: fc.integer({ min: 0, max: 64 }), delay: fc.nat(3) });
    fc.assert(
      fc.property(
        learntChains(4, false),
        ruleFormula,
        atEnds,
        fc.array(after, { minLength: 16, maxLength: 16 }),
        ({ rows, valuations }, formula, atEnd, afters) => {
          const dark = rows.map((row, s) => (s === 2 ? [] : row));
          const chain = { rows: dark, view: chainView(dark, valuations, predicates), valuations };
          const { times, product, entries } = caseOf(chain, formula, atEnd);
          const unknown = [...product.withoutData];
          fc.pre(unknown.length > 0 && unknown.length <= 16);
          const completed = complete(product, unknown, afters);
          const everywhere = BitSet.full(completed.chain.states);
          const risk = completed.chain.until(everywhere, completed.violated);
          const open = (node: number) => !completed.violated.has(node) && risk[node].compare(0) > 0;
          const sums = accumulated(completed.chain, risk, open, () => true);
          const byStep = Array.from({ length: HORIZON + 1 }, (_, k) =>
            completed.chain.boundedUntil(everywhere, completed.violated, k),
          );
          for (const { entry, node } of entries) {
            const time = times.at(entry);
            expect(brackets(time.risk.lower, risk[node], time.risk.upper)).toBe(true);
            for (const [k, values] of byStep.entries())
              expect(brackets(time.within.lower[k], values[node], time.within.upper[k])).toBe(true);
            if (risk[node].compare(0) === 0) continue;
            const mean = (sums[node] as Rational).dividedBy(risk[node]);
            expect(mean.compare(time.expected!.lower)).toBeGreaterThanOrEqual(0);
            if (time.expected!.upper < Infinity)
              expect(mean.compare(time.expected!.upper)).toBeLessThanOrEqual(0);
          }
        },
      ),
      { numRuns: runs(60) },
    );
  });
});
