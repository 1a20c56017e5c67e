import { describe, expect, test } from 'vitest';
import { BitSet, type Csr, type Solution, type SolveMethod } from '../../bindings/solvers/kernel/index.js';
import { expectBrackets, widest } from '../oracle/brackets.js';
import { ExactChain } from '../oracle/chain.js';
import { Rational } from '../oracle/rational.js';
import { backends } from './backends.js';
import { chainOf, die, gambler, haddadMonmege, randomChain } from './chains.js';

const certified: readonly SolveMethod[] = ['auto', 'elimination', 'interval-iteration'];

describe.each(backends)('%s', (_, kernel) => {
  function reach(matrix: Csr, target: number[], method: SolveMethod = 'auto', precision = 1e-6): Solution {
    using chain = kernel.chain(matrix);
    return chain.until(BitSet.full(chain.states), BitSet.of(chain.states, target), { method, precision });
  }

  describe.each(certified)('%s', (method) => {
    test('the die shows each number with 1/6', () => {
      for (let side = 7; side <= 12; side++) {
        const solution = reach(die, [side], method);
        expectBrackets({ lower: solution.lower.slice(0, 1), upper: solution.upper.slice(0, 1) }, [
          Rational.parse('1/6'),
        ]);
        expectBrackets(solution, new ExactChain(die).until(BitSet.full(13), BitSet.of(13, [side])));
        expect(widest(solution)).toBeLessThanOrEqual(2e-6);
        expect(solution.accuracy).toBe('bounded');
      }
    });

    test.each([0.5, 0.45, 0.9])('a gambler who wins a round with %f is bracketed', (win) => {
      const matrix = gambler(20, win);
      const solution = reach(matrix, [20], method);
      expectBrackets(solution, new ExactChain(matrix).until(BitSet.full(21), BitSet.of(21, [20])));
      expect(widest(solution)).toBeLessThanOrEqual(2e-6);
    });

    test('the chain of Haddad and Monmege with n = 10 is bracketed', () => {
      const matrix = haddadMonmege(10);
      const solution = reach(matrix, [0], method);
      expectBrackets(solution, new ExactChain(matrix).until(BitSet.full(21), BitSet.of(21, [0])));
      expect(widest(solution)).toBeLessThanOrEqual(2e-6);
    });

    test('a self-loop of 1 - 1e-12 does not count, only the exits do', () => {
      const matrix = chainOf([
        [
          [0, 1 - 1e-12],
          [1, 4e-13],
          [2, 6e-13],
        ],
        [[1, 1]],
        [[2, 1]],
      ]);
      const solution = reach(matrix, [1], method);
      expectBrackets(solution, new ExactChain(matrix).until(BitSet.full(3), BitSet.of(3, [1])));
      expect(solution.upper[0] - solution.lower[0]).toBeLessThan(1e-14);
    });
  });

  test('elimination answers 7/10 on the chain of Haddad and Monmege with n = 300', () => {
    const solution = reach(haddadMonmege(300), [0], 'elimination');
    const exact = new Rational(7n, 10n);
    expect(exact.compare(solution.lower[300])).toBeGreaterThan(0);
    expect(exact.compare(solution.upper[300])).toBeLessThan(0);
    expect(widest(solution)).toBeLessThanOrEqual(2e-6);
  });

  test('value iteration stops far from the answer with n = 20, and says that it only estimates', () => {
    const solution = reach(haddadMonmege(20), [0], 'value-iteration');
    expect(solution.accuracy).toBe('estimated');
    expect(solution.upper[20]).toBeLessThan(0.6);
    expect(solution.lower).toEqual(solution.upper);
  });

  test('value iteration is close where a chain mixes fast', () => {
    const solution = reach(die, [7], 'value-iteration');
    expect(Math.abs(solution.lower[0] - 1 / 6)).toBeLessThan(1e-5);
  });

  test('what the graph decides is exact', () => {
    using chain = kernel.chain(gambler(4, 0.3));
    const everywhere = BitSet.full(5);
    const ends = chain.until(everywhere, BitSet.of(5, [0, 4]));
    expect(ends).toMatchObject({ accuracy: 'exact', method: 'graph', iterations: 0 });
    expect([...ends.lower]).toEqual([1, 1, 1, 1, 1]);
    const nothing = chain.until(everywhere, new BitSet(5));
    expect([...nothing.upper]).toEqual([0, 0, 0, 0, 0]);
    expect(nothing.accuracy).toBe('exact');
  });

  test('the path leaves remain only into target, and target may overlap it', () => {
    using chain = kernel.chain(gambler(4, 0.5));
    const solution = chain.until(BitSet.of(5, [1, 2]), BitSet.of(5, [2, 3]));
    expect([...solution.lower.slice(2, 4)]).toEqual([1, 1]);
    expect(solution.lower[1]).toBeLessThanOrEqual(0.5);
    expect(solution.upper[1]).toBeGreaterThanOrEqual(0.5);
    expect([solution.upper[0], solution.upper[4]]).toEqual([0, 0]);
  });

  test('a chain of one state is in its target or never gets there', () => {
    const one = chainOf([[[0, 1]]]);
    expect([...reach(one, [0]).lower]).toEqual([1]);
    expect([...reach(one, []).upper]).toEqual([0]);
  });

  test('bounded until counts steps, and steps until nothing moves', () => {
    using chain = kernel.chain(gambler(4, 0.5));
    const [everywhere, win] = [BitSet.full(5), BitSet.of(5, [4])];
    const exact = new ExactChain(gambler(4, 0.5));
    for (const steps of [0, 1, 2, 3, 7]) {
      expectBrackets(chain.boundedUntil(everywhere, win, steps), exact.boundedUntil(everywhere, win, steps));
    }
    const [unreachable, reached] = [
      chain.boundedUntil(everywhere, win, 1),
      chain.boundedUntil(everywhere, win, 3),
    ];
    expect(unreachable.upper[1]).toBe(0);
    expect(reached.upper[0]).toBe(0);
    const line = chainOf([[[1, 1]], [[1, 1]]]);
    using deterministic = kernel.chain(line);
    expect(deterministic.boundedUntil(BitSet.full(2), BitSet.of(2, [1]), 1e9).iterations).toBeLessThan(100);
  });

  test('next looks at the successors alone', () => {
    const matrix = gambler(4, 0.3);
    using chain = kernel.chain(matrix);
    const solution = chain.next(BitSet.of(5, [0, 2]));
    expectBrackets(solution, new ExactChain(matrix).next(BitSet.of(5, [0, 2])));
    expect(widest(solution)).toBeLessThan(1e-14);
    expect(solution.upper[2]).toBeLessThan(0.7001);
    expect(solution.upper[4]).toBe(0);
  });

  test('a row that sums to a little less than 1 stays with the rest, one that sums to more is scaled', () => {
    for (const excess of [-9e-10, 9e-10]) {
      const matrix = chainOf([
        [
          [1, 0.5],
          [2, 0.5 + excess],
        ],
        [[1, 1]],
        [[2, 1]],
      ]);
      using chain = kernel.chain(matrix);
      const exact = new ExactChain(matrix);
      for (const target of [[0], [1], [2], [0, 1]].map((states) => BitSet.of(3, states))) {
        const everywhere = BitSet.full(3);
        expectBrackets(chain.next(target), exact.next(target));
        expectBrackets(chain.boundedUntil(everywhere, target, 3), exact.boundedUntil(everywhere, target, 3));
        expectBrackets(chain.until(everywhere, target), exact.until(everywhere, target));
        expect(widest(chain.next(target))).toBeLessThan(1e-14);
      }
    }
  });

  test('a rare event keeps its relative precision', () => {
    const matrix = gambler(60, 0.25);
    using chain = kernel.chain(matrix);
    const [everywhere, win] = [BitSet.full(61), BitSet.of(61, [60])];
    const exact = new ExactChain(matrix).until(everywhere, win);
    for (const method of certified) {
      const solution = chain.until(everywhere, win, { precision: 1e-4, relative: true, method });
      expectBrackets(solution, exact);
      expect(solution.upper[1]).toBeLessThan(1e-28);
      for (let s = 1; s < 60; s++) {
        expect(solution.upper[s] - solution.lower[s]).toBeLessThanOrEqual(2e-4 * solution.lower[s]);
      }
    }
  });

  test('absolute precision asks nothing more of a rare event', () => {
    using chain = kernel.chain(gambler(60, 0.25));
    const solve = (relative: boolean) =>
      chain.until(BitSet.full(61), BitSet.of(61, [60]), {
        precision: 1e-4,
        relative,
        method: 'interval-iteration',
        maxIterations: 200,
      });
    const solution = solve(false);
    expect(widest(solution)).toBeLessThanOrEqual(2e-4);
    expect(solution.upper[1]).toBeGreaterThan(1e3 * solution.lower[1]);
    expect(() => solve(true)).toThrow(/relative to the lower one/);
  });

  test('a chain of ten thousand cycles stays within the precision asked for', () => {
    const cycles = 10_000;
    const rows = Array.from({ length: 2 * cycles }, (_, s): [number, number][] =>
      s % 2 === 0
        ? [[s + 1, 1]]
        : [
            [s - 1, 0.5],
            [s + 1, 0.49999],
            [2 * cycles + 1, 0.00001],
          ],
    );
    const matrix = chainOf([...rows, [[2 * cycles, 1]], [[2 * cycles + 1, 1]]]);
    for (const method of ['auto', 'interval-iteration'] as const) {
      const solution = reach(matrix, [2 * cycles], method, 1e-7);
      expect(widest(solution)).toBeLessThanOrEqual(2e-7);
      const exact = Math.exp(cycles * Math.log(0.49999 / 0.5));
      expect(solution.lower[0]).toBeLessThan(exact + 1e-10);
      expect(solution.upper[0]).toBeGreaterThan(exact - 1e-10);
    }
  });

  test('two targets that share all probability have bounds that allow a sum of 1', () => {
    const states = 5_000;
    using chain = kernel.chain(randomChain(states, 4, 7));
    const [one, other] = [states - 1, states - 2].map((target) =>
      chain.until(BitSet.full(states), BitSet.of(states, [target])),
    );
    expect(widest(one)).toBeLessThanOrEqual(2e-6);
    for (let s = 0; s < states; s++) {
      expect(one.lower[s] + other.lower[s]).toBeLessThanOrEqual(1);
      expect(one.upper[s] + other.upper[s]).toBeGreaterThanOrEqual(1);
    }
  });
});

