import { describe, expect, test } from 'vitest';
import { InvalidArgumentError, InvalidModelError, NotConvergedError } from '../../bindings/base/errors.js';
import {
  BitSet,
  type IntervalCsr,
  type KernelIntervalModel,
  type Players,
  type RobustOptions,
} from '../../bindings/solvers/kernel/index.js';
import { backends } from './backends.js';
import { thrown } from './thrown.js';

/** State 0 stays, or goes to 1, each with 1/4 to 3/4; 1 stays. */
const matrix: IntervalCsr = {
  rowStart: Uint32Array.of(0, 2, 3),
  columns: Uint32Array.of(0, 1, 1),
  lower: Float64Array.of(0.25, 0.25, 1),
  upper: Float64Array.of(0.75, 0.75, 1),
};

const lower = (...numbers: number[]) => ({ lower: Float64Array.from(numbers) });
const upper = (...numbers: number[]) => ({ upper: Float64Array.from(numbers) });
const columns = (...numbers: number[]) => ({ columns: Uint32Array.from(numbers) });
const rowStart = (...numbers: number[]) => ({ rowStart: Uint32Array.from(numbers) });
const ball = (centre: number[], radius: number[]) => ({
  centre: Float64Array.from(centre),
  radius: Float64Array.from(radius),
});
const untyped = (value: unknown) => value as never;

const calls = <Goal>(
  model: KernelIntervalModel<Goal>,
  remain: BitSet,
  target: BitSet,
  goal: Goal,
  options?: RobustOptions,
) => ({
  prob0: () => model.prob0(remain, target, goal),
  prob1: () => model.prob1(remain, target, goal),
  until: () => model.until(remain, target, goal, options),
  boundedUntil: () => model.boundedUntil(remain, target, 2, goal, options),
  next: () => model.next(target, goal),
});

