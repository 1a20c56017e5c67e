import { describe, expect, test } from 'vitest';
import { InvalidArgumentError, InvalidModelError } from '../../bindings/base/errors.js';
import { BitSet, type Csr, type SolveOptions } from '../../bindings/solvers/kernel/index.js';
import { backends } from './backends.js';
import { chainOf, gambler } from './chains.js';
import { thrown } from './thrown.js';

const untyped = (value: unknown) => value as never;

const csr = (rowStart: number[], columns: number[], values: number[]): Csr => ({
  rowStart: Uint32Array.from(rowStart),
  columns: Uint32Array.from(columns),
  values: Float64Array.from(values),
});

/** Two rows over five states, of which something is wrong with the second. */
const faults: readonly (readonly [string, Csr, RegExp])[] = [
  ['do not sum to 1', csr([0, 1, 3], [0, 0, 1], [1, 0.5, 0.25]), /sum to 0\.75, not to 1/],
  ['hold NaN', csr([0, 1, 2], [0, 1], [1, Number.NaN]), /moves to 1 with NaN/],
  ['hold a negative number', csr([0, 1, 3], [0, 0, 1], [1, -0.5, 1.5]), /moves to 0 with -0\.5/],
  ['hold 0', csr([0, 1, 3], [0, 0, 1], [1, 1, 0]), /moves to 1 with 0: .*leave out/],
  ['lead nowhere', csr([0, 1, 2], [0, 7], [1, 1]), /has successor 7, but states are 0 to/],
  ['repeat a column', csr([0, 1, 3], [0, 1, 1], [1, 0.5, 0.5]), /has successor 1 twice/],
  ['are unsorted', csr([0, 1, 3], [0, 1, 0], [1, 0.5, 0.5]), /has successor 0 after 1/],
  ['are empty', csr([0, 1, 1], [0], [1]), /has no successor/],
  ['end early', csr([0, 1, 2], [0, 1, 2], [1, 1, 1]), /rowStart goes from 1 to 2 at .*entries, 3/],
  ['go past the end', csr([0, 1, 9], [0, 1], [1, 1]), /rowStart goes from 1 to 9/],
  ['descend', csr([0, 1, 0], [0], [1]), /rowStart goes from 1 to 0/],
];

