import { describe, expect, test } from 'vitest';
import { InvalidArgumentError, InvalidModelError, NotConvergedError } from '../../bindings/base/errors.js';
import {
  BitSet,
  type Direction,
  type KernelMdp,
  type MdpMatrix,
  type MdpRewards,
  type SolveOptions,
} from '../../bindings/solvers/kernel/index.js';
import { backends } from './backends.js';
import { haddadMonmege } from './chains.js';
import { thrown } from './thrown.js';

/** State 0 moves to 1, or to 0 or 1 alike; 1 stays. */
const choice: MdpMatrix = {
  rowGroupStart: Uint32Array.of(0, 2, 3),
  rowStart: Uint32Array.of(0, 1, 3, 4),
  columns: Uint32Array.of(1, 0, 1, 1),
  values: Float64Array.of(1, 0.5, 0.5, 1),
};

const values = (...numbers: number[]) => ({ values: Float64Array.from(numbers) });
const columns = (...numbers: number[]) => ({ columns: Uint32Array.from(numbers) });
const rowStart = (...numbers: number[]) => ({ rowStart: Uint32Array.from(numbers) });
const rowGroupStart = (...numbers: number[]) => ({ rowGroupStart: Uint32Array.from(numbers) });
const untyped = (value: unknown) => value as never;

/** Every call, each with its sets, which may be over another number of states. */
const calls = (mdp: KernelMdp, remain: BitSet, target: BitSet, options?: SolveOptions) => ({
  prob0A: () => mdp.prob0A(remain, target),
  prob0E: () => mdp.prob0E(remain, target),
  prob1A: () => mdp.prob1A(remain, target),
  prob1E: () => mdp.prob1E(remain, target),
  until: () => mdp.until('max', remain, target, options),
  boundedUntil: () => mdp.boundedUntil('max', remain, target, 2, options),
  reachableFrom: () => mdp.reachableFrom(target),
  endComponents: () => mdp.endComponents(target),
  next: () => mdp.next('min', target),
  reachabilityReward: () =>
    mdp.reachabilityReward('min', { states: new Float64Array(mdp.states) }, target, options),
});

