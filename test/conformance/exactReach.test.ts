import fc from 'fast-check';
import { expect, it } from 'vitest';
import { BitSet } from '../../bindings/solvers/kernel/index.js';
import { ExactChain } from '../oracle/chain.js';
import { Rational } from '../oracle/rational.js';
import { script } from '../script.js';

const { exactReach } = await script('conformance/exactReach.mjs');

interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** Chains with rows of weights, some of them without a successor, as the published ones. */
const chains = fc
  .integer({ min: 1, max: 7 })
  .chain((states) =>
    fc.array(fc.array(fc.integer({ min: 0, max: 4 }), { minLength: states, maxLength: states }), {
      minLength: states,
      maxLength: states,
    }),
  )
  .map((weights) =>
    weights.map((row) => {
      const sum = BigInt(row.reduce((a, b) => a + b, 0));
      const pairs = row.map((weight, t): [number, Fraction] => [
        t,
        { numerator: BigInt(weight), denominator: sum },
      ]);
      return new Map(pairs.filter(([, { numerator }]) => numerator > 0n));
    }),
  );

it('exact reachability is the solution of the equations', () => {
  fc.assert(
    fc.property(chains, fc.nat(), (rows, number) => {
      const target = number % rows.length;
      const chain = new ExactChain(
        rows.map(
          (row) =>
            new Map(
              [...row].map(([t, { numerator, denominator }]) => [t, new Rational(numerator, denominator)]),
            ),
        ),
      );
      const all = BitSet.where(rows.length, () => true);
      const expected = chain.until(all, BitSet.of(rows.length, [target]));
      const found: Fraction[] = exactReach(rows, target);
      expect(found.map(({ numerator, denominator }) => String(new Rational(numerator, denominator)))).toEqual(
        expected.map(String),
      );
    }),
  );
});