describe.each(backends)('%s', (_, kernel) => {
  const opened = (options: SolveOptions = {}) => {
    using chain = kernel.chain(gambler(4, 0.4));
    return chain.openSolver(BitSet.full(5), BitSet.of(5, [4]), options);
  };

  test.each(faults)(
    'rows that %s are neither taken nor added, and the state is named',
    (_name, rows, message) => {
      using solver = opened();
      const before = solver.solution();
      const sets = { remain: BitSet.full(2), target: new BitSet(2) };
      for (const [call, state] of [
        [() => solver.replaceRows({ ...rows, rows: Uint32Array.of(0, 3) }), 3],
        [() => solver.addStates({ ...rows, ...sets }), 6],
      ] as const) {
        const error = thrown(call);
        expect(error).toBeInstanceOf(InvalidModelError);
        expect(error.message).toMatch(message);
        expect(error.message).toMatch(`state ${state}`);
        expect(error).toHaveProperty('state', state);
      }
      expect(solver.states).toBe(5);
      expect(solver.solution()).toEqual(before);
    },
  );

  test.each<[string, Csr, RegExp]>([
    [
      'entries without rows',
      csr([0], [1], [1]),
      /rowStart is \[0\] beside 1 columns and 1 values: without rows/,
    ],
    ['values without rows', csr([0], [], [1]), /rowStart is \[0\] beside 0 columns and 1 values/],
    ['a row start without rows that is not 0', csr([5], [], []), /rowStart is \[5\]/],
    ['a first row that begins late', csr([1, 2], [0, 0], [1, 1]), /rowStart goes from 1 to 2/],
    ['a column missing', csr([0, 1], [], [1]), /0 columns but 1 values/],
  ])('%s are refused', (_name, matrix, message) => {
    using solver = opened();
    const count = matrix.rowStart.length - 1;
    const rows = Uint32Array.from({ length: count }, (_, i) => i);
    const sets = { remain: new BitSet(count), target: new BitSet(count) };
    for (const call of [
      () => solver.replaceRows({ ...matrix, rows }),
      () => solver.addStates({ ...matrix, ...sets }),
    ]) {
      const error = thrown(call);
      expect(error).toBeInstanceOf(InvalidModelError);
      expect(error.message).toMatch(message);
    }
  });

  test('sets over other states than those added, and arrays of another type, are refused', () => {
    using solver = opened();
    const row = chainOf([[[0, 1]]]);
    for (const [call, message] of [
      [
        () => solver.addStates({ ...row, remain: BitSet.full(5), target: new BitSet(1) }),
        /remain is a set over 5 states, but the addition has 1/,
      ],
      [
        () => solver.addStates({ ...row, remain: new BitSet(1), target: untyped(undefined) }),
        /target is undefined: it is a BitSet over 1/,
      ],
      [
        () => solver.replaceRows({ ...row, rows: untyped([0]) }),
        /rows is of type Array: it is a Uint32Array/,
      ],
      [
        () => solver.replaceRows({ ...row, rows: Uint32Array.of(0), columns: untyped(Int32Array.of(0)) }),
        /columns is of type Int32Array/,
      ],
    ] as const) {
      const error = thrown(call);
      expect(error).toBeInstanceOf(InvalidArgumentError);
      expect(error.message).toMatch(message);
    }
  });

  test.each<[SolveOptions, RegExp]>([
    [{ precision: Number.NaN }, /precision is NaN/],
    [{ maxIterations: 0 }, /maxIterations is 0/],
    [{ method: 'value-iteration' }, /method is 'value-iteration', whose results bound nothing/],
    [{ onProgress: untyped(42) }, /onProgress is 42: it is a function/],
    [{ signal: untyped({}) }, /signal is .*: it is an AbortSignal/],
  ])('a solver is not opened with options %j', (options, message) => {
    const error = thrown(() => opened(options));
    expect(error).toBeInstanceOf(InvalidArgumentError);
    expect(error.message).toMatch(message);
  });

  test('calls that are refused or aborted before they begin leave the bounds as they are', () => {
    using solver = opened();
    const before = solver.solution();
    const update = { ...chainOf([[[4, 1]]]), rows: Uint32Array.of(0) };
    const added = { ...chainOf([[[4, 1]]]), remain: BitSet.full(1), target: new BitSet(1) };
    const signal = AbortSignal.abort(new Error('enough'));
    for (const call of [
      solver.replaceRows.bind(solver, update),
      solver.addStates.bind(solver, added),
      solver.solve.bind(solver),
    ]) {
      const error = thrown(() => call({ onProgress: untyped(42) }));
      expect(error).toBeInstanceOf(InvalidArgumentError);
      expect(error.message).toMatch(/onProgress is 42/);
      expect(() => call({ signal })).toThrow('enough');
      expect(solver.solution()).toEqual(before);
    }
  });

  test('a solver that was freed answers nothing, and is not freed twice', () => {
    const solver = opened();
    solver.free();
    for (const use of [
      () => solver.states,
      () => solver.lower(0),
      () => solver.upper(0),
      () => solver.solution(),
      () => solver.replaceRows({ ...csr([0], [], []), rows: new Uint32Array() }),
      () => solver.addStates({ ...csr([0], [], []), remain: new BitSet(0), target: new BitSet(0) }),
      () => solver.solve(),
      () => solver.free(),
      () => solver[Symbol.dispose](),
    ]) {
      const error = thrown(use);
      expect(error).toBeInstanceOf(InvalidArgumentError);
      expect(error.message).toMatch(/this solver was freed already/);
    }
  });
});
