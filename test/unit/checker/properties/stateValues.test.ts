import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { combine, type Range } from '../../../../bindings/solvers/checker/properties/arithmetic.js';
import {
  calculate,
  choose,
  compareValues,
  everywhere,
  inside,
} from '../../../../bindings/solvers/checker/properties/numberValues.js';
import {
  and,
  fromStates,
  iff,
  mayHold,
  type NumberValues,
  not,
  or,
  type TruthValues,
  together,
  truth,
} from '../../../../bindings/solvers/checker/properties/stateValues.js';
import { BitSet } from '../../../../bindings/solvers/kernel/index.js';
import { Rational } from '../../../oracle/rational.js';

const STATES = 9;

/** Every pair of truth values, state by state: state 3i + j has the i-th for the left operand and the j-th for the right. */
const values = [true, false, undefined] as const;
const truthOf = (at: (s: number) => boolean | undefined): TruthValues =>
  truth(
    BitSet.where(STATES, (s) => at(s) === true),
    fromStates,
    BitSet.where(STATES, (s) => at(s) === undefined),
  );
const left = truthOf((s) => values[Math.floor(s / 3)]);
const right = truthOf((s) => values[s % 3]);
const at = ({ holds, open }: TruthValues, s: number) => (open.has(s) ? undefined : holds.has(s));
const completions = (value: boolean | undefined) => (value === undefined ? [true, false] : [value]);

describe('three truth values', () => {
  it('of a connective are those that all ways to settle its operands agree on', () => {
    for (const [connective, meaning] of [
      [and, (a: boolean, b: boolean) => a && b],
      [or, (a: boolean, b: boolean) => a || b],
      [iff, (a: boolean, b: boolean) => a === b],
    ] as const) {
      const result = connective(left, right);
      for (let s = 0; s < STATES; s++) {
        const possible = new Set(
          completions(at(left, s)).flatMap((a) => completions(at(right, s)).map((b) => meaning(a, b))),
        );
        expect(at(result, s)).toBe(possible.size === 1 ? [...possible][0] : undefined);
        expect(result.holds.has(s) && result.open.has(s)).toBe(false);
      }
    }
    expect(mayHold(not(left)).equals(left.holds.complement())).toBe(true);
    expect(not(not(left)).holds.equals(left.holds)).toBe(true);
  });

  it('say how they were obtained: as the weakest part was', () => {
    const doubt = { lower: 0, upper: 1, why: 'nobody looked', final: false };
    const parts = [
      { accuracy: 'exact', method: 'graph', iterations: 1 },
      { accuracy: 'bounded', method: 'topological', iterations: 2, doubt },
      { accuracy: 'exact', method: 'states', iterations: 0 },
    ] as const;
    expect(together(...parts)).toEqual({
      accuracy: 'bounded',
      method: 'graph + topological',
      iterations: 3,
      doubt,
    });
    expect(together()).toMatchObject({ accuracy: 'exact', method: 'states' });
  });
});

const finite = fc.oneof(
  fc.double({ noNaN: true, min: -1e6, max: 1e6 }),
  fc.integer({ min: -20, max: 20 }),
  fc.constantFrom(0, 1, -1, 0.1, 1e-300, -1e-300, 1 / 3),
);
const range = fc
  .tuple(finite, finite)
  .map(([a, b]): Range => ({ lower: Math.min(a, b), upper: Math.max(a, b) }));
const rational = (value: number) => Rational.fromDouble(value);

