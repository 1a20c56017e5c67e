import { describe, expect, test } from 'vitest';
import { InvalidArgumentError, KernelError } from '../../bindings/base/errors.js';
import {
  BitSet,
  type ChainRewards,
  type KernelChain,
  type Solution,
  type SolveOptions,
} from '../../bindings/solvers/kernel/index.js';
import { backends } from './backends.js';
import { chainOf, gambler } from './chains.js';
import { thrown } from './thrown.js';

const ones = (states: number) => new Float64Array(states).fill(1);
const untyped = (value: unknown) => value as never;
const all = BitSet.full(3);

/** What takes one number a state, and what it calls them. */
const perState: readonly (readonly [string, string, (chain: KernelChain, array: Float64Array) => unknown])[] =
  [
    ['steadyState', 'initial', (chain, initial) => chain.steadyState(initial)],
    ['visitsFrom', 'initial', (chain, initial) => chain.visitsFrom(initial)],
    ['visitsTo', 'weights', (chain, weights) => chain.visitsTo(weights)],
    ['instantaneousReward', 'states', (chain, states) => chain.instantaneousReward(states, 1)],
    ['cumulativeReward', 'states', (chain, states) => chain.cumulativeReward({ states }, 1)],
    ['totalReward', 'states', (chain, states) => chain.totalReward({ states })],
    ['longRunAverage', 'states', (chain, states) => chain.longRunAverage({ states })],
    ['reachabilityReward', 'states', (chain, states) => chain.reachabilityReward({ states }, all)],
  ];

/** What solves equations, even if there is nothing to solve. */
const solving: readonly (readonly [string, (chain: KernelChain, options: SolveOptions) => Solution])[] = [
  ['steadyState', (chain, options) => chain.steadyState(ones(3), options)],
  ['longRunAverage', (chain, options) => chain.longRunAverage({}, options)],
  ['visitsFrom', (chain, options) => chain.visitsFrom(new Float64Array(3), options)],
  ['visitsTo', (chain, options) => chain.visitsTo(ones(3), options)],
  ['totalReward', (chain, options) => chain.totalReward({}, options)],
  ['reachabilityReward', (chain, options) => chain.reachabilityReward({}, all, options)],
];

/** What goes step by step. */
const stepping: readonly (readonly [
  string,
  (chain: KernelChain, steps: number, options?: SolveOptions) => Solution,
])[] = [
  ['cumulativeReward', (chain, steps, options) => chain.cumulativeReward({}, steps, options)],
  ['instantaneousReward', (chain, steps, options) => chain.instantaneousReward(ones(3), steps, options)],
  ['boundedGlobally', (chain, steps, options) => chain.boundedGlobally(all, steps, options)],
  ['stepBack', (chain, steps, options) => chain.stepBack({ lower: ones(3), upper: ones(3) }, steps, options)],
];

function expectRefusal(call: () => unknown, message: RegExp | string): void {
  const error = thrown(call);
  expect(error).toBeInstanceOf(InvalidArgumentError);
  expect(error.message).toMatch(message);
}

