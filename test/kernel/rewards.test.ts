import { describe, expect, test } from 'vitest';
import { NotConvergedError } from '../../bindings/base/errors.js';
import { BitSet, type Csr, NO_COMPONENT, type Solution } from '../../bindings/solvers/kernel/index.js';
import { expectBrackets } from '../oracle/brackets.js';
import { ExactChain } from '../oracle/chain.js';
import { Rational } from '../oracle/rational.js';
import { exactTotalReward } from '../oracle/rewards.js';
import { backends } from './backends.js';
import { chainOf, die, gambler, haddadMonmege, randomNumbers } from './chains.js';
import { thrown } from './thrown.js';

const ones = (states: number) => new Float64Array(states).fill(1);
const only = (states: number, s: number) => Float64Array.from({ length: states }, (_, t) => Number(s === t));
const whole = (value: number) => new Rational(BigInt(value));

/** Asserts the width that was asked for: 2 * precision, relative to values above 1. */
function expectWidth({ lower, upper }: Solution, precision: number): void {
  const widest = upper.reduce(
    (most, value, s) => Math.max(most, (value - lower[s]) / Math.max(1, lower[s])),
    0,
  );
  expect(widest).toBeLessThanOrEqual(2 * precision);
}

/** Every state moves on by 1 and by three random distances, so that each is entered as often as left: all are equally likely. */
function circulant(states: number, leave = 0): Csr {
  const random = randomNumbers(states);
  const distances = new Set([1]);
  while (distances.size < 4) distances.add(2 + Math.floor(random() * (states - 3)));
  const rows = Array.from({ length: states }, (_, s): [number, number][] => {
    const moves = [...distances].map((d): [number, number] => [(s + d) % states, (1 - leave) / 4]);
    return [...moves.sort(([a], [b]) => a - b), ...(leave > 0 ? [[states, leave] as [number, number]] : [])];
  });
  return chainOf(leave > 0 ? [...rows, [[states, 1]]] : rows);
}

