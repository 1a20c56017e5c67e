import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Equation, solveExactly } from '../../../../bindings/checker/exact/exactElimination.js';
import { WorkLimit } from '../../../../bindings/checker/exact/workLimit.js';
import { NotSupportedError } from '../../../../bindings/errors.js';

/** Couplings at random, and a diagonal that exceeds their sum. */
const system: fc.Arbitrary<Equation[]> = fc.integer({ min: 1, max: 12 }).chain((size) =>
  fc
    .array(
      fc.tuple(
        fc.dictionary(fc.nat(size - 1).map(String), fc.bigInt(1n, 2n ** 60n), { maxKeys: 4 }),
        fc.bigInt(0n, 2n ** 60n),
        fc.bigInt(1n, 3n),
      ),
      { minLength: size, maxLength: size },
    )
    .map((rows) =>
      rows.map(([weights, constant, excess], i) => {
        const coupling = new Map(
          Object.entries(weights)
            .map(([j, weight]): [number, bigint] => [Number(j), weight])
            .filter(([j]) => j !== i),
        );
        return { diagonal: [...coupling.values()].reduce((a, b) => a + b, excess), coupling, constant };
      }),
    ),
);

describe('fraction-free elimination', () => {
  it('solves every equation of a system exactly', () => {
    fc.assert(
      fc.property(system, (equations) => {
        const { numerators, denominator } = solveExactly(
          equations.map((equation) => ({ ...equation, coupling: new Map(equation.coupling) })),
          new WorkLimit(),
        );
        expect(numerators.length).toBe(equations.length);
        expect(denominator > 0n).toBe(true);
        equations.forEach(({ diagonal, coupling, constant }, i) => {
          let left = diagonal * numerators[i];
          for (const [j, weight] of coupling) left -= weight * numerators[j];
          expect(left).toBe(constant * denominator);
        });
      }),
      { numRuns: 300, seed: 29 },
    );
  });

  it('keeps numbers as short as the minors of a line, however long it is', () => {
    const size = 400;
    const line = Array.from(
      { length: size },
      (_, i): Equation => ({
        diagonal: 2n,
        coupling: new Map([i - 1, i + 1].filter((j) => j >= 0 && j < size).map((j) => [j, 1n])),
        constant: i === size - 1 ? 1n : 0n,
      }),
    );
    const { numerators, denominator } = solveExactly(line, new WorkLimit());
    // The fair gambler: x_i = (i + 1) / (size + 1), and size + 1 is the determinant.
    expect(denominator).toBe(BigInt(size + 1));
    expect(numerators).toEqual(Array.from({ length: size }, (_, i) => BigInt(i + 1)));
  });

  it('stops where it would take too long', () => {
    const dense = Array.from(
      { length: 8 },
      (_, i): Equation => ({
        diagonal: 2n ** 64n,
        coupling: new Map([...Array(8).keys()].filter((j) => j !== i).map((j) => [j, 2n ** 60n + BigInt(i)])),
        constant: 1n,
      }),
    );
    expect(() => solveExactly(dense, new WorkLimit(1e4))).toThrow(NotSupportedError);
    expect(solveExactly(dense, new WorkLimit(1e7)).numerators.length).toBe(8);
  });
});
