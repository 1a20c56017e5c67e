import '../../../../bindings/solvers/kernel/inline.js';
import { describe, expect, it } from 'vitest';
import { check } from '../../../../bindings/solvers/checker/index.js';
import { build } from '../../../../bindings/solvers/exploration/index.js';
import { parseModel } from '../../../../bindings/solvers/formats/index.js';
import { Rational } from '../../../oracle/rational.js';

/** After a first tail, a fair coin is tossed at every step. */
const coins = build(
  parseModel(`dtmc
module coin
  heads : bool init false;
  [] true -> 0.5 : (heads'=true) + 0.5 : (heads'=false);
endmodule`),
);

/** Of the 2^n results of n coins, those without two heads in a row are counted by the Fibonacci numbers. */
function withoutTwoHeads(n: number): Rational {
  let [count, more] = [1n, 2n];
  for (let i = 0; i < n; i++) [count, more] = [more, count + more];
  return new Rational(count, 1n << BigInt(n));
}

describe('a window of a thousand steps over a path formula', () => {
  it.each([
    'P=? [ G<=1000 !(heads & X heads) ]',
    'P=? [ (X !(heads & X heads)) & G[2,1000] (heads => X !heads) ]',
  ])('%s is a chance of 10^-92, to so many digits', (property) => {
    const result = check(coins, property, { relative: true });
    const exact = withoutTwoHeads(1001);
    const { lower, upper } = result as { lower: number; upper: number };
    expect(exact.compare(lower) >= 0 && exact.compare(upper) <= 0).toBe(true);
    expect(upper - lower).toBeLessThanOrEqual(2e-6 * lower);
  });
});