describe('by WebAssembly', () => {
  const kernel = backends[0][1];

  test('interval iteration alone brackets the chain of Haddad and Monmege with n = 17', () => {
    const matrix = haddadMonmege(17);
    using chain = kernel.chain(matrix);
    const [everywhere, target] = [BitSet.full(35), BitSet.of(35, [0])];
    const solution = chain.until(everywhere, target, { method: 'interval-iteration' });
    expectBrackets(solution, new ExactChain(matrix).until(everywhere, target));
    expect(widest(solution)).toBeLessThanOrEqual(2e-6);
  });

  test('the chain of Haddad and Monmege with n = 300 is bracketed without choosing a method', () => {
    using chain = kernel.chain(haddadMonmege(300));
    const solution = chain.until(BitSet.full(601), BitSet.of(601, [0]));
    expectBrackets({ lower: solution.lower.slice(300, 301), upper: solution.upper.slice(300, 301) }, [
      new Rational(7n, 10n),
    ]);
    expect(widest(solution)).toBeLessThanOrEqual(2e-6);
  });

  test('a random chain of 100,000 states is solved to 1e-6', () => {
    const states = 100_000;
    using chain = kernel.chain(randomChain(states, 4, 7));
    const solution = chain.until(BitSet.full(states), BitSet.of(states, [states - 1]));
    expect(widest(solution)).toBeLessThanOrEqual(2e-6);
    expect(solution.accuracy).toBe('bounded');
  });
});
