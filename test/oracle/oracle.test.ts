import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BitSet } from '../../bindings/solvers/kernel/index.js';
import { chainOf } from '../kernel/chains.js';
import { ExactChain } from './chain.js';
import { Rational } from './rational.js';

test('a double is the fraction that it stores, not the decimal that it prints', () => {
  expect(Rational.fromDouble(0.1).toString()).toBe('3602879701896397/36028797018963968');
  expect(Rational.fromDouble(-0.75).toString()).toBe('-3/4');
  expect(Rational.parse('1/10').compare(0.1)).toBe(-1);
});

test('fractions are a field, in lowest terms', () => {
  const fraction = fc
    .tuple(fc.bigInt(-1000n, 1000n), fc.bigInt(1n, 1000n))
    .map(([numerator, denominator]) => new Rational(numerator, denominator));
  fc.assert(
    fc.property(fraction, fraction, fraction, (a, b, c) => {
      expect(a.plus(b).minus(b)).toEqual(a);
      expect(a.times(b.plus(c))).toEqual(a.times(b).plus(a.times(c)));
      if (b.compare(0) !== 0) expect(a.times(b).dividedBy(b)).toEqual(a);
      expect(Math.sign(a.compare(b))).toBe(Math.sign(a.minus(b).compare(0)));
    }),
  );
});

test('fractions are read as written', () => {
  expect(Rational.parse('0.25')).toEqual(new Rational(1n, 4n));
  expect(Rational.parse('6/36').toString()).toBe('1/6');
  expect(Rational.parse('7').toString()).toBe('7');
});

test('the fair gambler with 3 of 8 coins wins with 3/8', () => {
  const chain = new ExactChain(
    chainOf([
      [[0, 1]],
      ...Array.from({ length: 7 }, (_, i): [number, number][] => [
        [i, 0.5],
        [i + 2, 0.5],
      ]),
      [[8, 1]],
    ]),
  );
  const win = BitSet.of(9, [8]);
  expect(chain.until(BitSet.full(9), win).map(String)).toEqual([
    '0',
    '1/8',
    '1/4',
    '3/8',
    '1/2',
    '5/8',
    '3/4',
    '7/8',
    '1',
  ]);
  expect(chain.boundedUntil(BitSet.full(9), win, 2)[6].toString()).toBe('1/4');
  expect(chain.next(win)[7].toString()).toBe('1/2');
});
