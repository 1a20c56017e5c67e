import fc from 'fast-check';
import { expect } from 'vitest';
import type { Equation } from '../../../../bindings/solvers/checker/exact/exactElimination.js';

/** Couplings at random, and a diagonal that exceeds their sum. */
export function arbitrarySystem(largest: number, neighbours = 4): fc.Arbitrary<Equation[]> {
  return fc.integer({ min: 1, max: largest }).chain((size) =>
    fc
      .array(
        fc.tuple(
          fc.dictionary(fc.nat(size - 1).map(String), fc.bigInt(1n, 2n ** 60n), { maxKeys: neighbours }),
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
}

/** Equations of a line that is left to both sides with equal chance, and at its last state for a constant. */
export function line(size: number): Equation[] {
  return Array.from(
    { length: size },
    (_, i): Equation => ({
      diagonal: 2n,
      coupling: new Map([i - 1, i + 1].filter((j) => j >= 0 && j < size).map((j) => [j, 1n])),
      constant: i === size - 1 ? 1n : 0n,
    }),
  );
}

/** Every unknown in every equation. */
export function denseSystem(size: number): Equation[] {
  return Array.from(
    { length: size },
    (_, i): Equation => ({
      diagonal: 2n ** 70n,
      coupling: new Map(
        [...Array(size).keys()].filter((j) => j !== i).map((j) => [j, 2n ** 60n + BigInt((i * j) % 97)]),
      ),
      constant: BigInt(i),
    }),
  );
}

export function copied(equations: readonly Equation[]): Equation[] {
  return equations.map((equation) => ({ ...equation, coupling: new Map(equation.coupling) }));
}

export function expectSolved(
  equations: readonly Equation[],
  { numerators, denominator }: { numerators: bigint[]; denominator: bigint },
): void {
  expect(numerators.length).toBe(equations.length);
  expect(denominator > 0n).toBe(true);
  equations.forEach(({ diagonal, coupling, constant }, i) => {
    let left = diagonal * numerators[i];
    for (const [j, weight] of coupling) left -= weight * numerators[j];
    expect(left).toBe(constant * denominator);
  });
}
