import { describe, expect, test } from 'vitest';
import { BitSet, type Csr, type Kernel, type SolveOptions } from '../../bindings/solvers/kernel/index.js';
import { chainOf, gambler, randomChain, randomNumbers } from './chains.js';
import { guardedKernel } from './guardedKernel.js';
import { scalarWasmBytes, wasmBytes } from './wasmBytes.js';

type Hooks = Pick<SolveOptions, 'onProgress' | 'signal'>;

/** A random chain that is hard to leave, and, because its rows fill up, long to eliminate. */
function sticky(states: number): Csr {
  const { rowStart, columns, values } = randomChain(states, 4, 5);
  const away = new Set([states - 2, states - 1]);
  return chainOf(
    Array.from({ length: states }, (_, s): [number, number][] => {
      if (away.has(s)) return [[s, 1]];
      const row = new Map<number, number>([
        [(s + 1) % (states - 2), 0.1],
        [states - 2, 1e-9],
        [states - 1, 1e-9],
      ]);
      for (let e = rowStart[s]; e < rowStart[s + 1]; e++)
        if (!away.has(columns[e])) row.set(columns[e], (row.get(columns[e]) ?? 0) + values[e]);
      const total = [...row.values()].reduce((sum, p) => sum + p, 0);
      return [...row].map(([t, p]): [number, number] => [t, p / total]).sort(([a], [b]) => a - b);
    }),
  );
}

const STATES = 700;
const matrix = sticky(STATES);
const all = BitSet.full(STATES);
const target = BitSet.of(STATES, [STATES - 1]);
const ends = BitSet.of(STATES, [STATES - 2, STATES - 1]);
const rewards = { states: new Float64Array(STATES).fill(1) };
const initial = Float64Array.from({ length: STATES }, (_, s) => (s === 0 ? 1 : 0));
const narrow = { precision: 1e-9, relative: true };
const sweeping = { ...narrow, method: 'interval-iteration' } as const;

/** A walk that takes long to end, and one that takes long to come to rest, between two walls. */
const ending = gambler(STATES - 1, 0.5);
const resting = (() => {
  const { rowStart, columns, values } = gambler(STATES - 1, 0.5);
  columns.set([1], rowStart[0]);
  columns.set([STATES - 2], rowStart[STATES - 1]);
  return { rowStart, columns, values };
})();

const rowGroupStart = Uint32Array.from({ length: STATES + 1 }, (_, s) => s);
/** A long walk that one may bias downwards: policies take several slices. */
const WALK = 20_000;
const biased = (() => {
  const rowStart = [0];
  const columns: number[] = [];
  const values: number[] = [];
  for (let s = 0; s < WALK; s++) {
    const ends = s === 0 || s === WALK - 1;
    for (const down of ends ? [1] : [0.5, 0.55]) {
      columns.push(...(ends ? [s] : [s - 1, s + 1]));
      values.push(...(ends ? [1] : [down, 1 - down]));
      rowStart.push(columns.length);
    }
  }
  return {
    rowStart: Uint32Array.from(rowStart),
    columns: Uint32Array.from(columns),
    values: Float64Array.from(values),
  };
})();
const biasedGroups = Uint32Array.from({ length: WALK + 1 }, (_, s) =>
  s === 0 ? 0 : s === WALK ? 2 * WALK - 2 : 2 * s - 1,
);
/** Short rows, because each is sorted every time. */
const intervals = {
  rowStart: ending.rowStart,
  columns: ending.columns,
  lower: ending.values.map((p) => 0.9 * p),
  upper: ending.values.map((p) => Math.min(1, 1.1 * p)),
};

/** Opens what is called, and calls it. */
type Call = (kernel: Kernel, run: (call: (hooks: Hooks) => unknown) => void) => void;

const onChain =
  (call: (chain: ReturnType<Kernel['chain']>, hooks: Hooks) => unknown, rows = matrix): Call =>
  (kernel, run) => {
    using chain = kernel.chain(rows);
    run((hooks) => call(chain, hooks));
  };

const onMdp =
  (
    call: (mdp: ReturnType<Kernel['mdp']>, hooks: Hooks) => unknown,
    rows = matrix,
    groups = rowGroupStart,
  ): Call =>
  (kernel, run) => {
    using mdp = kernel.mdp({ ...rows, rowGroupStart: groups });
    run((hooks) => call(mdp, hooks));
  };

const onIntervals =
  (call: (model: ReturnType<Kernel['intervalChain']>, hooks: Hooks) => unknown): Call =>
  (kernel, run) => {
    using model = kernel.intervalChain(intervals);
    run((hooks) => call(model, hooks));
  };

/** An automaton that counts modulo `states`, whatever it reads. */
const clock = (states: number) => ({
  states,
  roots: Array.from({ length: states }, (_, q) => -1 - ((q + 1) % states)),
  nodes: [],
  bits: [],
});

