import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exactSum } from '../../../bindings/solvers/kernel/twoSum.js';
import { runs } from '../../laws/runs.js';
import { Rational } from '../../oracle/rational.js';

const term = fc.oneof(
  fc.double({ min: -1, max: 1, noNaN: true }).filter((x) => x === 0 || Math.abs(x) > 2 ** -500),
  fc.tuple(fc.integer({ min: -3, max: 3 }), fc.integer({ min: 0, max: 120 })).map(([m, e]) => m * 2 ** -e),
  fc.integer({ min: 0, max: 54 }).map((e) => 1 - 2 ** -e),
);

test('a sum and what it leaves of 1 are the doubles nearest to the exact ones', () => {
  fc.assert(
    fc.property(fc.array(term, { maxLength: 12 }), (terms) => {
      const { sum, rest } = exactSum(terms);
      const exact = terms.reduce((total, x) => total.plus(Rational.fromDouble(x)), Rational.ZERO);
      const nearest = (value: number, to: Rational) => {
        const away = distance(to, value);
        for (const other of [value * (1 + 2 ** -52), value * (1 - 2 ** -52)])
          expect(distance(to, other).compare(away)).toBeGreaterThanOrEqual(0);
      };
      nearest(sum, exact);
      nearest(rest, Rational.ONE.minus(exact));
      expect(Math.sign(rest)).toBe(0 - Math.sign(exact.compare(1)));
    }),
    { numRuns: runs(300) },
  );
});

function distance(a: Rational, b: number): Rational {
  const difference = a.minus(Rational.fromDouble(b));
  return difference.compare(0) < 0 ? Rational.ZERO.minus(difference) : difference;
}