describe('arithmetic with bounds', () => {
  it('holds the exact results of all operands between them', () => {
    const exact = {
      '+': (a: Rational, b: Rational) => a.plus(b),
      '-': (a: Rational, b: Rational) => a.minus(b),
      '*': (a: Rational, b: Rational) => a.times(b),
      '/': (a: Rational, b: Rational) => (b.numerator === 0n ? undefined : a.dividedBy(b)),
      min: (a: Rational, b: Rational) => (a.compare(b) <= 0 ? a : b),
      max: (a: Rational, b: Rational) => (a.compare(b) >= 0 ? a : b),
    };
    const operators = Object.keys(exact) as (keyof typeof exact)[];
    fc.assert(
      fc.property(fc.constantFrom(...operators), range, range, (operator, a, b) => {
        const { lower, upper } = combine(operator, a, b);
        for (const x of [a.lower, a.upper, inside(a)]) {
          for (const y of [b.lower, b.upper, inside(b)]) {
            const value = exact[operator](rational(x), rational(y));
            if (value === undefined) continue;
            const found = `${x} ${operator} ${y} in [${lower}, ${upper}]`;
            if (Number.isFinite(lower)) expect(value.compare(lower) >= 0, found).toBe(true);
            else expect(lower, found).toBe(Number.NEGATIVE_INFINITY);
            if (Number.isFinite(upper)) expect(value.compare(upper) <= 0, found).toBe(true);
            else expect(upper, found).toBe(Number.POSITIVE_INFINITY);
          }
        }
      }),
      { numRuns: 600 },
    );
  });

  it('leaves whole numbers as they are', () => {
    const whole = fc.integer({ min: -1000, max: 1000 });
    fc.assert(
      fc.property(whole, whole, (x, y) => {
        const [a, b] = [point(x), point(y)];
        expect(combine('+', a, b)).toEqual(point(x + y));
        expect(combine('*', a, b)).toEqual(point(x * y === 0 ? 0 : x * y));
        expect(combine('max', a, b)).toEqual(point(Math.max(x, y)));
        if (y > 0) expect(combine('mod', a, b)).toEqual(point(((x % y) + y) % y));
        if (y >= 0 && y < 5) expect(combine('pow', a, b)).toEqual(point(x ** y));
      }),
    );
    expect(combine('floor', { lower: 1.2, upper: 3.4 }, point(0))).toEqual({ lower: 1, upper: 3 });
    expect(combine('ceil', { lower: 1.2, upper: 3.4 }, point(0))).toEqual({ lower: 2, upper: 4 });
    expect(combine('round', { lower: 1.2, upper: 3.5 }, point(0))).toEqual({ lower: 1, upper: 4 });
  });

  it('goes on with infinite numbers', () => {
    const infinite = point(Number.POSITIVE_INFINITY);
    expect(combine('+', infinite, point(1))).toEqual(infinite);
    expect(combine('*', infinite, point(2))).toEqual(infinite);
    expect(combine('/', point(1), infinite)).toMatchObject({ lower: 0 });
    expect(combine('/', point(1), point(0))).toEqual(infinite);
    const anything = { lower: Number.NEGATIVE_INFINITY, upper: Number.POSITIVE_INFINITY };
    expect(combine('-', infinite, infinite)).toEqual(anything);
    expect(combine('/', point(0), point(0))).toEqual({ lower: Number.NaN, upper: Number.NaN });
    expect(combine('log', point(-1), point(2))).toEqual(anything);
    expect(inside(anything)).toBe(0);
    expect(inside({ lower: 3, upper: Number.POSITIVE_INFINITY })).toBe(3);
  });

  it('compares as all numbers between the bounds agree', () => {
    fc.assert(
      fc.property(fc.constantFrom('<', '<=', '>', '>=', '=', '!='), range, range, (operator, a, b) => {
        const verdict = at(compareValues(operator, numbers(a), numbers(b)), 0);
        const meaning = { '<': -1, '<=': -1, '>': 1, '>=': 1, '=': 0, '!=': 2 }[operator];
        const holds = (x: number, y: number) =>
          meaning === 2 ? x !== y : Math.sign(x - y) === meaning || (operator.endsWith('=') && x === y);
        const outcomes = new Set(
          [a.lower, a.upper].flatMap((x) => [b.lower, b.upper].map((y) => holds(x, y))),
        );
        if (verdict !== undefined) expect(outcomes).toEqual(new Set([verdict]));
        else expect(a.lower === a.upper && b.lower === b.upper).toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  it('chooses both cases where a condition is open', () => {
    const [one, two] = [numbers(point(1)), numbers(point(2))];
    const chosen = choose(left, one, two);
    expect([chosen.lower[0], chosen.upper[0]]).toEqual([1, 1]);
    expect([chosen.lower[3], chosen.upper[3]]).toEqual([2, 2]);
    expect([chosen.lower[6], chosen.upper[6]]).toEqual([1, 2]);
    expect(calculate('+', one, chosen, 'double').upper[6]).toBe(3);
  });
});

function point(value: number): Range {
  return { lower: value, upper: value };
}

function numbers(bounds: Range): NumberValues {
  return everywhere(STATES, bounds, 'double', fromStates);
}
