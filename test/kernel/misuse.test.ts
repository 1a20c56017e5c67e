import { describe, expect, test } from 'vitest';
import { InvalidArgumentError, InvalidModelError, NotConvergedError } from '../../bindings/base/errors.js';
import { BitSet, type Csr, type SolveMethod } from '../../bindings/solvers/kernel/index.js';
import { backends } from './backends.js';
import { gambler, haddadMonmege } from './chains.js';
import { thrown } from './thrown.js';

const two = (rowStart: number[], columns: number[], values: number[]): Csr => ({
  rowStart: Uint32Array.from(rowStart),
  columns: Uint32Array.from(columns),
  values: Float64Array.from(values),
});

describe.each(backends)('%s', (_, kernel) => {
  test.each<[string, Csr, RegExp, number | undefined]>([
    [
      'a row that does not sum to 1',
      two([0, 2, 3], [0, 1, 1], [0.5, 0.4, 1]),
      /state 0 sum to 0\.9, not to 1/,
      0,
    ],
    [
      'a row that misses 1 by 2e-9',
      two([0, 1, 3], [0, 0, 1], [1, 0.5, 0.5 + 2e-9]),
      /state 1 sum to 1\.000000002/,
      1,
    ],
    [
      'a probability that is NaN',
      two([0, 1, 3], [0, 0, 1], [1, Number.NaN, 1]),
      /state 1 moves to 0 with NaN/,
      1,
    ],
    ['a negative probability', two([0, 2, 3], [0, 1, 1], [1.5, -0.5, 1]), /state 0 moves to 0 with 1\.5/, 0],
    ['a probability of 0', two([0, 2, 3], [0, 1, 1], [1, 0, 1]), /state 0 moves to 1 with 0: .*leave out/, 0],
    ['an infinite probability', two([0, 1, 2], [0, 1], [Number.POSITIVE_INFINITY, 1]), /with Infinity/, 0],
    ['a probability too small to bound', two([0, 2, 3], [0, 1, 1], [1, 1e-200, 1]), /2\^-500/, 0],
    [
      'a successor that does not exist',
      two([0, 1, 2], [0, 2], [1, 1]),
      /state 1 has successor 2, but states are 0 to 1/,
      1,
    ],
    ['a successor given twice', two([0, 2, 3], [1, 1, 1], [0.5, 0.5, 1]), /successor 1 twice.*duplicates/, 0],
    ['successors out of order', two([0, 2, 3], [1, 0, 1], [0.5, 0.5, 1]), /successor 0 after 1/, 0],
    ['a state without successor', two([0, 1, 1], [0], [1]), /state 1 has no successor.*self-loop/, 1],
    [
      'row starts that descend',
      two([0, 2, 1], [0, 1], [0.5, 0.5]),
      /rowStart goes from 2 to 1 at state 1/,
      1,
    ],
    ['row starts beyond the entries', two([0, 9, 10], [0], [1]), /rowStart goes from 0 to 9 at state 0/, 0],
    [
      'a row start of 2^32 - 1',
      two([0, 2 ** 32 - 1, 2], [0, 1], [1, 1]),
      /rowStart goes from 0 to 4294967295 at state 0/,
      0,
    ],
    ['row starts that do not begin at 0', two([1, 2, 3], [0, 1, 1], [1, 1, 1]), /rowStart goes from 1/, 0],
    [
      'row starts that end too early',
      two([0, 1, 2], [0, 1, 1], [1, 1, 1]),
      /ends at the number of entries, 3/,
      1,
    ],
    ['arrays of different lengths', two([0, 1, 2], [0, 1], [1]), /2 columns but 1 values/, undefined],
    ['no state at all', two([0], [], []), /at least one state/, undefined],
  ])('%s is refused, naming the state', (_name, matrix, message, state) => {
    const error = thrown(() => kernel.chain(matrix));
    expect(error).toBeInstanceOf(InvalidModelError);
    expect(error.message).toMatch(message);
    expect((error as InvalidModelError).state).toBe(state);
  });

  test('the sum of a refused row is given', () => {
    const error = thrown(() => kernel.chain(two([0, 2, 3], [0, 1, 1], [0.5, 0.25, 1])));
    expect((error as InvalidModelError).rowSum).toBe(0.75);
  });

  test('a freed chain answers nothing, and is not freed twice', () => {
    const chain = kernel.chain(gambler(4, 0.5));
    const all = BitSet.full(5);
    chain.free();
    for (const use of [
      () => chain.reachableFrom(all),
      () => chain.canReach(all, all),
      () => chain.prob0(all, all),
      () => chain.prob1(all, all),
      () => chain.components(),
      () => chain.until(all, all),
      () => chain.boundedUntil(all, all, 1),
      () => chain.next(all),
      () => chain.free(),
      () => chain[Symbol.dispose](),
    ]) {
      expect(use).toThrow(InvalidArgumentError);
      expect(use).toThrow(/freed already/);
    }
  });

  test('a chain cannot be freed by the progress report of its own solve', () => {
    using chain = kernel.chain(haddadMonmege(16));
    const options = { method: 'interval-iteration' as const, onProgress: () => chain.free() };
    expect(() => chain.until(BitSet.full(33), BitSet.of(33, [0]), options)).toThrow(/is being solved/);
    expect(chain.components().count).toBe(3);
  });

  test('sets over another number of states are refused', () => {
    using chain = kernel.chain(gambler(4, 0.5));
    const right = BitSet.full(5);
    expect(() => chain.until(BitSet.full(4), right)).toThrow(
      /remain is a set over 4 states, but the chain has 5/,
    );
    expect(() => chain.until(right, BitSet.full(33))).toThrow(InvalidArgumentError);
    expect(() => chain.next(new BitSet(5, new Uint32Array(0)))).toThrow(InvalidArgumentError);
  });

  test('sets with members past the last state are refused, and what is no set', () => {
    using chain = kernel.chain(gambler(4, 0.5));
    const right = BitSet.full(5);
    const beyond = new BitSet(5, Uint32Array.of(0x21));
    expect(() => chain.until(right, beyond)).toThrow(InvalidArgumentError);
    expect(() => chain.until(right, beyond)).toThrow(/target has 1 words of bits, or bits at or above/);
    expect(() => chain.canReach(undefined as unknown as BitSet, right)).toThrow(InvalidArgumentError);
    expect(() => chain.canReach(undefined as unknown as BitSet, right)).toThrow(/remain is undefined/);
  });

  test.each([
    [{ rowStart: [0, 1] as unknown as Uint32Array }, /rowStart is of type Array: it is a Uint32Array/],
    [{ columns: Int32Array.of(0) as unknown as Uint32Array }, /columns is of type Int32Array/],
    [{ values: Float32Array.of(1) as unknown as Float64Array }, /values is of type Float32Array/],
    [{ values: undefined as unknown as Float64Array }, /values is of type Undefined: it is a Float64Array/],
  ])('arrays of another type are refused, case %#', (part, message) => {
    const open = () => kernel.chain({ ...two([0, 1], [0], [1]), ...part });
    expect(open).toThrow(InvalidArgumentError);
    expect(open).toThrow(message);
  });

  test.each([
    [{ onProgress: 42 as unknown as () => void }, /onProgress is 42: it is a function/],
    [{ signal: {} as AbortSignal }, /signal is .*: it is an AbortSignal/],
  ])('options %j that cannot be called are refused', (options, message) => {
    using chain = kernel.chain(gambler(4, 0.5));
    const [remain, target] = [BitSet.full(5), BitSet.of(5, [4])];
    for (const solve of [
      () => chain.until(remain, target, options),
      () => chain.boundedUntil(remain, target, 2, options),
    ]) {
      expect(solve).toThrow(InvalidArgumentError);
      expect(solve).toThrow(message);
    }
  });

  test.each([
    [{ precision: 0 }, /precision is 0/],
    [{ precision: Number.NaN }, /precision is NaN/],
    [{ precision: 1 }, /strictly between 0 and 1/],
    [{ maxIterations: 0 }, /maxIterations is 0/],
    [{ maxIterations: 1.5 }, /whole number/],
    [{ method: 'magic' as SolveMethod }, /method is 'magic': it is one of auto/],
  ])('options %j are refused', (options, message) => {
    using chain = kernel.chain(gambler(4, 0.5));
    const solve = () => chain.until(BitSet.full(5), BitSet.of(5, [4]), options);
    expect(solve).toThrow(InvalidArgumentError);
    expect(solve).toThrow(message);
  });

  test.each([-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('%d steps are refused', (steps) => {
    using chain = kernel.chain(gambler(4, 0.5));
    expect(() => chain.boundedUntil(BitSet.full(5), BitSet.of(5, [4]), steps)).toThrow(/steps is/);
  });

  test('too few sweeps give an error with the bounds reached', () => {
    using chain = kernel.chain(haddadMonmege(12));
    for (const method of ['interval-iteration', 'value-iteration'] as const) {
      const options = { method, maxIterations: 50, precision: 1e-9 };
      const error = thrown(() => chain.until(BitSet.full(25), BitSet.of(25, [0]), options));
      expect(error).toBeInstanceOf(NotConvergedError);
      const { lower, upper, message } = error as NotConvergedError;
      expect(message).toMatch(/after 50 sweeps.*maxIterations = 50/);
      expect(lower[12]).toBeLessThan(0.7);
      expect(upper[12]).toBeGreaterThan(0.7);
      expect([lower[0], upper[24]]).toEqual([1, 0]);
      // Iterates of value iteration are no bounds; then only what the graph decides is known.
      if (method === 'value-iteration') expect([lower[12], upper[12]]).toEqual([0, 1]);
    }
  });

  test('a precision below the floor of rounding is an error, not an endless loop', () => {
    using chain = kernel.chain(gambler(10, 0.5));
    for (const method of ['auto', 'elimination', 'interval-iteration'] as const) {
      const solve = () => chain.until(BitSet.full(11), BitSet.of(11, [10]), { method, precision: 1e-18 });
      expect(solve).toThrow(NotConvergedError);
    }
  });

  test('elimination that would leave the range of doubles is noticed', () => {
    const n = 40;
    using chain = kernel.chain(haddadMonmege(n, 0.7, 1e-30));
    const options = { method: 'elimination' as const };
    const error = thrown(() => chain.until(BitSet.full(2 * n + 1), BitSet.of(2 * n + 1, [0]), options));
    expect(error).toBeInstanceOf(NotConvergedError);
    const { lower, upper } = error as NotConvergedError;
    expect([lower[n], upper[n]]).toEqual([0, 1]);
  });

  test('an aborted signal ends a solve with its reason, before it starts or between slices', () => {
    using chain = kernel.chain(haddadMonmege(20));
    const [remain, target] = [BitSet.full(41), BitSet.of(41, [0])];
    const signal = AbortSignal.abort(new Error('enough'));
    expect(() => chain.until(remain, target, { signal })).toThrow('enough');
    expect(() => chain.boundedUntil(remain, target, 5, { signal })).toThrow('enough');

    const controller = new AbortController();
    const reports: number[] = [];
    const options = {
      method: 'interval-iteration' as const,
      signal: controller.signal,
      onProgress: ({ iterations, fraction, gap }: { iterations: number; fraction: number; gap: number }) => {
        reports.push(iterations);
        expect(fraction).toBeGreaterThanOrEqual(0);
        expect(fraction).toBeLessThanOrEqual(1);
        expect(gap).toBeGreaterThan(0);
        if (reports.length === 3) controller.abort(new Error('later'));
      },
    };
    expect(() => chain.until(remain, target, options)).toThrow('later');
    expect(reports).toHaveLength(3);
    expect(reports[0]).toBeLessThan(reports[2]);
  });
});
