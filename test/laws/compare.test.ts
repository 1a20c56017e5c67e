import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ComparedTrace,
  canonicalKey,
  compareRules,
  distinguish,
  equivalent,
  implies,
  sampleTraces,
} from '../../bindings/languages/automaton/compare/index.js';
import { type Formula, printFormula } from '../../bindings/languages/logic/index.js';
import { holds, type Position } from '../oracle/ltlf.js';
import { countFormula, nestedFormula, ruleFormula } from './formulas.js';

const place = { line: 1, column: 1, offset: 0 };
const names = ['a', 'b'] as const;
const LONGEST = 5;

/** All traces over a and b of up to five steps, shorter ones first and, of equally long ones, those with fewer true predicates. */
const traces: readonly (readonly Position[])[] = Array.from({ length: LONGEST }, (_, i) => i + 1).flatMap(
  (length) =>
    Array.from({ length: 4 ** length }, (_, bits) =>
      Array.from({ length }, (_, step) =>
        Object.fromEntries(names.map((name, i) => [name, ((bits >> (2 * step + i)) & 1) === 1])),
      ),
    ).sort((x, y) => trues(x) - trues(y)),
);

function trues(trace: readonly Position[]): number {
  return trace.flatMap((step) => Object.values(step)).filter(Boolean).length;
}

/** The predicate c, which the enumeration does not have, becomes b. */
const overTwo = (formula: Formula): Formula => JSON.parse(JSON.stringify(formula).replaceAll('"c"', '"b"'));
const drawn = fc.oneof(ruleFormula, nestedFormula, countFormula).map(overTwo);
/** A formula, and a change of it that often means the same. */
const pair: fc.Arbitrary<readonly [Formula, Formula]> = fc.oneof(
  fc.tuple(drawn, drawn),
  fc
    .tuple(drawn, drawn)
    .map(([one, other]): [Formula, Formula] => [{ kind: 'and', left: one, right: other, place }, one]),
  fc.tuple(drawn, drawn).map(([left, right]): [Formula, Formula] => [
    { kind: 'implies', left, right, place },
    { kind: 'or', left: right, right: { kind: 'not', operand: left, place }, place },
  ]),
);

/** What the enumeration finds first among traces that one formula has and the other lacks. */
function firstOf(held: Formula, broken: Formula, constraint: Formula | null): readonly Position[] | null {
  return (
    traces.find(
      (trace) =>
        holds(held, trace) && !holds(broken, trace) && (constraint === null || holds(constraint, trace)),
    ) ?? null
  );
}

/** Asserts that a trace is what the enumeration found, or too long for it; one as short and as plain will do. */
function expectFirst(
  trace: ComparedTrace | null,
  held: Formula,
  broken: Formula,
  constraint: Formula | null,
): void {
  const expected = firstOf(held, broken, constraint);
  const what = `${printFormula(held)} without ${printFormula(broken)}`;
  if (trace === null) {
    expect(expected, what).toBeNull();
    return;
  }
  expect(holds(held, trace) && !holds(broken, trace), what).toBe(true);
  if (constraint !== null) expect(holds(constraint, trace), what).toBe(true);
  if (expected === null) expect(trace.length, what).toBeGreaterThan(LONGEST);
  else expect([trace.length, trues(trace)], what).toEqual([expected.length, trues(expected)]);
}

describe('the comparison of two formulas', () => {
  it('finds the shortest trace each way that trying all finds, and none where there is none', () => {
    fc.assert(
      fc.property(pair, fc.option(drawn, { freq: 2 }), ([first, second], constraint) => {
        const options = { constraints: constraint === null ? [] : [constraint] };
        const { relation, firstOnly, secondOnly } = compareRules(first, second, options);
        expectFirst(firstOnly, first, second, constraint);
        expectFirst(secondOnly, second, first, constraint);
        expect(relation).toBe(
          firstOnly === null
            ? secondOnly === null
              ? 'equivalent'
              : 'implies'
            : secondOnly === null
              ? 'implied'
              : 'different',
        );
        expect(implies(first, second, options)).toBe(firstOnly === null);
        expect(implies(second, first, options)).toBe(secondOnly === null);
        expect(equivalent(first, second, options)).toBe(relation === 'equivalent');
        expect(canonicalKey(first, options) === canonicalKey(second, options)).toBe(
          relation === 'equivalent',
        );
        const lengths = [firstOnly, secondOnly].flatMap((trace) => (trace ? [trace.length] : []));
        expect(distinguish(first, second, options)?.trace.length).toBe(
          lengths.length === 0 ? undefined : Math.min(...lengths),
        );
      }),
      { numRuns: Number(process.env.COMPARE_RUNS ?? 300) },
    );
  });

  it('forgives at a weak end what some continuation would still bring', () => {
    // Formulas whose fate three more steps decide, so that continuations can be tried.
    const short = fc.oneof(ruleFormula).map(overTwo);
    const isViolated = (formula: Formula, trace: readonly Position[]): boolean =>
      !holds(formula, trace) &&
      !traces.some((more) => more.length <= 4 && holds(formula, [...trace, ...more]));
    fc.assert(
      fc.property(short, (formula) => {
        for (const trace of sampleTraces(formula, { atEnd: 'weak', count: 3 }))
          if (trace.length <= 3) expect(isViolated(formula, trace), printFormula(formula)).toBe(false);
        const broken = sampleTraces(formula, { atEnd: 'weak', holds: false, count: 3 });
        for (const trace of broken) expect(isViolated(formula, trace), printFormula(formula)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });
});

describe('sampled traces', () => {
  it('satisfy the rule or break it, as asked, begin with the shortest, and differ', () => {
    const negated = (operand: Formula): Formula => ({ kind: 'not', operand, place });
    fc.assert(
      fc.property(drawn, fc.boolean(), (formula, good) => {
        const samples = sampleTraces(formula, { holds: good, count: 6 });
        for (const trace of samples) expect(holds(formula, trace)).toBe(good);
        expect(new Set(samples.map((trace) => JSON.stringify(trace))).size).toBe(samples.length);
        const lengths = samples.map(({ length }) => length);
        expect(lengths).toEqual([...lengths].sort((x, y) => x - y));
        const tried = good ? formula : negated(formula);
        expectFirst(samples[0] ?? null, tried, { kind: 'constant', value: false, place }, null);
      }),
      { numRuns: 300 },
    );
  });
});