describe.each(backends)('%s', (backend, kernel) => {
  test('the die takes 11/3 tosses, wherever they are counted', () => {
    using chain = kernel.chain(die);
    const tossed = Float64Array.from({ length: 13 }, (_, s) => Number(s < 7));
    const shown = BitSet.of(13, [7, 8, 9, 10, 11, 12]);
    const exact = exactTotalReward(new ExactChain(die), { states: tossed }, BitSet.full(13)) as Rational[];
    expect(exact[0].toString()).toBe('11/3');
    const moves = { ...die, values: Float64Array.from(die.values, () => 1) };
    for (const solution of [
      chain.totalReward({ states: tossed }),
      chain.reachabilityReward({ states: ones(13) }, shown),
      chain.reachabilityReward({ transitions: moves }, shown),
      chain.visitsTo(ones(13), { within: shown.complement() }),
    ]) {
      expectBrackets(solution, exact);
      expectWidth(solution, 1e-6);
      expect(solution.iterations).toBe(0);
    }
  });

  test.each(backend === 'wasm' ? [20, 33, 200, 1000] : [20, 33, 100])(
    'a fair gambler with %d coins plays i (n - i) rounds, and is at j as often as known',
    (n) => {
      using chain = kernel.chain(gambler(n, 0.5));
      const rounds = chain.reachabilityReward({ states: ones(n + 1) }, BitSet.of(n + 1, [0, n]));
      expectBrackets(
        rounds,
        Array.from({ length: n + 1 }, (_, i) => whole(i * (n - i))),
      );
      expectWidth(rounds, 1e-6);
      if (n > 200) return;
      const within = BitSet.of(n + 1, [0, n]).complement();
      const from = Math.floor(n / 3);
      const visits = chain.visitsFrom(only(n + 1, from), { within });
      const known = Array.from(
        { length: n + 1 },
        (_, j) => new Rational(BigInt(2 * Math.min(from, j) * (n - Math.max(from, j))), BigInt(n)),
      );
      expectBrackets(visits, known);
      expectWidth(visits, 1e-6);
    },
  );

  test.each(['auto', 'interval-iteration'] as const)(
    'method %s finds upper bounds of rewards in a component of 2,500 states, verified by induction',
    (method) => {
      using chain = kernel.chain(circulant(2500, 1 / 64));
      const solution = chain.totalReward(
        { states: ones(2501) },
        { method, within: BitSet.of(2501, [2500]).complement() },
      );
      expectBrackets(
        solution,
        Array.from({ length: 2501 }, (_, s) => whole(s < 2500 ? 64 : 0)),
      );
      expectWidth(solution, 1e-6);
    },
  );

  test.each(backend === 'wasm' ? [40, 2010] : [40])(
    '%d states that are entered as often as left are equally likely in the long run',
    (n) => {
      using chain = kernel.chain(circulant(n));
      const solution = chain.steadyState(only(n, 0));
      expectBrackets(
        solution,
        Array.from({ length: n }, () => new Rational(1n, BigInt(n))),
      );
      const average = chain.longRunAverage({ states: Float64Array.from({ length: n }, (_, s) => s % 2) });
      expectBrackets(
        average,
        Array.from({ length: n }, () => new Rational(1n, 2n)),
      );
      expectWidth(average, 1e-6);
      for (const { iterations, method } of [solution, average]) {
        expect(method).toBe('topological');
        expect(iterations).toBeGreaterThan(0);
      }
    },
  );

  test('two blocks that are left once in 2^30 steps share the long run equally', () => {
    const [half, bridge] = [20, 2 ** -30];
    const matrix = chainOf(
      Array.from({ length: 2 * half }, (_, s): [number, number][] => {
        const block = s < half ? 0 : half;
        const next = block + ((s - block + 1) % half);
        const other = (s + half) % (2 * half);
        return [
          [s, 0.25],
          [next, 0.75 - bridge],
          [other, bridge],
        ].sort(([a], [b]) => a - b) as [number, number][];
      }),
    );
    using chain = kernel.chain(matrix);
    expectBrackets(
      chain.steadyState(only(2 * half, 0)),
      Array.from({ length: 2 * half }, () => new Rational(1n, BigInt(2 * half))),
    );
  });

  test('a walk that drifts has a geometric steady state, however rare its far end', () => {
    const n = 60;
    const matrix = chainOf(
      Array.from({ length: n }, (_, s): [number, number][] => {
        const down: [number, number][] = s > 0 ? [[s - 1, 0.5]] : [];
        const up: [number, number][] = s < n - 1 ? [[s + 1, 0.25]] : [];
        const stay = 1 - [...down, ...up].reduce((sum, [, p]) => sum + p, 0);
        return [...down, [s, stay], ...up];
      }),
    );
    using chain = kernel.chain(matrix);
    const solution = chain.steadyState(only(n, n - 1));
    const total = 2n ** BigInt(n) - 1n;
    expectBrackets(
      solution,
      Array.from({ length: n }, (_, s) => new Rational(2n ** BigInt(n - 1 - s), total)),
    );
    for (let s = 0; s < n; s++) expect(solution.upper[s]).toBeLessThanOrEqual(solution.lower[s] * (1 + 2e-6));
  });

  test('bounds not reached are true for what does not start with sum 1', () => {
    using chain = kernel.chain(circulant(40));
    const initial = only(40, 0).map((value) => 60 * value);
    const error = thrown(() =>
      chain.steadyState(initial, { method: 'interval-iteration', precision: 1e-12, maxIterations: 1 }),
    );
    expect(error).toBeInstanceOf(NotConvergedError);
    // All 40 states are equally likely.
    expectBrackets(
      error as NotConvergedError,
      Array.from({ length: 40 }, () => new Rational(3n, 2n)),
    );
  });

  test('a share of the long run too small for a double is not taken for 0', () => {
    const [rare, rarer] = [2 ** -300, 2 ** -490];
    using chain = kernel.chain(
      chainOf([
        [
          [1, 1],
          [3, rarer],
        ],
        [
          [1, 1],
          [2, rare],
        ],
        [
          [0, rare],
          [1, 1],
        ],
        [[0, 1]],
      ]),
    );
    // Between two visits to 0, 1 is visited 2^600 times, and 3 with 2^-490.
    const { lower, upper } = chain.steadyState(only(4, 0));
    expect(lower[3]).toBe(0);
    expect(upper[3]).toBeGreaterThan(0);
    expect(upper[3]).toBeLessThan(1e-150);
    expect(lower[1]).toBeGreaterThan(1 - 1e-6);
  });

  test('rewards that never end are infinite, where they may be met and nowhere else', () => {
    const matrix = chainOf([
      [
        [1, 0.5],
        [2, 0.5],
      ],
      [[1, 1]],
      [[2, 1]],
      [[2, 1]],
    ]);
    using chain = kernel.chain(matrix);
    const total = chain.totalReward({ states: Float64Array.of(1, 1, 0, 3) });
    expect([...total.lower]).toEqual([Infinity, Infinity, 0, total.lower[3]]);
    expect([...total.upper]).toEqual([Infinity, Infinity, 0, total.upper[3]]);
    expectBrackets({ lower: total.lower.slice(3), upper: total.upper.slice(3) }, [whole(3)]);
    const missed = chain.reachabilityReward({}, BitSet.of(4, [2]));
    expect([...missed.lower]).toEqual([Infinity, Infinity, 0, 0]);
    expect([...missed.upper]).toEqual([Infinity, Infinity, 0, 0]);
    expect(missed.accuracy).toBe('exact');
    expect([...chain.visitsFrom(only(4, 0)).upper]).toEqual([expect.closeTo(1), Infinity, Infinity, 0]);
    expect([...chain.bottomComponents().componentOf].map((c) => c === NO_COMPONENT)).toEqual([
      true,
      false,
      false,
      true,
    ]);
  });

  test('values for every step are those of each number of steps, and go on where nothing moves', () => {
    using chain = kernel.chain(gambler(6, 0.4));
    const [remain, target] = [BitSet.full(7), BitSet.of(7, [6])];
    const every = chain.boundedUntil(remain, target, 9, { everyStep: true });
    expect(every.lower.length).toBe(70);
    for (let steps = 0; steps <= 9; steps++) {
      const { lower, upper } = chain.boundedUntil(remain, target, steps);
      expect(every.lower.slice(7 * steps, 7 * steps + 7)).toEqual(lower);
      expect(every.upper.slice(7 * steps, 7 * steps + 7)).toEqual(upper);
    }
    const still = chain.boundedGlobally(target, 3, { everyStep: true });
    expect([...still.upper].map(Number)).toEqual([0, 1, 2, 3].flatMap(() => [...only(7, 6)]));
  });

  test('plain value iteration of rewards comes close where a chain soon ends', () => {
    using chain = kernel.chain(die);
    const tossed = { states: Float64Array.from({ length: 13 }, (_, s) => Number(s < 7)) };
    const { lower, upper } = chain.totalReward(tossed, { method: 'value-iteration', precision: 1e-9 });
    expect(lower[0]).toBeCloseTo(11 / 3, 7);
    expect(upper[0]).toBe(lower[0]);
  });

  test('a reward beyond all doubles has a finite lower bound, and the solver soon gives up on an upper one', () => {
    const rare = 2 ** -500;
    using chain = kernel.chain(
      chainOf([
        [
          [0, 1],
          [1, rare],
        ],
        [
          [0, 1],
          [2, rare],
        ],
        [[2, 1]],
      ]),
    );
    for (const method of ['auto', 'interval-iteration'] as const) {
      // 2^500 a step for 2^1000 steps.
      const solve = () =>
        chain.totalReward({ states: Float64Array.of(2 ** 500, 0, 0) }, { method, maxIterations: 2 ** 26 });
      const error = thrown(solve);
      expect(error).toBeInstanceOf(NotConvergedError);
      const { lower, upper, message } = error as NotConvergedError;
      expect([upper[0], upper[2]]).toEqual([Number.POSITIVE_INFINITY, 0]);
      expect(lower[0]).toBeLessThanOrEqual(2 ** 1000);
      if (method === 'interval-iteration') expect(lower[0]).toBe(2 ** 1000);
      expect(message).toMatch(/after \d{1,4} sweeps/);
    }
  });

  test('plain value iteration of rewards is marked as an estimate, and solvers that give up say what they know', () => {
    using chain = kernel.chain(haddadMonmege(20));
    const target = BitSet.of(41, [0, 40]);
    const rewards = { states: ones(41) };
    expect(chain.reachabilityReward(rewards, target, { method: 'value-iteration' }).accuracy).toBe(
      'estimated',
    );
    let error: unknown;
    try {
      chain.reachabilityReward(rewards, target, { method: 'interval-iteration', maxIterations: 30 });
    } catch (caught) {
      error = caught;
    }
    expect(error).toBeInstanceOf(NotConvergedError);
    const { lower, upper } = error as NotConvergedError;
    expect([lower[0], upper[0], upper[20]]).toEqual([0, 0, Number.POSITIVE_INFINITY]);
    expect(lower[20]).toBeGreaterThan(1);
  });

  test('an aborted solve of rewards frees what it held, and the chain cannot be freed meanwhile', () => {
    using chain = kernel.chain(circulant(1000, 2 ** -12));
    const within = BitSet.of(1001, [1000]).complement();
    const reward = { states: ones(1001) };
    const solve = (onProgress: () => void) => () => {
      const controller = new AbortController();
      chain.totalReward(reward, {
        method: 'interval-iteration',
        within,
        signal: controller.signal,
        onProgress: () => {
          onProgress();
          controller.abort(new Error('enough'));
        },
      });
    };
    expect(solve(() => chain.free())).toThrow(/is being solved/);
    const before = kernel.memoryBytes();
    expect(solve(() => {})).toThrow('enough');
    expect(kernel.memoryBytes()).toBe(before);
  });
});
