import { describe, expect, test } from 'vitest';
import { NotConvergedError } from '../../bindings/base/errors.js';
import { BitSet, type OptimalSolution } from '../../bindings/solvers/kernel/index.js';
import { expectBrackets, widest } from '../oracle/brackets.js';
import { Rational } from '../oracle/rational.js';
import { backends } from './backends.js';
import { mdpOf } from './randomMdps.js';

type Row = [state: number, probability: number][];

const ratio = (numerator: bigint, denominator: bigint) => new Rational(numerator, denominator);

/** What a solve that does not come close enough says. */
function refusal(solve: () => OptimalSolution): string {
  try {
    solve();
  } catch (error) {
    if (error instanceof NotConvergedError) return error.message;
    throw error;
  }
  throw new Error('it converged');
}

/** A fair walk to 0 or n - 1, by two steps at once where there is room or, as well, by one. */
function walk(n: number): Row[][] {
  return Array.from({ length: n }, (_, s): Row[] => {
    if (s === 0 || s === n - 1) return [[[s, 1]]];
    const by = (step: number): Row => [
      [s - step, 0.5],
      [s + step, 0.5],
    ];
    return s > 1 && s < n - 2 ? [by(2), by(1)] : [by(1)];
  });
}

describe.each(backends)('%s', (_, kernel) => {
  test('what rounding loses of a sum before policies are solved is inside their bounds', () => {
    // Two states that hand over to each other, and are left once in 2^20 steps: to state 2, to one of 2,048 by next to nothing,
    // which a sum after the first term does not notice, or to the last.
    const [few, left] = [2048, 2 ** -20];
    const last = 3 + few;
    const leave = (other: number): Row => [
      [other, 1 - left],
      [2, left / 2],
      ...Array.from({ length: few }, (_, i): [number, number] => [3 + i, left * 2 ** -54]),
      [last, left / 2],
    ];
    const absorbing = Array.from({ length: last - 1 }, (_, i): Row[] => [[[2 + i, 1]]]);
    using mdp = kernel.mdp(mdpOf([[leave(1)], [leave(0)], ...absorbing]));
    const everywhere = BitSet.full(mdp.states);
    const often = BitSet.where(mdp.states, (s) => s >= 2 && s < last);
    const [half, lost] = [1n << 53n, BigInt(few)];
    for (const [target, ways] of [
      [often, half + lost],
      [BitSet.of(mdp.states, [last]), half],
    ] as const) {
      const exact = ratio(ways, 2n * half + lost);
      const solution = mdp.until('max', everywhere, target, { precision: 1e-9 });
      expectBrackets({ lower: solution.lower.slice(0, 2), upper: solution.upper.slice(0, 2) }, [
        exact,
        exact,
      ]);
      expect(widest(solution)).toBeLessThan(2e-9);
      // Sweeps alone would take twenty million.
      expect(solution.iterations).toBeLessThan(20_000);
    }
  });

  test('among choices that are as good, those are provided for after which it lasts longest', () => {
    const n = 100;
    using mdp = kernel.mdp(mdpOf(walk(n)));
    const exact = Array.from({ length: n }, (_, s) => ratio(BigInt(s), BigInt(n - 1)));
    for (const direction of ['min', 'max'] as const) {
      const solution = mdp.until(direction, BitSet.full(n), BitSet.of(n, [n - 1]), {
        precision: 1e-9,
        maxIterations: 1000,
      });
      expectBrackets(solution, exact);
      expect(widest(solution)).toBeLessThanOrEqual(2e-9);
    }
  });

  test('choices that are worse are not provided for, however long it would last after them', () => {
    const [n, middle, leak] = [100, 50, 2 ** -24];
    // In the middle one may also go to a further state, which comes back, but for a leak to 0.
    const states = walk(n);
    states[middle].push([[n, 1]]);
    states.push([
      [
        [0, leak],
        [middle, 1 - leak],
      ],
    ]);
    using mdp = kernel.mdp(mdpOf(states));
    const solution = mdp.until('max', BitSet.full(n + 1), BitSet.of(n + 1, [n - 1]), {
      precision: 1e-9,
      maxIterations: 1000,
    });
    const exact = Array.from({ length: n }, (_, s) => ratio(BigInt(s), BigInt(n - 1)));
    const fromFurther = exact[middle].times(Rational.fromDouble(1 - leak));
    expectBrackets(solution, [...exact, fromFurther]);
    expect(widest(solution)).toBeLessThanOrEqual(2e-9);
  });

  test('the policy to begin with is the best for what sweeps have found: improved from any other, it takes too long', () => {
    // One may leave at once, and seldom wins then, or go on to the next state, which is as bad unless one goes on there too, to the
    // last, where one wins more often. Seen from its end, such a policy changes in one state at a time.
    const [n, out] = [150, 2 ** -16];
    const [won, lost] = [n, n + 1];
    const back = (win: number): Row => [
      [0, 1 - out],
      [won, out * win],
      [lost, out * (1 - win)],
    ];
    const states = Array.from({ length: n }, (_, s): Row[] =>
      s === 0 ? [[[1, 1]]] : s < n - 1 ? [back(1e-5), [[s + 1, 1]]] : [back(0.75)],
    );
    using mdp = kernel.mdp(mdpOf([...states, [[[won, 1]]], [[[lost, 1]]]]));
    const solution = mdp.until('max', BitSet.full(n + 2), BitSet.of(n + 2, [won]), { maxIterations: 1000 });
    expectBrackets(solution, [
      ...Array.from({ length: n }, () => ratio(3n, 4n)),
      Rational.ONE,
      Rational.ZERO,
    ]);
    expect(widest(solution)).toBeLessThanOrEqual(2e-6);
  });

  describe('bounds that do not come close enough', () => {
    const fair = walk(40);
    const goal = BitSet.of(40, [39]);
    const ends = goal.union(BitSet.of(40, [0]));
    const costs = { states: new Float64Array(40).fill(1) };

    test('ask for more sweeps where those ran out, of probabilities, rewards and estimates', () => {
      using mdp = kernel.mdp(mdpOf(fair));
      const options = { method: 'interval-iteration', maxIterations: 12 } as const;
      const until = (more: object) => mdp.until('max', BitSet.full(40), goal, { ...options, ...more });
      for (const solve of [
        () => until({}),
        () => until({ method: 'value-iteration' }),
        () => mdp.reachabilityReward('max', costs, ends, options),
        () =>
          mdp.reachabilityReward('max', costs, ends, { ...options, maxIterations: 2000, precision: 1e-9 }),
      ]) {
        expect(refusal(solve)).toContain('allow more sweeps than maxIterations = ');
      }
    });

    test('say so where rounding stops them, and that less can be asked for', () => {
      using mdp = kernel.mdp(mdpOf(fair));
      const exacting = { method: 'interval-iteration', precision: 1e-18 } as const;
      for (const solve of [
        () => mdp.until('max', BitSet.full(40), goal, exacting),
        () => mdp.reachabilityReward('max', costs, ends, exacting),
        () => mdp.until('max', BitSet.full(40), goal, { precision: 1e-18 }),
      ]) {
        expect(refusal(solve)).toMatch(/rounding does not let bounds come closer: ask for less$/);
      }
    });
  });
});
