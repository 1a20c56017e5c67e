import fc from 'fast-check';
import { expect, test } from 'vitest';
import { InvalidArgumentError } from '../../../bindings/base/errors.js';
import { BitSet } from '../../../bindings/solvers/kernel/index.js';

const pairs = fc.integer({ min: 1, max: 130 }).chain((size) => {
  const members = fc.uniqueArray(fc.nat(size - 1));
  return fc.record({ size: fc.constant(size), a: members, b: members });
});

const sorted = (members: Iterable<number>) => [...members].sort((x, y) => x - y);

test('bit sets behave as sets of numbers', () => {
  fc.assert(
    fc.property(pairs, ({ size, a, b }) => {
      const [left, right] = [BitSet.of(size, a), BitSet.of(size, b)];
      expect([...left]).toEqual(sorted(a));
      expect(left.count()).toBe(a.length);
      expect([...left.union(right)]).toEqual(sorted(new Set([...a, ...b])));
      expect([...left.intersection(right)]).toEqual(sorted(a.filter((s) => b.includes(s))));
      expect([...left.difference(right)]).toEqual(sorted(a.filter((s) => !b.includes(s))));
      expect(left.complement().count()).toBe(size - a.length);
      expect(left.complement().complement().equals(left)).toBe(true);
      expect(left.equals(right)).toBe(sorted(a).join() === sorted(b).join());
    }),
  );
});

test('bits past the last state stay 0', () => {
  for (const size of [1, 31, 32, 33, 64]) {
    expect(BitSet.full(size).count()).toBe(size);
    expect(new BitSet(size).complement().equals(BitSet.full(size))).toBe(true);
    expect(
      BitSet.full(size)
        .complement()
        .words.every((word) => word === 0),
    ).toBe(true);
  }
});

test('a copy is independent of its original', () => {
  const original = BitSet.of(40, [3, 35]);
  const copy = original.clone();
  copy.delete(35);
  copy.add(0);
  expect([...original]).toEqual([3, 35]);
  expect([...copy]).toEqual([0, 3]);
  expect(copy.has(35)).toBe(false);
});

test.each([-1, Number.NaN, 1.5, 40, 41, 64, 2 ** 32, Number.POSITIVE_INFINITY])(
  '%d is no member for a set over 40 states',
  (member) => {
    const set = BitSet.of(40, [3]);
    expect(() => set.add(member)).toThrow(InvalidArgumentError);
    expect(() => BitSet.of(40, [3, member])).toThrow(/below 40/);
    expect(set.equals(BitSet.of(40, [3]))).toBe(true);
  },
);

test.each([-1, Number.NaN, 1.5, 2 ** 32])('%d is not a number of states', (size) => {
  for (const make of [
    () => new BitSet(size, new Uint32Array(1)),
    () => BitSet.of(size, []),
    () => BitSet.where(size, () => true),
    () => BitSet.full(size),
  ]) {
    expect(make).toThrow(InvalidArgumentError);
  }
});
