import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NotSupportedError } from '../../../../bindings/base/errors.js';
import type { Equation } from '../../../../bindings/solvers/checker/exact/exactElimination.js';
import { solveByLifting } from '../../../../bindings/solvers/checker/exact/lifting.js';
import { WorkLimit } from '../../../../bindings/solvers/checker/exact/workLimit.js';
import { arbitrarySystem, denseSystem, expectSolved, line } from './systems.js';

const unlimited = () => new WorkLimit(Number.POSITIVE_INFINITY);

describe('lifting digit by digit', () => {
  it('solves every equation of a system exactly', () => {
    fc.assert(
      fc.property(arbitrarySystem(20), (equations) => {
        expectSolved(equations, solveByLifting(equations, unlimited()));
      }),
      { numRuns: 100 },
    );
  });

  it('finds a short solution of a long system, in lowest terms', () => {
    const size = 3000;
    const { numerators, denominator } = solveByLifting(line(size), unlimited());
    expect(denominator).toBe(BigInt(size + 1));
    expect(numerators).toEqual(Array.from({ length: size }, (_, i) => BigInt(i + 1)));
  });

  it('eliminates what becomes dense as a dense matrix', () => {
    const equations = denseSystem(80);
    expectSolved(equations, solveByLifting(equations, unlimited()));
  });

  it('takes another prime where a pivot is a multiple of the first', () => {
    const prime = 67_108_859n;
    const equations: Equation[] = [
      { diagonal: prime, coupling: new Map([[1, 3n]]), constant: 1n },
      { diagonal: 5n * prime, coupling: new Map([[0, 2n]]), constant: 0n },
    ];
    expectSolved(equations, solveByLifting(equations, unlimited()));
  });

  it('solves constants far longer than its digits', () => {
    const equations = line(70).map((equation, i) => ({ ...equation, constant: 3n ** BigInt(20 * i) }));
    expectSolved(equations, solveByLifting(equations, unlimited()));
  });

  it('stops where it would take too long, reports how far it is, and can be aborted', () => {
    expect(() => solveByLifting(denseSystem(40), new WorkLimit(1e5))).toThrow(NotSupportedError);
    const abort = new AbortController();
    const reports: number[] = [];
    const watched = new WorkLimit(Number.POSITIVE_INFINITY, {
      signal: abort.signal,
      onProgress: ({ work }) => {
        reports.push(work);
        abort.abort(new Error('enough'));
      },
    });
    expect(() => solveByLifting(denseSystem(120), watched)).toThrow('enough');
    expect(reports.length).toBe(1);
  });
});
