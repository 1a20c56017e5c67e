import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NotConvergedError } from '../../bindings/base/errors.js';
import { BitSet, type Direction, type MdpMatrix } from '../../bindings/solvers/kernel/index.js';
import { kernelOf } from '../../bindings/solvers/kernel/registry.js';
import { WasmEngine } from '../../bindings/solvers/kernel/wasm/engine.js';
import { instantiateKernel } from '../../bindings/solvers/kernel/wasm/module.js';
import { expectBrackets, widest } from '../oracle/brackets.js';
import { ReferenceEngine } from '../oracle/engine/engine.js';
import { Rational } from '../oracle/rational.js';
import { backends } from './backends.js';
import { arbitraryMdpUntil, mdpOf } from './randomMdps.js';
import { scalarWasmBytes } from './wasmBytes.js';

/** In state 0 one may wait, or toss: 1/4 to the goal 2, 1/4 to the trap 3, else on to 1, from where one returns for ever. */
const toss = mdpOf([
  [
    [[0, 1]],
    [
      [1, 0.5],
      [2, 0.25],
      [3, 0.25],
    ],
  ],
  [[[0, 1]], [[1, 1]]],
  [[[2, 1]]],
  [[[3, 1]]],
]);

/**
 * A walk over `states` states towards the last, each step of which may also fall into the first: whatever one chooses, or only
 * if one chooses to.
 */
function walk(states: number, avoidable: boolean): MdpMatrix {
  return mdpOf(
    Array.from({ length: states }, (_, s): [number, number][][] => {
      if (s === 0 || s === states - 1) return [[[s, 1]]];
      const risky: [number, number][] = [
        [0, 0.25],
        [s + 1, 0.75],
      ];
      return avoidable ? [risky, [[s + 1, 1]]] : [risky];
    }),
  );
}