describe.each(backends)('%s', (_, kernel) => {
  const opened = () => kernel.chain(gambler(2, 0.5));

  describe.each(perState)('%s', (_name, numbers, call) => {
    test.each<[Float64Array, string]>([
      [Float64Array.of(1, -1, 0), `entry 1 of ${numbers} is -1: it is 0 or lies between`],
      [Float64Array.of(1, 0, Number.NaN), `entry 2 of ${numbers} is NaN`],
      [Float64Array.of(Number.POSITIVE_INFINITY, 0, 0), `entry 0 of ${numbers} is Infinity`],
      [Float64Array.of(0, 2 ** -501, 0), `entry 1 of ${numbers} is ${2 ** -501}`],
      [Float64Array.of(0, 0, 2 ** 501), `entry 2 of ${numbers} is ${2 ** 501}`],
      [Float64Array.of(1, 0), `${numbers} has 2 entries: it has one for each of the model's 3 states`],
      [ones(4), `${numbers} has 4 entries`],
      [untyped([1, 1, 1]), `${numbers} is of type Array: it is a Float64Array`],
      [untyped(Float32Array.of(1, 1, 1)), `${numbers} is of type Float32Array`],
      [untyped(null), `${numbers} is of type Null`],
    ])('numbers %j are refused, naming the entry', (array, message) => {
      using chain = opened();
      expectRefusal(() => call(chain, array), message);
    });
  });

  test('numbers that are not optional are refused where they are missing', () => {
    using chain = opened();
    for (const [, numbers, call] of perState.slice(0, 4))
      expectRefusal(() => call(chain, untyped(undefined)), `${numbers} is of type Undefined`);
  });

  test.each<[string, ChainRewards['transitions'], RegExp]>([
    ['negative', chainOf([[[1, -2]], [], []]), /the reward of the move from 0 to 1 is -2/],
    ['NaN', chainOf([[], [[2, Number.NaN]], []]), /the reward of the move from 1 to 2 is NaN/],
    ['infinite', chainOf([[], [], [[2, Number.POSITIVE_INFINITY]]]), /the move from 2 to 2 is Infinity/],
    ['to no state', chainOf([[[3, 1]], [], []]), /moves from 0 have column 3 at entry 0.*below 3/],
    [
      'given twice',
      chainOf([
        [],
        [
          [1, 1],
          [1, 1],
        ],
        [],
      ]),
      /moves from 1 have column 1 at entry 1.*ascend/,
    ],
    [
      'unsorted',
      chainOf([
        [
          [2, 1],
          [1, 1],
        ],
        [],
        [],
      ]),
      /moves from 0 have column 1 at entry 1/,
    ],
    ['of too few states', chainOf([[[1, 1]], []]), /3 row starts from 0.*3 states, so there are 4/],
    [
      'without a column',
      { ...chainOf([[[1, 1]], [], []]), columns: new Uint32Array() },
      /0 columns and 1 values/,
    ],
    [
      'that begin late',
      { ...chainOf([[[1, 1]], [], []]), rowStart: Uint32Array.of(1, 1, 1, 1) },
      /from 1, 1 col/,
    ],
    [
      'in rows that descend',
      { ...chainOf([[[1, 1]], [], []]), rowStart: Uint32Array.of(0, 1, 0, 1) },
      /moves from 1 are entries 1 to 0 of 1/,
    ],
    [
      'in rows past the end',
      { ...chainOf([[[1, 1]], [], []]), rowStart: Uint32Array.of(0, 9, 9, 9) },
      /moves from 0 are entries 0 to 9 of 1/,
    ],
    [
      'past the last row',
      { ...chainOf([[[1, 1]], [], []]), rowStart: Uint32Array.of(0, 0, 0, 0) },
      /moves from 2 are entries 0 to 0 of 1/,
    ],
    ['of another type', { ...chainOf([[], [], []]), values: untyped([]) }, /values is of type Array/],
  ])('rewards of moves that are %s are refused, naming the move', (_name, transitions, message) => {
    using chain = opened();
    const rewards: ChainRewards = transitions === undefined ? {} : { transitions };
    for (const call of [
      () => chain.totalReward(rewards),
      () => chain.longRunAverage(rewards),
      () => chain.cumulativeReward(rewards, 1),
      () => chain.reachabilityReward(rewards, all),
    ])
      expectRefusal(call, message);
  });

  test('sets over other states are refused', () => {
    using chain = opened();
    const four = BitSet.full(4);
    for (const call of [
      () => chain.visitsTo(ones(3), { within: four }),
      () => chain.visitsFrom(ones(3), { within: four }),
      () => chain.totalReward({}, { within: four }),
    ])
      expectRefusal(call, /within is a set over 4 states, but the chain has 3/);
    expectRefusal(() => chain.reachabilityReward({}, four), /target is a set over 4 states/);
    const values = { lower: ones(3), upper: ones(3) };
    expectRefusal(() => chain.stepBack(values, 1, { active: four }), /active is a set over 4 states/);
  });

  test.each<[Float64Array, Float64Array, RegExp]>([
    [ones(2), ones(2), /have 2 lower and 2 upper bounds.*3 states/],
    [ones(3), new Float64Array(3), /of state 0 lie between 1 and 0: bounds ascend/],
    [Float64Array.of(0, 0, -1), ones(3), /of state 2 lie between -1 and 1/],
    [ones(3), Float64Array.of(1, Number.NaN, 1), /of state 1 lie between 1 and NaN/],
    [ones(3), Float64Array.of(1, 1, 2 ** 501), /of state 2 lie between 1 and .*up to 2\^500/],
    [ones(3), untyped([1, 1, 1]), /\.upper is of type Array/],
  ])('bounds from %j to %j are refused, naming the state', (lower, upper, message) => {
    using chain = opened();
    const [bad, good] = [
      { lower, upper },
      { lower: ones(3), upper: ones(3) },
    ];
    expectRefusal(() => chain.stepBack(bad, 1), message);
    expectRefusal(() => chain.stepBack(bad, 1), /^values/);
    expectRefusal(() => chain.stepBack(good, 1, { others: bad }), /^others/);
  });

  test.each(stepping)('%s refuses what is not a number of steps', (_name, call) => {
    using chain = opened();
    for (const steps of [-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])
      expectRefusal(() => call(chain, steps), `steps is ${steps}: it is a whole number, at least 0`);
  });

  test('windows that are empty, or whose every step is asked for, are refused, and more values than memory holds', () => {
    using chain = opened();
    expectRefusal(() => chain.boundedUntil(all, all, 2, { from: 3 }), /the window from 3 to 2 is empty/);
    expectRefusal(() => chain.boundedUntil(all, all, 2, { from: Number.NaN }), /from is NaN/);
    expectRefusal(
      () => chain.boundedUntil(all, all, 2, { from: 1, everyStep: true }),
      /start at 0, not at 1/,
    );
    const error = thrown(() => chain.boundedUntil(all, all, 2 ** 45, { everyStep: true }));
    expect(error).toBeInstanceOf(KernelError);
    expect(error.message).toMatch(/need \d+ bytes.*fewer steps/);
  });

  test.each(solving)('%s refuses options that are none', (_name, call) => {
    using chain = opened();
    for (const [options, message] of [
      [{ precision: 0 }, /precision is 0/],
      [{ precision: Number.NaN }, /precision is NaN: it lies strictly between 0 and 1/],
      [{ maxIterations: Number.NaN }, /maxIterations is NaN: it is a whole number/],
      [{ method: untyped('magic') }, /method is 'magic': it is one of auto/],
      [{ onProgress: untyped(42) }, /onProgress is 42: it is a function/],
      [{ signal: untyped({}) }, /signal is .*: it is an AbortSignal/],
    ] as const)
      expectRefusal(() => call(chain, options), message);
  });

  test('an aborted signal ends every call, even one with nothing to solve, and the chain can be used on', () => {
    using chain = opened();
    const signal = AbortSignal.abort(new Error('enough'));
    for (const [, call] of solving) {
      expect(() => call(chain, { signal })).toThrow('enough');
      expect(call(chain, {}).lower).toHaveLength(3);
    }
    for (const [, call] of stepping) expect(() => call(chain, 0, { signal })).toThrow('enough');
  });

  test('a chain that was freed answers nothing', () => {
    const chain = opened();
    chain.free();
    const calls = [
      ...perState.map(
        ([, , call]) =>
          () =>
            call(chain, ones(3)),
      ),
      ...stepping.map(
        ([, call]) =>
          () =>
            call(chain, 1),
      ),
      () => chain.bottomComponents(),
    ];
    for (const call of calls) expectRefusal(call, /this chain was freed already/);
  });
});

test.each([undefined, null, Float64Array.of(1, 0, 0)])(
  '%s are no rewards, and null no options',
  (rewards) => {
    for (const [, kernel] of backends) {
      using chain = kernel.chain(chainOf([[[1, 1]], [[2, 1]], [[2, 1]]]));
      const target = BitSet.of(3, [2]);
      expect(() => chain.reachabilityReward(rewards as never, target)).toThrow(
        /the rewards are .*states, transitions/,
      );
      expect(() => chain.until(target, target, null as never)).toThrow(/the options are null/);
    }
  },
);
