import {
  BitSet,
  type Csr,
  type SolveMethod,
  type SolveOptions,
} from '../../bindings/solvers/kernel/index.js';
import { chainOf } from './chains.js';

/** A source of numbers in [0, 1). */
export type Random = () => number;

export const below = (random: Random, limit: number): number => Math.floor(random() * limit);

export const pick = <T>(random: Random, choices: readonly T[]): T => choices[below(random, choices.length)];

const bits = new DataView(new ArrayBuffer(8));

/** A double that code may not expect, or any 64 bits. */
export function garbageDouble(random: Random): number {
  bits.setUint32(0, random() * 2 ** 32);
  bits.setUint32(4, random() * 2 ** 32);
  return pick(random, [
    ...[0, -0, 1, -1, 2, 0.5, 1 + 2 ** -52, 1 - 2 ** -53, 1e-9, 2 ** -500, 2 ** -501, 2 ** -1022],
    ...[Number.MIN_VALUE, -Number.MIN_VALUE, Number.MAX_VALUE, Number.POSITIVE_INFINITY],
    ...[Number.NEGATIVE_INFINITY, Number.NaN, random(), bits.getFloat64(0), bits.getFloat64(0)],
  ]);
}

/** An index that may be just past the end, far past it, or any 32 bits. */
export function garbageIndex(random: Random, size: number): number {
  return pick(random, [
    0,
    size - 1,
    size,
    size + 1,
    below(random, size + 1),
    2 ** 31,
    2 ** 32 - 1,
    below(random, 2 ** 32),
  ]);
}

/**
 * Rows of positive probabilities over `columns` states: mostly to nearby ones, so that there are components of many sizes,
 * sometimes nearly never elsewhere, and one row in ten stays where it is.
 */
export function randomRows(random: Random, rows: number, columns: number): Csr {
  const reach = pick(random, [2, 5, columns]);
  const loops = pick(random, [0.02, 0.1, 0.3]);
  return chainOf(
    Array.from({ length: rows }, (_, row) => {
      const home = Math.min(columns - 1, Math.floor((row * columns) / rows));
      if (random() < loops) return [[home, 1]];
      const successors = new Set(
        Array.from({ length: 1 + below(random, 4) }, () => {
          const near = home + below(random, 2 * reach + 1) - reach;
          return Math.max(0, Math.min(columns - 1, near));
        }),
      );
      const weights = [...successors]
        .sort((a, b) => a - b)
        .map((t): [number, number] => [t, pick(random, [1, 1, random() + 0.01, 1e-6, 1e-12])]);
      const total = weights.reduce((sum, [, weight]) => sum + weight, 0);
      return weights.map(([t, weight]): [number, number] => [t, weight / total]);
    }),
  );
}

/** Changes up to two things about a matrix, so that it may no longer be one. */
export function spoilt(random: Random, matrix: Csr): Csr {
  const rowStart = matrix.rowStart.slice();
  const columns = matrix.columns.slice();
  const values = matrix.values.slice();
  let result = { rowStart, columns, values };
  const at = (array: ArrayLike<number>) => below(random, array.length);
  const resized = <T extends Uint32Array | Float64Array>(array: T): T =>
    (random() < 0.5 ? array.slice(0, at(array)) : array.slice(1)) as T;
  for (let faults = pick(random, [0, 0, 0, 1, 2]); faults > 0; faults--) {
    pick<() => void>(random, [
      () => (values[at(values)] = garbageDouble(random)),
      () => (columns[at(columns)] = garbageIndex(random, rowStart.length - 1)),
      () => (rowStart[at(rowStart)] = garbageIndex(random, columns.length)),
      () => columns.copyWithin(at(columns), at(columns)),
      () => columns.reverse(),
      () => values.set(values.map((value) => value * (1 + 2 * random() * 1e-9))),
      () => (result = { ...result, rowStart: resized(rowStart) }),
      () => (result = { ...result, columns: resized(columns) }),
      () => (result = { ...result, values: resized(values) }),
      () => new Uint8Array(values.buffer).set(Uint8Array.from(values, () => random() * 256)),
      () => rowStart.set(rowStart.map(() => random() * 2 ** 32)),
      () => (result = { ...result, values: columns as unknown as Float64Array<ArrayBuffer> }),
    ])();
  }
  return result;
}

/** Numbers that are nearly always those of `valid`, in an array that nearly always has the right length and type. */
export function garbageValues(random: Random, length: number, valid: () => number): Float64Array {
  const values = Float64Array.from({ length }, valid);
  if (random() < 0.1) values[below(random, length)] = garbageDouble(random);
  if (random() < 0.02) return values.subarray(1);
  return random() < 0.01 ? (Float32Array.from(values) as unknown as Float64Array) : values;
}

/** Steps that are few, not a number of steps, or rarely so many that only an abort ends them. */
export const garbageSteps = (random: Random): number =>
  random() < 0.02 ? 2 ** 40 : pick(random, [0, 1, 2, 3, 17, garbageDouble(random)]);

/** A set that usually fits `states` states. */
export function garbageSet(random: Random, states: number): BitSet {
  const density = pick(random, [0, 0.05, 0.1, 0.5, 0.9, 1, 1]);
  const set = BitSet.where(states, () => random() < density);
  if (random() < 0.98) return set;
  return pick(random, [
    new BitSet(states + 1),
    new BitSet(states, new Uint32Array(below(random, 5)).fill(0xffffffff)),
    new BitSet(garbageIndex(random, states), set.words),
    undefined as unknown as BitSet,
  ]);
}

const METHODS: readonly SolveMethod[] = ['auto', 'elimination', 'interval-iteration', 'value-iteration'];

/** Reason given by the signals of `garbageOptions`. */
export const ENOUGH = new Error('enough');

/** Options that are often right; solves that take long are aborted. */
export function garbageOptions(random: Random): SolveOptions {
  const controller = new AbortController();
  if (random() < 0.02) controller.abort(ENOUGH);
  const options: SolveOptions = {
    maxIterations: pick(random, [1, 2, 7, 100, 3000]),
    signal: controller.signal,
    onProgress: () => {
      controller.abort(ENOUGH);
    },
  };
  if (random() < 0.7) options.precision = pick(random, [0.1, 1e-3, 1e-6, 1e-12]);
  if (random() < 0.5) options.relative = random() < 0.5;
  if (random() < 0.7) {
    options.method = pick(random, METHODS);
  }
  if (random() < 0.03) options.precision = garbageDouble(random);
  if (random() < 0.02) options.maxIterations = garbageDouble(random);
  if (random() < 0.02) options.method = 'magic' as SolveMethod;
  if (random() < 0.02) options.onProgress = 42 as unknown as () => void;
  if (random() < 0.02) options.signal = {} as AbortSignal;
  // A number of sweeps that only looks like garbage would be a long time for a test.
  if ((options.maxIterations ?? 0) > 3000) options.maxIterations = 3000;
  return options;
}
