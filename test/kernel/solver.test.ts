import { describe, expect, test } from 'vitest';
import { InvalidArgumentError, InvalidModelError, NotConvergedError } from '../../bindings/base/errors.js';
import { DONE, PAUSE } from '../../bindings/solvers/kernel/engine.js';
import {
  BitSet,
  type Csr,
  type KernelSolver,
  type RowUpdate,
  type SolveOptions,
} from '../../bindings/solvers/kernel/index.js';
import { WasmEngine } from '../../bindings/solvers/kernel/wasm/engine.js';
import { instantiateKernel } from '../../bindings/solvers/kernel/wasm/module.js';
import { expectBrackets, widest } from '../oracle/brackets.js';
import { ExactChain } from '../oracle/chain.js';
import { ReferenceEngine } from '../oracle/engine/engine.js';
import { Rational } from '../oracle/rational.js';
import { backends } from './backends.js';
import { chainOf, gambler, haddadMonmege, randomNumbers } from './chains.js';
import { wasmBytes } from './wasmBytes.js';

type Row = [number, number][];

const rowsOf = ({ rowStart, columns, values }: Csr): Row[] =>
  Array.from({ length: rowStart.length - 1 }, (_, s) =>
    Array.from(columns.subarray(rowStart[s], rowStart[s + 1]), (t, i): [number, number] => [
      t,
      values[rowStart[s] + i],
    ]),
  );

const updateOf = (rows: Record<number, Row>): RowUpdate => ({
  rows: Uint32Array.from(Object.keys(rows), Number),
  ...chainOf(Object.values(rows)),
});

/** Cycles of `size` states one after another; each state goes on, back to the first, or to the next cycle; two ends. */
function cycles(count: number, size: number, seed = 3): Csr {
  const random = randomNumbers(seed);
  const [lost, won] = [count * size, count * size + 1];
  const rows = Array.from({ length: count * size }, (_, s): Row => {
    const first = s - (s % size);
    const weights = new Map<number, number>();
    const add = (t: number, weight: number) => weights.set(t, (weights.get(t) ?? 0) + weight);
    add(first + ((s + 1 - first) % size), 1 + random());
    add(first, random());
    add(Math.min(first + size + Math.floor(random() * size), lost), 0.2);
    if (s % 3 === 0) add(won, 0.1);
    const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
    return [...weights].sort(([a], [b]) => a - b).map(([t, weight]) => [t, weight / total]);
  });
  return chainOf([...rows, [[lost, 1]], [[won, 1]]]);
}

/** The row of a state with its first transition weakened by the factor given. */
function weakened(matrix: Csr, s: number, factor: number): Row {
  const row = rowsOf(matrix)[s].map(([t, p], i): [number, number] => [t, i === 0 ? p * factor : p]);
  const total = row.reduce((sum, [, p]) => sum + p, 0);
  return row.map(([t, p]) => [t, p / total]);
}

const exactly = (rows: Row[], target: number[]) =>
  new ExactChain(chainOf(rows)).until(BitSet.full(rows.length), BitSet.of(rows.length, target));