describe.each(backends)('%s', (_, kernel) => {
  /** Every fault of a row, with what is said about it after `state 0 ` or `row 0 of state 0 `. */
  const faults: [string, Partial<IntervalCsr>, number | undefined, RegExp][] = [
    ['crossed bounds', lower(0.25, 0.8, 1), 0, /(.*) moves to 1 with at least 0\.8 and at most 0\.75: /],
    ['a lower NaN', lower(Number.NaN, 0.25, 1), 0, /(.*) moves to 0 with at least NaN/],
    ['an upper NaN', upper(0.75, 0.75, Number.NaN), 1, /(.*) moves to 1 with at most NaN/],
    ['a negative lower bound', lower(0.25, -0.25, 1), 0, /(.*) moves to 1 with at least -0\.25/],
    ['too small a lower bound', lower(1e-200, 0.25, 1), 0, /(.*) moves to 0 with at least 1e-200: .*2\^-500/],
    ['an upper bound above 1', upper(0.75, 1.5, 1), 0, /(.*) moves to 1 with at most 1\.5/],
    ['an upper bound of 0', { ...lower(0, 1, 1), ...upper(0, 1, 1) }, 0, /(.*) moves to 0 .*0: .*leave out/],
    ['too small an upper bound', { ...lower(0, 0.25, 1), ...upper(1e-200, 1, 1) }, 0, /(.*) moves.*2\^-500/],
    ['too large lower bounds', lower(0.75, 0.5, 1), 0, /lower bounds of (.*) sum to 1\.25, more than 1: no/],
    ['a lower sum off by 2e-9', lower(0.75, 0.25 + 2e-9, 1), 0, /lower bounds of (.*) sum to 1\.000000002/],
    ['too small upper bounds', upper(0.5, 0.25, 1), 0, /upper bounds of (.*) sum to 0\.75, less than 1: no/],
    [
      'an upper sum off by 2e-9',
      { ...lower(0, 0, 0), ...upper(0.75, 0.75, 1 - 2e-9) },
      1,
      /of (.*) sum to 0/,
    ],
    ['a column outside', columns(0, 2, 1), 0, /(.*) has successor 2, but states are 0 to 1/],
    ['unsorted columns', columns(1, 0, 1), 0, /(.*) has successor 0 after 1: columns ascend/],
    ['a duplicate column', columns(1, 1, 1), 0, /(.*) has successor 1 twice: .*add up duplicates/],
    ['a column missing', columns(0, 1), undefined, /2 columns but 3 entries of lower/],
    ['a lower bound missing', lower(0, 1), undefined, /3 columns but 2 entries of lower/],
    ['an upper bound missing', upper(0.75, 0.75), undefined, /3 columns but 2 entries of upper/],
    ['an empty row', rowStart(0, 3, 3), 1, /(.*) has no successor: .*self-loop/],
    ['rows from 1', rowStart(1, 2, 3), 0, /rowStart goes from 1 to 2 at (.*): it starts at 0/],
    ['rows that descend', rowStart(0, 3, 2), 1, /rowStart goes from 3 to 2 at (.*): .*never descends/],
    ['rows beyond the entries', rowStart(0, 2, 4), 1, /from 2 to 4 at (.*): .*number of entries, 3/],
    ['entries in no row', rowStart(0, 1, 2), 1, /from 1 to 2 at (.*): .*number of entries, 3/],
    ['no row', rowStart(0), undefined, /rowStart has 1 entries/],
    [
      'a centre below',
      ball([0.1, 0.9, 1], [0, 0]),
      0,
      /(.*) has centre 0\.1 at successor 0, outside .* 0\.25/,
    ],
    [
      'a centre above',
      ball([0.1 + 0.9, 0, 1], [0, 0]),
      0,
      /(.*) has centre 1 at successor 0, outside .* 0\.75/,
    ],
    ['a centre of NaN', ball([0.5, Number.NaN, 1], [0, 0]), 0, /(.*) has centre NaN at successor 1/],
    [
      'too small a centre',
      { ...lower(0, 0.25, 1), ...upper(1, 1, 1), ...ball([1e-200, 1, 1], [1, 1]) },
      0,
      /(.*) has centre 1e-200 at successor 0: it is 0 or/,
    ],
    ['a centre sum', ball([0.5, 0.25, 1], [1, 1]), 0, /centre of (.*) sums to 0\.75, not to 1/],
    ['a negative radius', ball([0.5, 0.5, 1], [0, -1]), 1, /radius of (.*) is -1: it is at least 0/],
    ['a radius of NaN', ball([0.5, 0.5, 1], [Number.NaN, 0]), 0, /radius of (.*) is NaN/],
    ['a radius missing', ball([0.5, 0.5, 1], [0]), undefined, /1 radii but 2 rows/],
    ['a centre missing', ball([0.5, 0.5], [0, 0]), undefined, /3 columns but 2 entries of centre/],
    ['a centre alone', { centre: matrix.lower }, undefined, /centre is given alone: .*give both or neither/],
    ['a radius alone', { radius: Float64Array.of(1, 1) }, undefined, /radius is given alone/],
  ];

  test.each(faults)('%s is refused, naming state and row', (_name, part, state, message) => {
    const rowGroupStart = Uint32Array.of(0, 1, 2);
    const before = kernel.memoryBytes();
    for (const [open, place] of [
      [() => kernel.intervalChain({ ...matrix, ...part }), `state ${state}`],
      [() => kernel.intervalMdp({ ...matrix, ...part, rowGroupStart }), `row ${state} of state ${state}`],
    ] as const) {
      const error = thrown(open);
      expect(error).toBeInstanceOf(InvalidModelError);
      expect(error.message).toMatch(message);
      expect(message.exec(error.message)![1]).toBe(state === undefined ? undefined : place);
      expect(error).toHaveProperty('state', state);
    }
    expect(kernel.memoryBytes()).toBe(before);
  });

  test('the sum of refused bounds is given', () => {
    expect(thrown(() => kernel.intervalChain({ ...matrix, ...lower(0.75, 0.5, 1) }))).toMatchObject({
      code: 'invalid-model',
      rowSum: 1.25,
    });
  });

  test.each<[string, number[], number | undefined, RegExp]>([
    ['an empty group', [0, 0, 2], 0, /^state 0 has no row: /],
    ['an empty last group', [0, 2, 2], 1, /from 2 to 2 at state 1|state 1 has no row/],
    ['groups from 1', [1, 2], 0, /rowGroupStart goes from 1 to 2 at state 0/],
    ['groups that descend', [0, 2, 1, 2], 1, /rowGroupStart goes from 2 to 1 at state 1/],
    ['groups beyond the rows', [0, 1, 3], 1, /from 1 to 3 at state 1: .*number of rows, 2/],
    ['a row in no group', [0, 1], 0, /from 0 to 1 at state 0: .*number of rows, 2/],
    ['no state', [0], undefined, /rowGroupStart has 1 entries/],
    ['rows of a state that is not their number', [0, 2], 0, /^row 0 of state 0 has successor 1/],
  ])('%s is refused, naming the state', (_name, groups, state, message) => {
    const error = thrown(() => kernel.intervalMdp({ ...matrix, rowGroupStart: Uint32Array.from(groups) }));
    expect(error).toBeInstanceOf(InvalidModelError);
    expect(error.message).toMatch(message);
    expect(error).toHaveProperty('state', state);
  });

  test.each<[string, unknown]>([
    ['rowGroupStart', [0, 1, 2]],
    ['rowStart', [0, 2, 3]],
    ['columns', Int32Array.of(0, 1, 1)],
    ['lower', Float32Array.of(0, 0, 1)],
    ['upper', undefined],
    ['centre', [0.5, 0.5, 1]],
    ['radius', Float32Array.of(1, 1)],
  ])('%s of another type is refused', (name, array) => {
    const around = name === 'centre' || name === 'radius' ? ball([0.5, 0.5, 1], [1, 1]) : {};
    const rowGroupStart = Uint32Array.of(0, 1, 2);
    const error = thrown(() =>
      kernel.intervalMdp({ ...matrix, rowGroupStart, ...around, [name]: untyped(array) }),
    );
    expect(error).toBeInstanceOf(InvalidArgumentError);
    expect(error.message).toMatch(new RegExp(`^${name} is of type \\w+: it is a (Uint32|Float64)Array`));
  });

  test('sets over other states, and what is no set, are refused by every call', () => {
    using chain = kernel.intervalChain(matrix);
    const full = BitSet.full(2);
    for (const [target, message] of [
      [BitSet.full(3), /target is a set over 3 states, but the model has 2/],
      [new BitSet(2, Uint32Array.of(4)), /target has 1 words of bits, or bits at or above its size/],
      [untyped(null), /target is null: it is a BitSet over 2 states/],
    ] as const) {
      for (const call of Object.values(calls(chain, full, target, 'min'))) {
        expect(call).toThrow(InvalidArgumentError);
        expect(call).toThrow(message);
      }
    }
    const { next, ...others } = calls(chain, BitSet.full(33), full, 'min');
    for (const call of Object.values(others)) expect(call).toThrow(/remain is a set over 33 states/);
  });

  test.each<[unknown, RegExp]>([
    ['best', /nature is best: it is 'min' or 'max'/],
    [undefined, /nature is undefined/],
  ])('nature %s is refused by every call', (nature, message) => {
    using chain = kernel.intervalChain(matrix);
    const full = BitSet.full(2);
    for (const call of Object.values(calls(chain, full, full, untyped(nature)))) {
      expect(call).toThrow(InvalidArgumentError);
      expect(call).toThrow(message);
    }
  });

  test.each<[unknown, RegExp]>([
    ['max', /the goal is max: it is \{ scheduler, nature \}/],
    [null, /the goal is null/],
    [{ scheduler: 'max' }, /nature is undefined/],
    [{ nature: 'max', scheduler: 'most' }, /scheduler is most: it is 'min' or 'max'/],
  ])('players %j are refused by every call', (players, message) => {
    using mdp = kernel.intervalMdp({ ...matrix, rowGroupStart: Uint32Array.of(0, 1, 2) });
    const full = BitSet.full(2);
    for (const call of Object.values(calls(mdp, full, full, players as Players))) {
      expect(call).toThrow(InvalidArgumentError);
      expect(call).toThrow(message);
    }
  });

  test.each<[RobustOptions, RegExp]>([
    [{ precision: 0 }, /precision is 0: it lies strictly between 0 and 1/],
    [{ precision: Number.NaN }, /precision is NaN/],
    [{ maxIterations: 0 }, /maxIterations is 0: it is a whole number/],
    [{ onProgress: untyped(42) }, /onProgress is 42: it is a function/],
    [{ signal: untyped({}) }, /signal is .*: it is an AbortSignal/],
  ])('options %j are refused', (options, message) => {
    using chain = kernel.intervalChain(matrix);
    const { until } = calls(chain, BitSet.full(2), BitSet.of(2, [1]), 'min', options);
    expect(until).toThrow(InvalidArgumentError);
    expect(until).toThrow(message);
  });

  test.each([-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('%d steps are refused', (steps) => {
    using chain = kernel.intervalChain(matrix);
    const call = () => chain.boundedUntil(BitSet.full(2), BitSet.full(2), steps, 'min');
    expect(call).toThrow(InvalidArgumentError);
    expect(call).toThrow(`steps is ${steps}: it is a whole number, at least 0`);
  });

  test.each<[unknown, unknown, RegExp]>([
    [Float64Array.of(1), 'min', /values has 1 entries, but the model has 2 states/],
    [[0, 1], 'min', /values is of type Array: it is a Float64Array/],
    [Float64Array.of(0, Number.NaN), 'min', /the value of state 1 is NaN: values are probabilities/],
    [Float64Array.of(-0.5, 1), 'min', /the value of state 0 is -0\.5/],
    [Float64Array.of(0, 1.5), 'min', /the value of state 1 is 1\.5/],
    [Float64Array.of(0, 1), 'most', /direction is most: it is 'min' or 'max'/],
  ])('rowDistributions for %j, %s is refused', (values, direction, message) => {
    using chain = kernel.intervalChain(matrix);
    const call = () => chain.rowDistributions(untyped(values), untyped(direction));
    expect(call).toThrow(InvalidArgumentError);
    expect(call).toThrow(message);
  });

  test('a freed model answers nothing, and is not freed twice', () => {
    const chain = kernel.intervalChain(matrix);
    chain.free();
    for (const use of [
      ...Object.values(calls(chain, BitSet.full(2), BitSet.full(2), 'min')),
      () => chain.rowDistributions(Float64Array.of(0, 1), 'min'),
      () => chain.free(),
      () => chain[Symbol.dispose](),
    ]) {
      expect(use).toThrow(InvalidArgumentError);
      expect(use).toThrow(/this model was freed already: free it once/);
    }
  });

  /** A walk between 0 and `last` that lingers in the middle: bounds need many sweeps, the more the longer it is. */
  function lingering(last: number): IntervalCsr {
    const inner = Array.from({ length: last - 1 }, (_, i) => [i, i + 2]).flat();
    return {
      rowStart: Uint32Array.from({ length: last + 2 }, (_, s) =>
        s === 0 ? 0 : s === last + 1 ? 2 * last : 2 * s - 1,
      ),
      ...columns(0, ...inner, last),
      ...lower(1, ...inner.map(() => 0.499), 1),
      ...upper(1, ...inner.map(() => 0.501), 1),
    };
  }
  const slow = lingering(100);
  const [all, goal] = [BitSet.full(101), BitSet.of(101, [100])];

  test('an aborted signal ends a solve with its reason, before it starts or between slices', () => {
    using chain = kernel.intervalChain(slow);
    const { until, boundedUntil } = calls(chain, all, goal, 'max', {
      signal: AbortSignal.abort(new Error('enough')),
    });
    expect(until).toThrow('enough');
    expect(boundedUntil).toThrow('enough');
    const controller = new AbortController();
    const reports: number[] = [];
    const onProgress = ({ fraction, gap }: { fraction: number; gap: number }) => {
      reports.push(gap);
      expect(fraction).toBeGreaterThanOrEqual(0);
      expect(fraction).toBeLessThanOrEqual(1);
      controller.abort(new Error('later'));
    };
    expect(() =>
      chain.boundedUntil(all, goal, 1e9, 'max', { onProgress, signal: controller.signal }),
    ).toThrow('later');
    expect(reports).toHaveLength(1);
  });

  test('a model cannot be freed by the progress report of its own solve', () => {
    using chain = kernel.intervalChain(slow);
    const onProgress = () => chain.free();
    expect(() => chain.boundedUntil(all, goal, 1e9, 'max', { onProgress })).toThrow(/is being solved/);
    expect(chain.prob0(all, goal, 'max').count()).toBe(1);
  });

  test('too few sweeps give an error with true bounds', () => {
    const [everywhere, end] = [BitSet.full(31), BitSet.of(31, [30])];
    using chain = kernel.intervalChain(lingering(30));
    const error = thrown(() => chain.until(everywhere, end, 'max', { maxIterations: 20, precision: 1e-9 }));
    expect(error).toBeInstanceOf(NotConvergedError);
    expect(error.message).toMatch(/after 20 sweeps.*maxIterations = 20/);
    const solution = chain.until(everywhere, end, 'max', { precision: 1e-2 });
    const reached = error as NotConvergedError;
    for (const s of solution.lower.keys()) {
      expect(reached.lower[s]).toBeLessThanOrEqual(solution.upper[s]);
      expect(reached.upper[s]).toBeGreaterThanOrEqual(solution.lower[s]);
    }
    expect(reached.upper[15] - reached.lower[15]).toBeGreaterThan(1e-3);
  });
});
