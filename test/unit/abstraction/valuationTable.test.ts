import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvalidArgumentError } from '../../../bindings/base/errors.js';
import { ValuationTable } from '../../../bindings/observations/abstraction/valuationTable.js';

describe('a valuation table', () => {
  it('agrees with a map on the index of every valuation, found or inserted', () => {
    const word = fc.oneof(fc.nat(3), fc.integer({ min: 0, max: 0xffffffff }));
    const valuations = fc
      .integer({ min: 1, max: 3 })
      .chain((words) =>
        fc.tuple(
          fc.constant(words),
          fc.array(fc.array(word, { minLength: words, maxLength: words }), { maxLength: 200 }),
        ),
      );
    fc.assert(
      fc.property(valuations, ([words, list]) => {
        const table = new ValuationTable(words);
        const expected = new Map<string, number>();
        for (const valuation of list) {
          const packed = Uint32Array.from([7, ...valuation]);
          const known = expected.get(String(valuation));
          expect(table.find(packed, 1)).toBe(known ?? -1);
          expect(table.insert(packed, 1)).toBe(known ?? expected.size);
          if (known === undefined) expected.set(String(valuation), expected.size);
        }
        expect(table.size).toBe(expected.size);
        expect([...table.valuations]).toEqual(
          [...expected.keys()].flatMap((key) => key.split(',').map(Number)),
        );
      }),
    );
  });

  it('holds many valuations that differ in few bits', () => {
    const table = new ValuationTable(1);
    for (let i = 0; i < 100_000; i++) table.insert(Uint32Array.of(i << 12));
    for (let i = 0; i < 100_000; i += 997) expect(table.find(Uint32Array.of(i << 12))).toBe(i);
    expect(table.size).toBe(100_000);
    expect(table.find(Uint32Array.of(1))).toBe(-1);
  });

  it('refuses valuations of no words', () => {
    expect(() => new ValuationTable(0)).toThrow(InvalidArgumentError);
  });
});