describe.each(backends)('%s', (backend, kernel) => {
  test('waiting does not help: the collapsed loop is left by the toss', () => {
    using mdp = kernel.mdp(toss);
    const [everywhere, goal] = [BitSet.full(4), BitSet.of(4, [2])];
    const greatest = mdp.until('max', everywhere, goal);
    for (const s of [0, 1]) {
      expect(greatest.lower[s]).toBeLessThanOrEqual(0.5);
      expect(greatest.upper[s]).toBeGreaterThanOrEqual(0.5);
    }
    expect([...greatest.scheduler]).toEqual([1, 2, 4, 5]);
    const least = mdp.until('min', everywhere, goal);
    expect([...least.upper]).toEqual([0, 0, 1, 0]);
    expect(least.accuracy).toBe('exact');
    expect(least.scheduler[0]).toBe(0);
    expect([...mdp.endComponents().componentOf].map((c) => c < 4)).toEqual([true, true, true, true]);
    const { count, componentOf } = mdp.components();
    expect(count).toBe(3);
    expect([componentOf[0], componentOf[1]]).toEqual([2, 2]);
    expect([componentOf[2], componentOf[3]].sort()).toEqual([0, 1]);
  });

  test('a loop that costs nothing is not where the least reward stays, and one that costs is left too', () => {
    for (const cost of [0, 1]) {
      // State 0 loops at this cost, or goes to the goal for 5.
      using mdp = kernel.mdp(mdpOf([[[[1, 1]], [[2, 1]]], [[[0, 1]]], [[[2, 1]]]]));
      const rewards = { rows: Float64Array.of(cost, 5, 0, 0) };
      const least = mdp.reachabilityReward('min', rewards, BitSet.of(3, [2]));
      for (const s of [0, 1]) {
        expect(least.lower[s]).toBeLessThanOrEqual(5);
        expect(least.upper[s]).toBeGreaterThanOrEqual(5);
        expect(least.upper[s] - least.lower[s]).toBeLessThan(1e-5);
      }
      expect([...least.scheduler]).toEqual([1, 2, 3]);
      const greatest = mdp.reachabilityReward('max', rewards, BitSet.of(3, [2]));
      expect([...greatest.lower]).toEqual([Infinity, Infinity, 0]);
      expect([...greatest.scheduler]).toEqual([0, 2, 3]);
    }
  });

  test.each([true, false])('a long walk is decided in linear time, avoidable: %s', (avoidable) => {
    const states = backend === 'wasm' ? 100_000 : 2_000;
    using mdp = kernel.mdp(walk(states, avoidable));
    const [everywhere, goal] = [BitSet.full(states), BitSet.of(states, [states - 1])];
    expect(mdp.prob1E(everywhere, goal).count()).toBe(avoidable ? states - 1 : 1);
    expect(mdp.prob1A(everywhere, goal).count()).toBe(1);
    expect(mdp.endComponents().count).toBe(2);
    const { lower, upper } = mdp.until('min', everywhere, goal);
    expect(lower[states - 3]).toBeLessThanOrEqual(0.5625);
    expect(upper[states - 3]).toBeGreaterThanOrEqual(0.5625);
    const steps = mdp.reachabilityReward(
      'max',
      { states: new Float64Array(states).fill(1) },
      goal.union(BitSet.of(states, [0])),
    );
    const longest = avoidable ? 2 : 1.75;
    expect(steps.lower[states - 3]).toBeLessThanOrEqual(longest);
    expect(steps.upper[states - 3]).toBeGreaterThanOrEqual(longest);
  });

  test('a component that iteration would take millions of sweeps for is solved by policies', () => {
    // From n towards 0 or 2n, back to n at every step with a half, or, if one so chooses in the upper half, with 6 in 10.
    const n = 24;
    const slow = mdpOf(
      Array.from({ length: 2 * n + 1 }, (_, x): [number, number][][] => {
        if (x === 0 || x === 2 * n) return [[[x, 1]]];
        if (x === n) {
          return [
            [
              [n - 1, 0.7],
              [n + 1, 0.3],
            ],
          ];
        }
        const onward = (p: number): [number, number][] =>
          x < n
            ? [
                [x - 1, p],
                [n, 1 - p],
              ]
            : [
                [n, 1 - p],
                [x + 1, p],
              ];
        return x < n ? [onward(0.5)] : [onward(0.5), onward(0.4)];
      }),
    );
    using mdp = kernel.mdp(slow);
    const [everywhere, low] = [BitSet.full(2 * n + 1), BitSet.of(2 * n + 1, [0])];
    // Either half is left at its end with 1/2^(n-1), the upper one with 0.4^(n-1) if one turns back as often as possible.
    const chance = (up: number) => (0.7 * 0.5 ** (n - 1)) / (0.7 * 0.5 ** (n - 1) + 0.3 * up ** (n - 1));
    for (const [direction, up, choice] of [
      ['max', 0.4, 1],
      ['min', 0.5, 0],
    ] as const) {
      const { lower, upper, scheduler, iterations } = mdp.until(direction, everywhere, low, {
        precision: 1e-5,
      });
      expect(lower[n]).toBeLessThanOrEqual(chance(up));
      expect(upper[n]).toBeGreaterThanOrEqual(chance(up));
      expect(upper[n] - lower[n]).toBeLessThanOrEqual(2e-5);
      expect(scheduler[n + 5] - scheduler[n + 4]).toBe(2);
      expect(scheduler[n + 1] - scheduler[n]).toBe(1 + choice);
      expect(iterations).toBeLessThan(100_000);
    }
    const steps = mdp.reachabilityReward(
      'max',
      { states: new Float64Array(2 * n + 1).fill(1) },
      low.union(BitSet.of(2 * n + 1, [2 * n])),
    );
    expect(steps.lower[n]).toBeGreaterThan(2 ** (n - 1));
    expect(steps.upper[n]).toBeLessThan(2 ** (n + 2));
  });

  test('a row that sums to more than 1 is divided by its sum, where it earns too', () => {
    const matrix = mdpOf([
      [
        [
          [1, 0.5],
          [2, 0.5 + 9e-10],
        ],
      ],
      [[[1, 1]]],
      [[[2, 1]]],
    ]);
    using mdp = kernel.mdp(matrix);
    const { lower, upper } = mdp.reachabilityReward(
      'max',
      { rows: Float64Array.of(1, 0, 0) },
      BitSet.of(3, [1, 2]),
    );
    expect(lower[0]).toBeLessThanOrEqual(1);
    expect(upper[0]).toBeGreaterThanOrEqual(1);
    expect(upper[0] - lower[0]).toBeLessThan(1e-14);
  });

  test.each([
    [0, 1],
    [1, 0],
  ])(
    'however many sweeps are allowed, bounds are as close as asked or there are none, state %d first',
    (a, b) => {
      // Nearly all of what a does not know comes from b, and hardly anything the other way.
      const rows: [number, number][][] = [];
      rows[a] = [
        [b, 0.998],
        [2, 0.001],
        [3, 0.001],
      ];
      rows[b] = [
        [a, 0.002],
        [2, 0.499],
        [3, 0.499],
      ];
      using mdp = kernel.mdp(mdpOf([...rows, [[2, 1]], [[3, 1]]].map((row) => [row as [number, number][]])));
      const [all, goal] = [BitSet.full(4), BitSet.of(4, [2])];
      let refused = 0;
      for (let maxIterations = 1; maxIterations < 8; maxIterations++) {
        const options = { method: 'interval-iteration', maxIterations, precision: 1e-3 } as const;
        try {
          const { lower, upper } = mdp.until('max', all, goal, options);
          for (const s of [0, 1]) expect(upper[s] - lower[s]).toBeLessThanOrEqual(2e-3);
        } catch (error) {
          expect(error).toBeInstanceOf(NotConvergedError);
          refused++;
        }
      }
      expect(refused).toBeLessThan(7);
    },
  );

  test('sets of 32 states, which fill a word, end with the last of them', () => {
    // 0 moves to 31; all others stay.
    using mdp = kernel.mdp(mdpOf(Array.from({ length: 32 }, (_, s) => [[[s === 0 ? 31 : s, 1]]])));
    const [all, target] = [BitSet.full(32), BitSet.of(32, [5])];
    for (const set of [
      mdp.prob0A(all, target).complement(),
      mdp.prob0E(all, target).complement(),
      mdp.prob1A(all, target),
      mdp.prob1E(all, target),
    ]) {
      expect([...set]).toEqual([5]);
    }
    expect([...mdp.reachableFrom(BitSet.of(32, [0]))]).toEqual([0, 31]);
    expect(mdp.endComponents().count).toBe(31);
  });

  test('values of every number of steps can be had', () => {
    using mdp = kernel.mdp(toss);
    const options = { everyStep: true };
    const { lower } = mdp.boundedUntil('max', BitSet.full(4), BitSet.of(4, [2]), 3, options);
    expect(lower).toHaveLength(16);
    expect([0, 1, 2, 3].map((step) => Math.round(lower[4 * step] * 1e6) / 1e6)).toEqual([
      0, 0.25, 0.25, 0.375,
    ]);
  });

  test('building, solving and freeing again and again does not grow memory', () => {
    const round = () => {
      using mdp = kernel.mdp(toss);
      const [all, goal] = [BitSet.full(4), BitSet.of(4, [2])];
      mdp.until('max', all, goal);
      mdp.until('min', all, goal);
      mdp.reachabilityReward('min', { states: Float64Array.of(1, 1, 1, 1) }, BitSet.of(4, [2, 3]));
      mdp.boundedUntil('max', all, goal, 2);
      expect(() => mdp.until('max', all, goal, { signal: AbortSignal.abort() })).toThrow();
    };
    for (let i = 0; i < 20; i++) round();
    const before = kernel.memoryBytes();
    for (let i = 0; i < 200; i++) round();
    expect(kernel.memoryBytes()).toBe(before);
  });
});

