import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NotSupportedError } from '../../../../bindings/base/errors.js';
import { solveExactly } from '../../../../bindings/solvers/checker/exact/exactElimination.js';
import { WorkLimit } from '../../../../bindings/solvers/checker/exact/workLimit.js';
import { arbitrarySystem, copied, denseSystem, expectSolved, line } from './systems.js';

describe('fraction-free elimination', () => {
  it('solves every equation of a system exactly', () => {
    fc.assert(
      fc.property(arbitrarySystem(12), (equations) => {
        expectSolved(equations, solveExactly(copied(equations), new WorkLimit()));
      }),
      { numRuns: 300 },
    );
  });

  it('keeps numbers as short as the minors of a line, however long it is', () => {
    const size = 400;
    const { numerators, denominator } = solveExactly(line(size), new WorkLimit());
    // The fair gambler: x_i = (i + 1) / (size + 1), and size + 1 is the determinant.
    expect(denominator).toBe(BigInt(size + 1));
    expect(numerators).toEqual(Array.from({ length: size }, (_, i) => BigInt(i + 1)));
  });

  it('stops where it would take too long', () => {
    expect(() => solveExactly(denseSystem(8), new WorkLimit(1e4))).toThrow(NotSupportedError);
    expect(solveExactly(denseSystem(8), new WorkLimit(1e7)).numerators.length).toBe(8);
  });
});