describe.each(backends)('%s', (backend, kernel) => {
  function open(matrix: Csr, target: number[], options: SolveOptions = {}): KernelSolver {
    using chain = kernel.chain(matrix);
    return chain.openSolver(BitSet.full(chain.states), BitSet.of(chain.states, target), options);
  }

  test('a solver starts with the solution of its chain, and outlives it', () => {
    using solver = open(gambler(10, 0.45), [10]);
    expect(solver.states).toBe(11);
    const solution = solver.solution();
    expectBrackets(solution, exactly(rowsOf(gambler(10, 0.45)), [10]));
    expect([solver.lower(3), solver.upper(3)]).toEqual([solution.lower[3], solution.upper[3]]);
    solution.lower[3] = 7;
    expect(solver.lower(3)).toBeLessThan(1);
  });

  test('a change is solved upstream only, and leaves the bounds of all other states as they are', () => {
    const matrix = cycles(10, 4);
    using solver = open(matrix, [41]);
    const before = solver.solution();
    const row = weakened(matrix, 22, 0.5);
    const { states, components, anew } = solver.replaceRows(updateOf({ 22: row }));
    expect(anew).toBe(false);
    expect(states).toBe(24);
    expect(components).toBe(6);
    const after = solver.solution();
    expect(after.lower.slice(24)).toEqual(before.lower.slice(24));
    expect(after.upper.slice(24)).toEqual(before.upper.slice(24));
    expect(after.lower.slice(0, 24).every((value, s) => value !== before.lower[s])).toBe(true);
    expectBrackets(after, exactly(rowsOf(matrix).with(22, row), [41]));
  });

  test('a change reaches everything upstream, however many components there are', () => {
    const states = 300;
    const [lost, won] = [states, states + 1];
    const row = (s: number, go: number): Row =>
      [[s + 1 === states ? won : s + 1, go] as const, [lost, 1 - go] as const].sort(
        ([a], [b]) => a - b,
      ) as Row;
    const rows = [
      ...Array.from({ length: states }, (_, s) => row(s, 1 - 2 ** -8)),
      [[lost, 1]],
      [[won, 1]],
    ] as Row[];
    using solver = open(chainOf(rows), [won]);
    const last = row(states - 1, 0.5);
    expect(solver.replaceRows(updateOf({ [states - 1]: last })).states).toBe(states);
    const exact = Array.from({ length: states }, (_, s) => {
      const steps = BigInt(states - 1 - s);
      return new Rational(255n ** steps, 2n * 256n ** steps);
    });
    expectBrackets(solver.solution(), [...exact, Rational.ZERO, Rational.ONE]);
    expect(widest(solver.solution())).toBeLessThanOrEqual(2e-6);
  });

  test('a change too small to matter is solved where it is, and shifts the bounds of what leads to it', () => {
    const matrix = cycles(10, 4);
    using solver = open(matrix, [41]);
    let rows = rowsOf(matrix);
    for (let i = 1; i <= 5; i++) {
      const row = weakened(matrix, 22, 1 - i * 1e-9);
      rows = rows.with(22, row);
      expect(solver.replaceRows(updateOf({ 22: row })).states).toBe(4);
      expect(widest(solver.solution())).toBeLessThanOrEqual(1e-6);
    }
    expectBrackets(solver.solution(), exactly(rows, [41]));
  });

  test('small changes one after another never widen the bounds beyond the precision', () => {
    const matrix = cycles(6, 4);
    using solver = open(matrix, [25], { precision: 1e-8 });
    let rows = rowsOf(matrix);
    for (let i = 1; i <= 60; i++) {
      rows = rows.with(18, weakened(matrix, 18, 1 - i * 3e-9));
      solver.replaceRows(updateOf({ 18: rows[18] }));
      expect(widest(solver.solution())).toBeLessThanOrEqual(2e-8);
    }
    expectBrackets(solver.solution(), exactly(rows, [25]));
  });

  test('a row that stays the same, and no row at all, change nothing', () => {
    const matrix = gambler(6, 0.5);
    using solver = open(matrix, [6]);
    const before = solver.solution();
    expect(solver.replaceRows(updateOf({ 3: rowsOf(matrix)[3] }))).toMatchObject({ states: 0, anew: false });
    expect(solver.replaceRows(updateOf({}))).toMatchObject({ states: 0, components: 0 });
    expect(solver.solution()).toEqual(before);
  });

  test('a transition that goes may part a component, and one that comes may join two', () => {
    const matrix = gambler(8, 0.4);
    let rows = rowsOf(matrix);
    using solver = open(matrix, [8]);
    const changes: Record<number, Row>[] = [
      { 4: [[5, 1]] },
      {
        4: [
          [2, 0.5],
          [5, 0.5],
        ],
      },
      { 1: [[1, 1]] },
      { 1: [[8, 1]], 7: [[6, 1]] },
      {
        5: [
          [4, 0.25],
          [6, 0.75],
        ],
        7: [
          [0, 0.5],
          [8, 0.5],
        ],
      },
      { 8: [[0, 1]] },
      { 0: [[3, 1]] },
    ];
    for (const change of changes) {
      for (const [s, row] of Object.entries(change)) rows = rows.with(Number(s), row);
      solver.replaceRows(updateOf(change));
      expectBrackets(solver.solution(), exactly(rows, [8]));
      expect(widest(solver.solution())).toBeLessThanOrEqual(2e-6);
    }
  });

  test('states can be added, and rows can lead to them', () => {
    const matrix = gambler(4, 0.5);
    using solver = open(matrix, [4]);
    const fresh: Row[] = [
      [
        [6, 0.5],
        [0, 0.5],
      ].sort(([a], [b]) => a - b) as Row,
      [[2, 1]],
      [[7, 1]],
      [
        [7, 0.5],
        [8, 0.5],
      ],
    ];
    solver.addStates({ ...chainOf(fresh), remain: BitSet.of(4, [0, 1, 3]), target: BitSet.of(4, [2]) });
    expect(solver.states).toBe(9);
    const rows = [...rowsOf(matrix), ...fresh];
    const [remain, target] = [BitSet.of(9, [0, 1, 2, 3, 4, 5, 6, 8]), BitSet.of(9, [4, 7])];
    expectBrackets(solver.solution(), new ExactChain(chainOf(rows)).until(remain, target));
    expect([solver.lower(7), solver.lower(8), solver.upper(0)]).toEqual([1, 1, 0]);

    const changed = rows.with(2, [
      [1, 0.25],
      [3, 0.25],
      [5, 0.25],
      [8, 0.25],
    ]);
    solver.replaceRows(updateOf({ 2: changed[2] }));
    expectBrackets(solver.solution(), new ExactChain(chainOf(changed)).until(remain, target));
    expect(solver.addStates({ ...chainOf([]), remain: new BitSet(0), target: new BitSet(0) }).states).toBe(0);
  });

  test.each(['auto', 'elimination', 'interval-iteration'] as const)(
    'components beyond those eliminated at once are solved by method %s',
    (method) => {
      const matrix = cycles(1, 40);
      let rows = rowsOf(matrix);
      using solver = open(matrix, [41], { method });
      for (const change of [
        { 30: weakened(matrix, 30, 0.3) },
        { 10: weakened(matrix, 10, 0.3) },
        {
          39: [
            [0, 0.5],
            [41, 0.5],
          ] as Row,
        },
      ]) {
        for (const [s, row] of Object.entries(change)) rows = rows.with(Number(s), row);
        const { anew, iterations } = solver.replaceRows(updateOf(change));
        expect(anew).toBe(false);
        if (method === 'interval-iteration') expect(iterations).toBeGreaterThan(0);
      }
      expectBrackets(solver.solution(), exactly(rows, [41]));
      expect(widest(solver.solution())).toBeLessThanOrEqual(2e-6);
    },
  );

  test('a large component goes on from its earlier bounds, whether that helps or not', () => {
    // Dyadic probabilities keep the oracle fast.
    const size = 72;
    const [lost, won] = [size, size + 1];
    const onwards = (s: number, on: number): Row =>
      [
        [(s + 1) % size, on],
        [(s + 36) % size, 0.75 - on],
        [s % 5 === 0 ? won : lost, 0.25],
      ].sort(([a], [b]) => a - b) as Row;
    const ring = [
      ...Array.from({ length: size }, (_, s) => onwards(s, 0.5)),
      [[lost, 1]] as Row,
      [[won, 1]] as Row,
    ];
    const slow = Array.from({ length: size }, (_, s): [number, Row] => [
      s,
      s % 8 === 0 ? onwards(s, 0.25) : [[(s + 1) % size, 1]],
    ]);
    const changes: Record<number, Row>[] = [
      { 30: onwards(30, 0.5 - 2 ** -20), 60: onwards(60, 0.5 + 2 ** -12) },
      { 10: onwards(10, 0.125) },
      { 20: [[won, 1]], 40: [[0, 1]] },
      Object.fromEntries(slow),
      { 5: [[7, 1]] },
    ];
    const exact: ReturnType<typeof exactly>[] = [];
    let rows = ring;
    for (const change of changes) {
      rows = rows.map((row, s) => change[s] ?? row);
      exact.push(exactly(rows, [won]));
    }
    for (const options of [
      {},
      { relative: true },
      { method: 'interval-iteration', precision: 1e-9 },
    ] as const) {
      const { precision = 1e-6, relative = false } = options as SolveOptions;
      using solver = open(chainOf(ring), [won], options);
      changes.forEach((change, i) => {
        expect(solver.replaceRows(updateOf(change)).anew).toBe(false);
        const solution = solver.solution();
        expectBrackets(solution, exact[i]);
        for (const [s, lower] of solution.lower.entries())
          expect(solution.upper[s] - lower).toBeLessThanOrEqual(2 * precision * (relative ? lower : 1));
      });
    }
  });

  test('going on from earlier bounds takes fewer sweeps than starting anew', () => {
    if (backend === 'reference') return;
    const matrix = cycles(1, 400);
    using solver = open(matrix, [401], { method: 'interval-iteration' });
    const { iterations } = solver.replaceRows(updateOf({ 200: weakened(matrix, 200, 1 - 1e-4) }));
    expect(iterations).toBeGreaterThan(0);
    expect(2 * iterations).toBeLessThan(solver.solve().iterations);
  });

  test('many updates take no more memory than a few', () => {
    const matrix = cycles(50, 4);
    let rows = rowsOf(matrix);
    using solver = open(matrix, [201]);
    const random = randomNumbers(1);
    let held = 0;
    for (let i = 0; i < 400; i++) {
      const s = Math.floor(random() * 200);
      const [a, b] = [Math.floor(random() * 200), Math.floor(random() * 200)].sort((x, y) => x - y);
      rows = rows.with(
        s,
        a === b
          ? [[a, 1]]
          : [
              [a, 0.5],
              [b, 0.25],
              [201, 0.25],
            ],
      );
      solver.replaceRows(updateOf({ [s]: rows[s] }));
      if (i === 100) held = kernel.memoryBytes();
    }
    expect(kernel.memoryBytes()).toBe(held);
    using chain = kernel.chain(chainOf(rows));
    const scratch = chain.until(BitSet.full(202), BitSet.of(202, [201]));
    const solution = solver.solution();
    for (let s = 0; s < 202; s++) {
      expect(solution.lower[s]).toBeLessThanOrEqual(scratch.upper[s]);
      expect(solution.upper[s]).toBeGreaterThanOrEqual(scratch.lower[s]);
    }
  });

  test.each<[string, RowUpdate, RegExp]>([
    ['a row that does not sum to 1', updateOf({ 1: [[0, 0.5]], 2: [[3, 1]] }), /state 1 sum to 0\.5/],
    [
      'a successor that does not exist',
      updateOf({ 1: [[0, 1]], 2: [[9, 1]] }),
      /state 2 has successor 9, but states are 0 to 4/,
    ],
    [
      'successors out of order',
      updateOf({
        2: [
          [3, 0.5],
          [1, 0.5],
        ],
      }),
      /state 2 has successor 1 after 3/,
    ],
    ['a probability that is NaN', updateOf({ 3: [[2, Number.NaN]] }), /state 3 moves to 2 with NaN/],
    ['an empty row', updateOf({ 3: [] }), /state 3 has no successor/],
    [
      'states out of order',
      { ...updateOf({ 1: [[0, 1]], 2: [[0, 1]] }), rows: Uint32Array.of(2, 1) },
      /state 1 after 2/,
    ],
    [
      'a state twice',
      { ...updateOf({ 1: [[0, 1]], 2: [[0, 1]] }), rows: Uint32Array.of(1, 1) },
      /state 1 after 1/,
    ],
    ['a state that does not exist', updateOf({ 5: [[0, 1]] }), /rows names state 5, but states are 0 to 4/],
    [
      'fewer rows than states',
      { ...updateOf({ 1: [[0, 1]] }), rows: Uint32Array.of(1, 2) },
      /names 2 states, but rowStart has 2/,
    ],
    [
      'row starts that descend',
      {
        rows: Uint32Array.of(1, 2),
        rowStart: Uint32Array.of(0, 2, 1),
        columns: Uint32Array.of(0),
        values: Float64Array.of(1),
      },
      /rowStart goes from/,
    ],
    [
      'arrays of another type',
      { ...updateOf({ 1: [[0, 1]] }), values: [1] as unknown as Float64Array },
      /values is of type Array/,
    ],
  ])('%s is refused, and changes nothing', (_name, update, message) => {
    using solver = open(gambler(4, 0.4), [4]);
    const before = solver.solution();
    expect(() => solver.replaceRows(update)).toThrow(message);
    expect(solver.solution()).toEqual(before);
    solver.replaceRows(
      updateOf({
        2: [
          [1, 0.5],
          [3, 0.5],
        ],
      }),
    );
    expectBrackets(
      solver.solution(),
      exactly(
        rowsOf(gambler(4, 0.4)).with(2, [
          [1, 0.5],
          [3, 0.5],
        ]),
        [4],
      ),
    );
  });

  test('states added with bad rows or sets over other numbers are refused', () => {
    using solver = open(gambler(4, 0.4), [4]);
    const one = { remain: BitSet.full(1), target: new BitSet(1) };
    expect(() => solver.addStates({ ...chainOf([[[6, 1]]]), ...one })).toThrow(InvalidModelError);
    expect(() => solver.addStates({ ...chainOf([[[6, 1]]]), ...one })).toThrow(
      /state 5 has successor 6.*0 to 5/,
    );
    expect(() => solver.addStates({ ...chainOf([[[0, 1]], [[0, 1]]]), ...one })).toThrow(
      /remain is a set over 1/,
    );
    expect(solver.states).toBe(5);
    solver.addStates({ ...chainOf([[[5, 1]]]), ...one });
    expect(solver.upper(5)).toBe(0);
  });

  test('states out of range, a method that bounds nothing, and a solver that was freed are refused', () => {
    const solver = open(gambler(4, 0.4), [4]);
    for (const state of [-1, 5, 1.5, Number.NaN])
      expect(() => solver.lower(state)).toThrow(InvalidArgumentError);
    expect(() => open(gambler(4, 0.4), [4], { method: 'value-iteration' })).toThrow(/bound nothing/);
    solver.free();
    expect(() => solver.free()).toThrow(InvalidArgumentError);
    expect(() => solver.upper(0)).toThrow(InvalidArgumentError);
    expect(() => solver.replaceRows(updateOf({}))).toThrow(InvalidArgumentError);
  });

  test('an update that is aborted leaves bounds that cannot be read until everything is solved anew', () => {
    const matrix = haddadMonmege(8);
    const change = {
      12: [
        [8, 0.4],
        [13, 0.6],
      ] as Row,
    };
    const controller = new AbortController();
    let used = 0;
    const onProgress = () => {
      expect(() => slow.free()).toThrow(/being updated/);
      expect(() => slow.solution()).toThrow(/being updated/);
      used++;
      controller.abort(new Error('enough'));
    };
    using strict = open(matrix, [0], { method: 'elimination' });
    strict.replaceRows(updateOf(change));
    const early = new AbortController();
    early.abort(new Error('too early'));
    expect(() => strict.replaceRows(updateOf(change), { signal: early.signal })).toThrow('too early');
    expectBrackets(strict.solution(), exactly(rowsOf(matrix).with(12, change[12]), [0]));

    using slow = open(haddadMonmege(12), [0], { method: 'interval-iteration', precision: 1e-9 });
    const row: Row = [
      [12, 0.4],
      [19, 0.6],
    ];
    expect(() => slow.replaceRows(updateOf({ 18: row }), { signal: controller.signal, onProgress })).toThrow(
      'enough',
    );
    expect(used).toBe(1);
    expect(() => slow.solution()).toThrow(/not finished.*solve\(\)/);
    expect(slow.solve()).toMatchObject({ anew: true, components: 1 });
    expect(widest(slow.solution())).toBeLessThanOrEqual(2e-9);
  });

  test('an update that does not converge carries its bounds, and the next one starts anew', () => {
    const matrix = haddadMonmege(12);
    using solver = open(
      chainOf(
        rowsOf(matrix).with(12, [
          [0, 0.7],
          [24, 0.3],
        ]),
      ),
      [0],
      {
        method: 'interval-iteration',
        maxIterations: 50,
      },
    );
    let error: unknown;
    try {
      solver.replaceRows(updateOf({ 12: rowsOf(matrix)[12] }));
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(NotConvergedError);
    expectBrackets(error as NotConvergedError, exactly(rowsOf(matrix), [0]));
    expect(() => solver.lower(3)).toThrow(InvalidArgumentError);
    const change = updateOf({
      12: [
        [0, 0.7],
        [24, 0.3],
      ],
    });
    expect(solver.replaceRows(change)).toMatchObject({ anew: true });
    expect(solver.lower(12)).toBeLessThanOrEqual(0.7);
  });
});

test.each([
  ['wasm', new WasmEngine(instantiateKernel(wasmBytes()))],
  ['reference', new ReferenceEngine()],
])('an update pauses while components wait, and the chain as it is then is whole: %s', (_, engine) => {
  // Two coins, tossed until they show something; the first one was tossed seldom before.
  const rows = (seldom: number): Row[] => [
    [
      [0, 1 - seldom],
      [2, seldom / 2],
      [3, seldom / 2],
    ],
    [
      [1, 0.5],
      [2, 0.25],
      [3, 0.25],
    ],
    [[2, 1]],
    [[3, 1]],
  ];
  const chain = engine.load(chainOf(rows(2 ** -9)));
  if ('status' in chain) throw new Error('refused');
  const solver = chain.openSolver(BitSet.full(4), BitSet.of(4, [2]), (until) => {
    until.solveSmall(0, until.componentStart.length - 1);
  });
  solver.replaceRows(
    updateOf({ 0: rows(0.5)[0], 1: rows(0.25)[0].map(([t, p]): [number, number] => [t || 1, p]) }),
  );
  expect(solver.nextComponent(32, 0, false, 0)).toBe(PAUSE);
  expect(solver.nextComponent(32, 0, false, 1)).toBe(PAUSE);
  expect(solver.nextComponent(32, 0, false, 100)).toBe(DONE);
  solver.finish(false);
  // Steps need to know how likely a state is to stay.
  const { chain: now } = solver.restart();
  const start = Float64Array.of(0, 0, 1, 0);
  const steps = now.openSteps({ active: BitSet.of(4, [0, 1]), start: { lower: start, upper: start } });
  steps.step();
  steps.step();
  const { lower, upper } = steps.bounds();
  expectBrackets({ lower, upper }, [
    new Rational(3n, 8n),
    new Rational(7n, 32n),
    Rational.ONE,
    Rational.ZERO,
  ]);
  expect(upper[0] - lower[0]).toBeLessThan(1e-12);
  steps.close();
  solver.close();
  now.free();
});