test('without SIMD all bounds and schedulers are the same, bit by bit', () => {
  const [[, kernel]] = backends;
  const scalar = kernelOf(new WasmEngine(instantiateKernel(scalarWasmBytes())));
  fc.assert(
    fc.property(arbitraryMdpUntil, fc.constantFrom('min', 'max'), ({ matrix, remain, target }, direction) => {
      const [one, other] = [kernel, scalar].map((backend) => {
        using mdp = backend.mdp(matrix);
        try {
          return mdp.until(direction as Direction, remain, target, { maxIterations: 2000 });
        } catch (error) {
          if (!(error instanceof NotConvergedError)) throw error;
          return { lower: error.lower, upper: error.upper };
        }
      });
      expect(one).toEqual(other);
    }),
  );
});

const engines = [
  ['wasm', new WasmEngine(instantiateKernel(scalarWasmBytes()))],
  ['reference', new ReferenceEngine()],
] as const;

test.each(engines)('%s remembers the choice that verified a guess', (_, engine) => {
  const loaded = engine.loadMdp(mdpOf([[[[1, 1]], [[1, 1]]], [[[1, 1]]]]));
  if ('status' in loaded) throw new Error('refused');
  const costs = Float64Array.of(5, 1, 0);
  const problem = loaded.openOptimum({
    direction: 'min',
    memberStart: Uint32Array.of(0, 1),
    members: Uint32Array.of(0),
    rows: BitSet.full(3),
    one: new BitSet(2),
    rewards: { lower: costs, upper: costs },
    upper: Number.POSITIVE_INFINITY,
  });
  problem.guessUpper(0, 1, 2);
  expect(problem.verifySweep(0, 1)).toBe(true);
  expect([...problem.chosenRows()]).toEqual([1]);
  expect(problem.bounds().upper[0]).toBeGreaterThan(1);
  problem.close();
  loaded.free();
});