const CALLS: Readonly<Record<string, Call>> = {
  ...Object.fromEntries(
    (['auto', 'elimination', 'interval-iteration', 'value-iteration'] as const).map((method) => [
      `until by ${method}`,
      onChain((chain, hooks) => chain.until(all, target, { ...narrow, ...hooks, method, precision: 1e-12 })),
    ]),
  ),
  boundedUntil: onChain((chain, hooks) => chain.boundedUntil(all, target, 8000, hooks)),
  boundedGlobally: onChain((chain, hooks) => chain.boundedGlobally(target.complement(), 8000, hooks)),
  reachabilityReward: onChain((chain, hooks) =>
    chain.reachabilityReward(rewards, ends, { ...narrow, ...hooks }),
  ),
  totalReward: onChain((chain, hooks) => {
    const within = ends.complement();
    return chain.totalReward(rewards, { within, ...narrow, ...hooks });
  }),
  cumulativeReward: onChain((chain, hooks) => chain.cumulativeReward(rewards, 8000, hooks)),
  instantaneousReward: onChain((chain, hooks) => chain.instantaneousReward(initial, 8000, hooks)),
  visitsFrom: onChain((chain, hooks) => {
    const within = ends.complement();
    return chain.visitsFrom(initial, { within, ...narrow, ...hooks });
  }),
  steadyState: onChain((chain, hooks) => chain.steadyState(initial, { ...narrow, ...hooks }), resting),
  longRunAverage: onChain((chain, hooks) => chain.longRunAverage(rewards, { ...narrow, ...hooks }), resting),
  openSolver: onChain((chain, hooks) => chain.openSolver(all, target, { ...narrow, ...hooks }).free()),
  'Pmin of an MDP': onMdp((mdp, hooks) => mdp.until('min', all, target, { ...sweeping, ...hooks })),
  'Pmax of an MDP': onMdp((mdp, hooks) => mdp.until('max', all, target, { ...sweeping, ...hooks })),
  'Pmax of an MDP by policies': onMdp(
    (mdp, hooks) => mdp.until('max', BitSet.full(WALK), BitSet.of(WALK, [WALK - 1]), { ...narrow, ...hooks }),
    biased,
    biasedGroups,
  ),
  'Rmin of an MDP': onMdp((mdp, hooks) =>
    mdp.reachabilityReward('min', rewards, ends, { ...sweeping, ...hooks }),
  ),
  'Rmax of an MDP': onMdp((mdp, hooks) =>
    mdp.reachabilityReward('max', rewards, ends, { ...sweeping, ...hooks }),
  ),
  'boundedUntil of an MDP': onMdp((mdp, hooks) => mdp.boundedUntil('max', all, target, 8000, hooks)),
  'until on intervals': onIntervals((model, hooks) =>
    model.until(all, target, 'max', { ...narrow, ...hooks }),
  ),
  'boundedUntil on intervals': onIntervals((model, hooks) =>
    model.boundedUntil(all, target, 3000, 'min', hooks),
  ),
  'until on an interval MDP': (kernel, run) => {
    using model = kernel.intervalMdp({ ...intervals, rowGroupStart });
    const players = { scheduler: 'max', nature: 'min' } as const;
    run((hooks) => model.until(all, target, players, { ...narrow, ...hooks }));
  },
  product: (kernel, run) => {
    const seeds = [{ states: all, from: [0, 0] }];
    const chain = { ...matrix, words: 1, valuations: new Uint32Array(STATES) };
    run((hooks) => {
      const { onProgress, signal } = hooks as { onProgress: () => void; signal: AbortSignal };
      kernel.product(chain, [clock(7), clock(11)], seeds, { onProgress, signal }).free();
    });
  },
};

describe.each([
  ['with SIMD', wasmBytes(), [1, 2]],
  ['without SIMD', scalarWasmBytes(), [1]],
])('the module %s', (_, bytes, lasts) => {
  const { kernel, held } = guardedKernel(randomNumbers(9), { bytes });

  test.each(Object.entries(CALLS))(
    'what is aborted between two slices gives back all that it took: %s',
    (_name, open) => {
      open(kernel, (call) => {
        const before = held();
        for (const last of lasts) {
          const controller = new AbortController();
          let reports = 0;
          const onProgress = () => {
            if (++reports === last) controller.abort(new Error('enough'));
          };
          try {
            call({ onProgress, signal: controller.signal });
            // Only a call that is done before its second report may end.
            expect([last, reports]).toEqual([2, 1]);
          } catch (error) {
            expect((error as Error).message).toBe('enough');
          }
          expect(reports).toBeLessThanOrEqual(last);
          expect(held()).toBe(before);
        }
      });
      expect(held()).toBe(0);
    },
  );

  test('an update that is aborted gives back what it took, and solving goes on from there', () => {
    using chain = kernel.chain(matrix);
    using solver = chain.openSolver(all, target);
    const before = held();
    const row = {
      rowStart: Uint32Array.of(0, 2),
      columns: Uint32Array.of(1, 2),
      values: Float64Array.of(0.5, 0.5),
    };
    const controller = new AbortController();
    const onProgress = () => controller.abort(new Error('enough'));
    const update = { ...row, rows: Uint32Array.of(0) };
    expect(() => solver.replaceRows(update, { onProgress, signal: controller.signal })).toThrow('enough');
    expect(held()).toBe(before);
    expect(() => solver.lower(0)).toThrow('the last update was not finished');
    expect(() => solver.solve({ onProgress, signal: controller.signal })).toThrow('enough');
    expect(held()).toBe(before);
    solver.solve();
    expect(solver.upper(0) - solver.lower(0)).toBeLessThanOrEqual(2e-6);
    expect(held()).toBe(before);
  });
});