describe.each(backends)('%s', (_, kernel) => {
  test.each<[string, Partial<MdpMatrix>, number | undefined, RegExp]>([
    ['a row sum', values(1, 0.5, 0.25, 1), 0, /choice 1 of state 0 sum to 0\.75, not to 1/],
    ['a row sum off by 2e-9', values(1, 0.5, 0.5, 1 - 2e-9), 1, /choice 0 of state 1 sum to 0\.999999998/],
    ['NaN', values(1, Number.NaN, 0.5, 1), 0, /choice 1 of state 0 moves to 0 with NaN/],
    ['a negative probability', values(1, -0.5, 0.5, 1), 0, /choice 1 of state 0 moves to 0 with -0\.5/],
    ['a probability above 1', values(1, 0.5, 1.5, 1), 0, /choice 1 of state 0 moves to 1 with 1\.5/],
    ['a probability of 0', values(1, 0, 1, 1), 0, /moves to 0 with 0: .*leave out/],
    ['too small a probability', values(1, 1e-200, 1, 1), 0, /moves to 0 with 1e-200: .*2\^-500/],
    ['a column outside', columns(1, 0, 1, 2), 1, /choice 0 of state 1 has successor 2.*0 to 1/],
    ['a row number as column', columns(2, 0, 1, 1), 0, /choice 0 of state 0 has successor 2.*0 to 1/],
    ['a duplicate column', columns(1, 1, 1, 1), 0, /choice 1 of state 0 has successor 1 twice.*add up/],
    ['unsorted columns', columns(1, 1, 0, 1), 0, /choice 1 of state 0 has successor 0 after 1.*ascend/],
    ['a column missing', columns(1, 0, 1), undefined, /3 columns but 4 values/],
    ['an empty row', rowStart(0, 1, 1, 4), 0, /choice 1 of state 0 has no successor.*self-loop/],
    ['rows from 1', rowStart(1, 1, 3, 4), 0, /rowStart goes from 1 to 1 at choice 0 of state 0/],
    ['rows that descend', rowStart(0, 1, 3, 2), 1, /rowStart goes from 3 to 2 at choice 0 of state 1/],
    ['rows beyond the entries', rowStart(0, 1, 5, 5), 0, /rowStart goes from 1 to 5.*number of entries, 4/],
    ['entries in no row', rowStart(0, 1, 2, 3), 0, /sum to 0\.5/],
    [
      'entries after the last row',
      { ...rowStart(0, 1, 3, 4), ...columns(1, 0, 1, 1, 1), ...values(1, 0.5, 0.5, 1, 1) },
      1,
      /rowStart goes from 3 to 4 at choice 0 of state 1.*number of entries, 5/,
    ],
    ['no row', rowStart(0), undefined, /rowStart has 1 entries: n rows have n \+ 1/],
    ['no state', rowGroupStart(0), undefined, /rowGroupStart has 1 entries.*at least one state/],
    ['an empty group', rowGroupStart(0, 0, 3), 0, /state 0 has no choice: .*self-loop/],
    ['an empty last group', rowGroupStart(0, 3, 3), 1, /state 1 has no choice/],
    ['groups from 1', rowGroupStart(1, 2, 3), 0, /rowGroupStart goes from 1 to 2 at state 0/],
    ['groups that descend', rowGroupStart(0, 2, 1), 1, /rowGroupStart goes from 2 to 1 at state 1/],
    ['groups beyond the rows', rowGroupStart(0, 2, 4), 1, /from 2 to 4 at state 1.*number of rows, 3/],
    ['a row in no group', rowGroupStart(0, 1, 2), 1, /from 1 to 2 at state 1.*number of rows, 3/],
  ])('%s is refused, naming state and choice', (_name, part, state, message) => {
    const before = kernel.memoryBytes();
    const error = thrown(() => kernel.mdp({ ...choice, ...part }));
    expect(error).toBeInstanceOf(InvalidModelError);
    expect(error.message).toMatch(message);
    expect((error as InvalidModelError).state).toBe(state);
    expect(kernel.memoryBytes()).toBe(before);
  });

  test('the sum of a refused row is given', () => {
    expect(thrown(() => kernel.mdp({ ...choice, ...values(1, 0.5, 0.25, 1) }))).toMatchObject({
      code: 'invalid-model',
      rowSum: 0.75,
    });
  });

  test('what one refused model left behind does not blame a row of the next', () => {
    thrown(() => kernel.mdp({ ...choice, ...values(1, 0.5, 0.5, 2) }));
    expect(thrown(() => kernel.mdp({ ...choice, ...rowStart(1, 1, 3, 4) })).message).toMatch(
      /from 1 to 1 at choice 0 of state 0/,
    );
  });

  test.each<[string, unknown]>([
    ['rowGroupStart', [0, 2, 3]],
    ['rowStart', Float64Array.of(0, 1, 3, 4)],
    ['columns', Int32Array.of(1, 0, 1, 1)],
    ['values', Float32Array.of(1, 0.5, 0.5, 1)],
    ['values', undefined],
  ])('%s of another type is refused, case %#', (name, array) => {
    const error = thrown(() => kernel.mdp({ ...choice, [name]: untyped(array) }));
    expect(error).toBeInstanceOf(InvalidArgumentError);
    expect(error.message).toMatch(new RegExp(`^${name} is of type \\w+: it is a (Uint32|Float64)Array`));
  });

  test.each(Object.keys(calls(undefined as never, undefined as never, undefined as never)))(
    '%s refuses sets over other states, and what is no set',
    (name) => {
      using mdp = kernel.mdp(choice);
      const call = (remain: unknown, target: unknown) =>
        thrown(calls(mdp, untyped(remain), untyped(target))[name as keyof ReturnType<typeof calls>]);
      const argument = { reachableFrom: 'seeds', endComponents: 'subset' }[name] ?? 'target';
      for (const [target, message] of [
        [BitSet.full(3), `${argument} is a set over 3 states, but the MDP has 2`],
        [new BitSet(2, Uint32Array.of(4)), `${argument} has 1 words of bits, or bits at or above its size`],
        [new BitSet(2, new Uint32Array(0)), `${argument} has 0 words of bits`],
        [null, `${argument} is null: it is a BitSet over 2 states`],
      ] as const) {
        const error = call(BitSet.full(2), target);
        expect(error).toBeInstanceOf(InvalidArgumentError);
        expect(error.message).toContain(message);
      }
      if (argument !== 'target' || name === 'next' || name === 'reachabilityReward') return;
      expect(call(BitSet.full(33), BitSet.full(2)).message).toContain('remain is a set over 33 states');
    },
  );

  test.each<[string, unknown, RegExp]>([
    [
      'of a state missing',
      { states: Float64Array.of(1) },
      /rewards\.states has 1 entries.*each of the model's 2 states/,
    ],
    [
      'of a row missing',
      { rows: Float64Array.of(1, 1) },
      /rewards\.rows has 2 entries.*each of the model's 3 rows/,
    ],
    ['that are negative', { rows: Float64Array.of(0, -1, 0) }, /entry 1 of rewards\.rows is -1: it is 0/],
    ['that are NaN', { states: Float64Array.of(0, Number.NaN) }, /entry 1 of rewards\.states is NaN/],
    [
      'that are infinite',
      { rows: Float64Array.of(0, 0, Number.POSITIVE_INFINITY) },
      /entry 2 of rewards\.rows is Infinity/,
    ],
    [
      'that are too small',
      { states: Float64Array.of(2 ** -501, 0) },
      /entry 0 of rewards\.states is .*2\^-500/,
    ],
    [
      'that are too large',
      { states: Float64Array.of(0, 2 ** 501) },
      /entry 1 of rewards\.states is .*2\^500/,
    ],
    ['of another type', { states: [0, 0] }, /rewards\.states is of type Array: it is a Float64Array/],
    ['that are an array', Float64Array.of(1, 0), /the rewards are an array/],
    ['that are none', undefined, /the rewards are undefined: they are \{ states, rows \}/],
  ])('rewards %s are refused, with their place', (_name, rewards, message) => {
    using mdp = kernel.mdp(choice);
    for (const call of [
      () => mdp.reachabilityReward('max', rewards as MdpRewards, BitSet.of(2, [1])),
      () => mdp.totalReward('max', rewards as MdpRewards),
      () => mdp.cumulativeReward('max', rewards as MdpRewards, 1),
    ]) {
      const error = thrown(call);
      expect(error).toBeInstanceOf(InvalidArgumentError);
      expect(error.message).toMatch(message);
    }
  });

  test.each(['best', 'MAX', undefined])('the direction %s is refused', (direction) => {
    using mdp = kernel.mdp(choice);
    const set = BitSet.full(2);
    for (const call of [
      () => mdp.until(direction as Direction, set, set),
      () => mdp.boundedUntil(direction as Direction, set, set, 1),
      () => mdp.next(direction as Direction, set),
      () => mdp.reachabilityReward(direction as Direction, {}, set),
      () => mdp.totalReward(direction as Direction, {}),
      () => mdp.cumulativeReward(direction as Direction, {}, 1),
    ]) {
      expect(call).toThrow(InvalidArgumentError);
      expect(call).toThrow(`direction is '${direction}': it is 'min' or 'max'`);
    }
  });

  test.each<[SolveOptions, RegExp]>([
    [{ precision: 0 }, /precision is 0: it lies strictly between 0 and 1/],
    [{ precision: Number.NaN }, /precision is NaN/],
    [{ maxIterations: 1.5 }, /maxIterations is 1\.5: it is a whole number/],
    [{ method: 'elimination' }, /'elimination', which solves linear equations.*use 'auto'/],
    [{ method: untyped('magic') }, /method is 'magic': it is one of auto/],
    [{ onProgress: untyped(42) }, /onProgress is 42: it is a function/],
    [{ signal: untyped({}) }, /signal is .*: it is an AbortSignal/],
  ])('options %j are refused', (options, message) => {
    using mdp = kernel.mdp(choice);
    const { until, reachabilityReward } = calls(mdp, BitSet.full(2), BitSet.of(2, [1]), options);
    for (const call of [until, reachabilityReward]) {
      expect(call).toThrow(InvalidArgumentError);
      expect(call).toThrow(message);
    }
  });

  test.each([-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('%d steps are refused', (steps) => {
    using mdp = kernel.mdp(choice);
    const call = () => mdp.boundedUntil('max', BitSet.full(2), BitSet.of(2, [1]), steps);
    expect(call).toThrow(InvalidArgumentError);
    expect(call).toThrow(`steps is ${steps}: it is a whole number, at least 0`);
  });

  test('a freed MDP answers nothing, and is not freed twice', () => {
    const mdp = kernel.mdp(choice);
    mdp.free();
    const uses = { ...calls(mdp, BitSet.full(2), BitSet.full(2)), components: () => mdp.components() };
    for (const use of [...Object.values(uses), () => mdp.free(), () => mdp[Symbol.dispose]()]) {
      expect(use).toThrow(InvalidArgumentError);
      expect(use).toThrow(/this MDP was freed already: free it once/);
    }
  });

  /** Where iteration takes millions of sweeps. */
  const slow = (): KernelMdp =>
    kernel.mdp({ ...haddadMonmege(20), rowGroupStart: Uint32Array.from({ length: 42 }, (_, s) => s) });
  const [all, goal] = [BitSet.full(41), BitSet.of(41, [0])];

  test('an aborted signal ends a solve with its reason, before it starts or between slices', () => {
    using mdp = slow();
    const signal = AbortSignal.abort(new Error('enough'));
    for (const name of ['until', 'boundedUntil', 'reachabilityReward'] as const) {
      expect(calls(mdp, all, goal, { signal })[name]).toThrow('enough');
    }
    const controller = new AbortController();
    const sweeps: number[] = [];
    const options: SolveOptions = {
      method: 'interval-iteration',
      signal: controller.signal,
      onProgress: ({ iterations, fraction, gap }) => {
        sweeps.push(iterations);
        expect(fraction).toBeGreaterThanOrEqual(0);
        expect(fraction).toBeLessThanOrEqual(1);
        expect(gap).toBeGreaterThan(0);
        if (sweeps.length === 3) controller.abort(new Error('later'));
      },
    };
    expect(() => mdp.until('max', all, goal, options)).toThrow('later');
    expect(sweeps).toHaveLength(3);
    expect(sweeps[0]).toBeLessThan(sweeps[2]);
  });

  test('an MDP cannot be freed by the progress report of its own solve', () => {
    using mdp = slow();
    const options: SolveOptions = { method: 'interval-iteration', onProgress: () => mdp.free() };
    expect(() => mdp.until('max', all, goal, options)).toThrow(/this MDP is being solved/);
    expect(mdp.components().count).toBe(3);
  });

  test.each(['interval-iteration', 'value-iteration'] as const)(
    'too few sweeps by %s give an error with true bounds',
    (method) => {
      using mdp = slow();
      const options = { method, maxIterations: 50, precision: 1e-9 };
      const error = thrown(() => mdp.until('min', all, goal, options)) as NotConvergedError;
      expect(error).toBeInstanceOf(NotConvergedError);
      expect(error.message).toMatch(/after 50 sweeps.*maxIterations = 50/);
      expect(error.lower[20]).toBeLessThan(0.7);
      expect(error.upper[20]).toBeGreaterThan(0.7);
      expect([error.lower[0], error.upper[40]]).toEqual([1, 0]);
      // Iterates of value iteration are no bounds; then only what the graph decides is known.
      if (method === 'value-iteration') expect([error.lower[20], error.upper[20]]).toEqual([0, 1]);
    },
  );
});