test.each(engines)('%s remembers the choice that verified a bound which a scheduler attains', (_, engine) => {
  const toGoal = (p: number): [number, number][] => [
    [1, p],
    [2, 1 - p],
  ];
  const loaded = engine.loadMdp(mdpOf([[toGoal(0.5), toGoal(0.25), toGoal(0.75)], [[[1, 1]]], [[[2, 1]]]]));
  if ('status' in loaded) throw new Error('refused');
  for (const [direction, sides, row] of [
    ['max', ['upper', 'lower'], 2],
    ['min', ['lower', 'upper'], 1],
  ] as const) {
    const problem = loaded.openOptimum({
      direction,
      memberStart: Uint32Array.of(0, 1),
      members: Uint32Array.of(0),
      rows: BitSet.full(5),
      one: BitSet.of(3, [1]),
      upper: 1,
    });
    const bounds = { lower: Float64Array.of(0.2), upper: Float64Array.of(0.8) };
    const chosen = sides.map((side) => {
      expect(problem.takeOver(0, 1, bounds[side], side)).toBe(true);
      return problem.chosenRows()[0];
    });
    expect(chosen).toEqual([0, row]);
    problem.close();
  }
  loaded.free();
});

test.each(engines)('%s takes guessed bounds only where its equations verify them', (_, engine) => {
  // Between 0 and 1 one goes to and fro; either is left with 1/4 to the goal 2 and 1/4 to the trap 3: both values are 1/2.
  const leave = (to: number): [number, number][] => [
    [to, 0.5],
    [2, 0.25],
    [3, 0.25],
  ];
  const loaded = engine.loadMdp(mdpOf([[leave(1)], [leave(0)], [[[2, 1]]], [[[3, 1]]]]));
  if ('status' in loaded) throw new Error('refused');
  for (const direction of ['min', 'max'] as const) {
    const problem = loaded.openOptimum({
      direction,
      memberStart: Uint32Array.of(0, 1, 2),
      members: Uint32Array.of(0, 1),
      rows: BitSet.full(4),
      one: BitSet.of(4, [2]),
      upper: 1,
    });
    expect(problem.takeOver(0, 2, Float64Array.of(0.6, 0.6), 'lower')).toBe(false);
    expect(problem.takeOver(0, 2, Float64Array.of(0.4, 0.4), 'upper')).toBe(false);
    expect(problem.bounds()).toEqual({ lower: Float64Array.of(0, 0), upper: Float64Array.of(1, 1) });
    // The values themselves satisfy their equations without room for rounding.
    expect(problem.takeOver(0, 2, Float64Array.of(0.5, 0.5), 'lower')).toBe(false);
    expect(problem.takeOver(0, 2, Float64Array.of(0.5, 0.5), 'upper')).toBe(false);
    expect(problem.takeOver(0, 2, Float64Array.of(0.4, 0.4), 'lower')).toBe(true);
    expect(problem.takeOver(0, 2, Float64Array.of(0.6, 0.6), 'upper')).toBe(true);
    expect(problem.bounds()).toEqual({ lower: Float64Array.of(0.4, 0.4), upper: Float64Array.of(0.6, 0.6) });
    // What is wider than known, or no number, changes nothing.
    expect(problem.takeOver(0, 2, Float64Array.of(0.3, Number.NaN), 'lower')).toBe(true);
    expect(problem.takeOver(0, 2, Float64Array.of(0.7, Number.POSITIVE_INFINITY), 'upper')).toBe(true);
    expect(problem.takeOver(0, 2, Float64Array.of(0.3, Number.POSITIVE_INFINITY), 'lower')).toBe(true);
    expect(problem.bounds()).toEqual({ lower: Float64Array.of(0.4, 0.4), upper: Float64Array.of(0.6, 0.6) });
    // Every sweep halves the distance to 1/2; none beyond those asked for is made.
    expect(problem.sweeps(0, 2, 0, 3)).toBe(3);
    expect(problem.gap(0, 2, 1, 0)).toBeGreaterThan(1e-3);
    // Rounding stops them in the end.
    expect(problem.sweeps(0, 2, 3, 1000)).toBeLessThan(200);
    problem.close();
  }
  loaded.free();
});

