import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Random } from '../../worlds/src/index.js';

const mask = 0xffffffffn;

/** xoshiro128** and splitmix32 in integers of any size, as their authors write them. */
function* reference(word: bigint): Generator<number> {
  const s: bigint[] = [];
  for (let i = 0; i < 4; i++) {
    word = (word + 0x9e3779b9n) & mask;
    let z = word;
    z = ((z ^ (z >> 16n)) * 0x21f0aaadn) & mask;
    z = ((z ^ (z >> 15n)) * 0x735a2d97n) & mask;
    s.push(z ^ (z >> 15n));
  }
  const rotate = (x: bigint, k: bigint) => ((x << k) | (x >> (32n - k))) & mask;
  for (;;) {
    yield Number((rotate((s[1] * 5n) & mask, 7n) * 9n) & mask);
    const t = (s[1] << 9n) & mask;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate(s[3], 11n);
  }
}

const signed = (x: number) => BigInt.asIntN(32, BigInt(x));

describe('the generator', () => {
  it('draws what the published algorithm draws', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer(), (seed, stream) => {
        const word =
          BigInt.asUintN(32, signed(seed) * 0x9e3779b1n) ^
          BigInt.asUintN(32, (signed(stream) + 0x7f4a7c15n) * 0x85ebca77n);
        const random = new Random(seed, stream);
        const expected = reference(word);
        for (let i = 0; i < 20; i++) expect(random.bits()).toBe(expected.next().value);
      }),
    );
  });

  it('draws the same numbers for the same seed and others for another seed or stream', () => {
    const draw = (seed: number, stream?: number) => {
      const random = new Random(seed, stream);
      return Array.from({ length: 5 }, () => random.bits());
    };
    expect(draw(7)).toEqual(draw(7, 0));
    expect(draw(7)).not.toEqual(draw(8));
    expect(draw(7)).not.toEqual(draw(7, 1));
    expect(draw(0, 1)).not.toEqual(draw(1, 0));
  });

  it('is uniform over 256 cells, also across streams (chi-square, 255 degrees, p = 1e-6 each)', () => {
    const chiSquare = (draw: (i: number) => number) => {
      const cells = new Float64Array(256);
      for (let i = 0; i < 256_000; i++) cells[draw(i)]++;
      return cells.reduce((sum, n) => sum + (n - 1000) ** 2 / 1000, 0);
    };
    const random = new Random(1);
    expect(chiSquare(() => Math.floor(random.next() * 256))).toBeLessThan(370);
    expect(chiSquare((i) => Math.floor(new Random(1, i).next() * 256))).toBeLessThan(370);
    expect(chiSquare((i) => Math.floor(new Random(i).next() * 256))).toBeLessThan(370);
  });

  it('puts items in each order as often (chi-square, 23 degrees, p = 1e-6), and leaves the list alone', () => {
    const random = new Random(5);
    const items = ['a', 'b', 'c', 'd'];
    const seen = new Map<string, number>();
    for (let i = 0; i < 24_000; i++) {
      const order = random.shuffled(items).join('');
      seen.set(order, (seen.get(order) ?? 0) + 1);
    }
    expect(items).toEqual(['a', 'b', 'c', 'd']);
    expect(seen.size).toBe(24);
    expect([...seen.values()].reduce((sum, n) => sum + (n - 1000) ** 2 / 1000, 0)).toBeLessThan(71);
  });

  it('meets the extremes: probability 0 never happens, probability 1 always', () => {
    const random = new Random(3);
    for (let i = 0; i < 1000; i++) {
      expect(random.chance(0)).toBe(false);
      expect(random.chance(1)).toBe(true);
    }
  });
});