/** Walks to 0 or n - 1, one step down with one of the probabilities given. */
function gamble(n: number, ...downs: number[]): MdpMatrix {
  return mdpOf(
    Array.from({ length: n }, (_, s): [number, number][][] =>
      s === 0 || s === n - 1
        ? [[[s, 1]]]
        : downs.map((down): [number, number][] => [
            [s - 1, down],
            [s + 1, 1 - down],
          ]),
    ),
  );
}

test('a walk of 100,000 states without a choice is eliminated as that of a chain is', () => {
  const n = 100_000;
  const [, kernel] = backends[0];
  using mdp = kernel.mdp(gamble(n, 0.5));
  const [everywhere, target] = [BitSet.full(n), BitSet.of(n, [n - 1])];
  for (const direction of ['min', 'max'] as const) {
    const solution = mdp.until(direction, everywhere, target);
    expect(widest(solution)).toBeLessThanOrEqual(2e-6);
    expect(solution.iterations).toBeLessThan(100);
    const some = [1, 2, 777, n >> 1, n - 3, n - 2];
    expectBrackets(
      {
        lower: Float64Array.from(some, (s) => solution.lower[s]),
        upper: Float64Array.from(some, (s) => solution.upper[s]),
      },
      some.map((s) => new Rational(BigInt(s), BigInt(n - 1))),
    );
  }
  const steps = mdp.reachabilityReward(
    'max',
    { states: new Float64Array(n).fill(1) },
    target.union(BitSet.of(n, [0])),
  );
  const longest = (n >> 1) * (n - 1 - (n >> 1));
  expect(steps.lower[n >> 1]).toBeLessThanOrEqual(longest);
  expect(steps.upper[n >> 1]).toBeGreaterThanOrEqual(longest);
});

test('policies that never leave are no place to start from: the least reward is found by those that do', () => {
  for (const [, kernel] of backends) {
    // First choices go round for ever, at a cost; no upper bound is known until policies find one.
    const out = 2 ** -20;
    using mdp = kernel.mdp(
      mdpOf([
        [[[1, 1]]],
        [[[0, 1]], [[2, 1]]],
        [
          [
            [0, 1 - out],
            [3, out],
          ],
        ],
        [[[3, 1]]],
      ]),
    );
    const { lower, upper, scheduler, iterations } = mdp.reachabilityReward(
      'min',
      { rows: Float64Array.of(1, 1, 1, 8, 0) },
      BitSet.of(4, [3]),
    );
    // 10 a round, in 2^20 rounds.
    const from0 = 10 / out;
    expectBrackets(
      { lower, upper },
      [from0, from0 - 1, from0 - 2, 0].map((value) => new Rational(BigInt(value), 1n)),
    );
    expect([...scheduler]).toEqual([0, 2, 3, 4]);
    expect(iterations).toBeLessThan(100_000);
  }
});

test('a walk of 600 states with a second choice is solved by policies, where sweeps alone would take a million', () => {
  const n = 600;
  const [, kernel] = backends[0];
  using mdp = kernel.mdp(gamble(n, 0.5, 0.55));
  // The fair choice is the better one, and goes up from s with probability s / (n - 1).
  const solution = mdp.until('max', BitSet.full(n), BitSet.of(n, [n - 1]));
  expectBrackets(
    solution,
    Array.from({ length: n }, (_, s) => new Rational(BigInt(s), BigInt(n - 1))),
  );
  expect(widest(solution)).toBeLessThanOrEqual(2e-6);
  expect(solution.iterations).toBeLessThan(30_000);
});

test('of more steps than a computer can take only those are taken after which nothing moves', () => {
  const n = 9;
  const [everywhere, target] = [BitSet.full(n), BitSet.of(n, [n - 1])];
  const certain = Array.from({ length: n }, (_, s) => new Rational(BigInt(s), BigInt(n - 1)));
  for (const [, kernel] of backends) {
    using mdp = kernel.mdp(gamble(n, 0.5, 0.75));
    using chain = kernel.chain(gamble(n, 0.5));
    for (const solution of [
      mdp.boundedUntil('max', everywhere, target, Number.MAX_SAFE_INTEGER),
      chain.boundedUntil(everywhere, target, Number.MAX_SAFE_INTEGER),
    ]) {
      // What is left after so many steps is far below what rounding is given.
      expectBrackets(solution, certain);
      expect(widest(solution)).toBeLessThan(1e-12);
      expect(solution.iterations).toBeLessThan(10_000);
    }
  }
});
