import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BitSet, type Csr, type SolveMethod } from '../../bindings/solvers/kernel/index.js';
import { backends } from '../kernel/backends.js';
import { chainOf } from '../kernel/chains.js';
import { arbitraryUntil } from '../kernel/randomChains.js';
import { expectBrackets, widest } from '../oracle/brackets.js';
import { ExactChain } from '../oracle/chain.js';
import { runs } from './runs.js';

type Row = readonly (readonly [number, number])[];

interface Model {
  readonly rows: Row[];
  readonly remain: BitSet;
  readonly target: BitSet;
}

/** One update, independent of the model's size: numbers below 1 choose states when it is applied. */
type Update =
  | { kind: 'shift'; at: number[]; by: number }
  | { kind: 'row'; at: number; to: (readonly [at: number, weight: number])[] }
  | { kind: 'link'; at: number; to: number; weight: number }
  | { kind: 'cut'; at: number }
  | { kind: 'add'; rows: (readonly [at: number, weight: number])[][]; members: number };

const place = fc.double({ min: 0, max: 0.999, noNaN: true });
const weight = fc.oneof(fc.integer({ min: 1, max: 9 }), fc.constantFrom(1e-3, 1e-9));
const weights = fc.array(fc.tuple(place, weight), { minLength: 1, maxLength: 3 });

const arbitraryUpdate: fc.Arbitrary<Update> = fc.oneof(
  fc.record({
    kind: fc.constant('shift' as const),
    at: fc.array(place, { minLength: 1, maxLength: 3 }),
    by: fc.constantFrom(1e-12, 1e-9, 1e-7, 1e-5, 1e-2, 0.3),
  }),
  fc.record({ kind: fc.constant('row' as const), at: place, to: weights }),
  fc.record({ kind: fc.constant('link' as const), at: place, to: place, weight }),
  fc.record({ kind: fc.constant('cut' as const), at: place }),
  fc.record({
    kind: fc.constant('add' as const),
    rows: fc.array(weights, { minLength: 1, maxLength: 3 }),
    members: fc.nat(255),
  }),
);

function rowsOf({ rowStart, columns, values }: Csr): Row[] {
  return Array.from({ length: rowStart.length - 1 }, (_, s) =>
    Array.from(
      columns.subarray(rowStart[s], rowStart[s + 1]),
      (t, i) => [t, values[rowStart[s] + i]] as const,
    ),
  );
}

function normalised(entries: Row): Row {
  const sums = new Map<number, number>();
  for (const [t, w] of entries) sums.set(t, (sums.get(t) ?? 0) + w);
  const total = [...sums.values()].reduce((sum, w) => sum + w);
  return [...sums].sort(([a], [b]) => a - b).map(([t, w]) => [t, w / total] as const);
}

/** The rows that an update replaces, by state; additions are not replacements. */
function replacements(model: Model, update: Exclude<Update, { kind: 'add' }>): Map<number, Row> {
  const states = model.rows.length;
  const pick = (at: number) => Math.floor(at * states);
  if (update.kind === 'shift') {
    return new Map(
      update.at.map((at) => {
        const [[t, w], ...others] = model.rows[pick(at)];
        return [pick(at), normalised([[t, w * (1 - update.by)], ...others])];
      }),
    );
  }
  const s = pick(update.at);
  if (update.kind === 'row') return new Map([[s, normalised(update.to.map(([at, w]) => [pick(at), w]))]]);
  if (update.kind === 'link')
    return new Map([[s, normalised([...model.rows[s], [pick(update.to), update.weight]])]]);
  const rest = model.rows[s].slice(1);
  return new Map([[s, rest.length > 0 ? normalised(rest) : [[s, 1]]]]);
}

const withRows = (rows: Row[]) => chainOf(rows);

function longer(set: BitSet, states: number, member: (i: number) => boolean): BitSet {
  return BitSet.where(states, (s) => (s < set.size ? set.has(s) : member(s - set.size)));
}

function apply(solver: ReturnType<typeof open>, model: Model, update: Update): Model {
  if (update.kind === 'add') {
    const before = model.rows.length;
    const states = before + update.rows.length;
    const rows = update.rows.map((row) => normalised(row.map(([at, w]) => [Math.floor(at * states), w])));
    const remains = (i: number) => ((update.members >> (2 * i)) & 3) !== 0;
    const targets = (i: number) => ((update.members >> (2 * i)) & 3) === 1;
    solver.addStates({
      ...withRows(rows),
      remain: BitSet.where(rows.length, remains),
      target: BitSet.where(rows.length, targets),
    });
    return {
      rows: [...model.rows, ...rows],
      remain: longer(model.remain, states, remains),
      target: longer(model.target, states, targets),
    };
  }
  const changed = [...replacements(model, update)].sort(([a], [b]) => a - b);
  const rows = [...model.rows];
  for (const [s, row] of changed) rows[s] = row;
  solver.replaceRows({
    rows: Uint32Array.from(changed, ([s]) => s),
    ...withRows(changed.map(([, row]) => row)),
  });
  return { ...model, rows };
}

function open(
  kernel: (typeof backends)[number][1],
  { matrix, remain, target }: { matrix: Csr; remain: BitSet; target: BitSet },
  options: { precision: number; relative?: boolean; method?: SolveMethod },
) {
  using chain = kernel.chain(matrix);
  return chain.openSolver(remain, target, options);
}

describe.each(backends)('%s', (_, kernel) => {
  test.each(['auto', 'elimination'] as const)(
    'after any updates, method %s brackets the exact probability of the changed chain within the precision',
    (method) => {
      fc.assert(
        fc.property(
          arbitraryUntil,
          fc.array(arbitraryUpdate, { minLength: 1, maxLength: 6 }),
          fc.constantFrom(1e-3, 1e-6, 1e-10),
          (problem, updates, precision) => {
            using solver = open(kernel, problem, { precision, method });
            let model: Model = { ...problem, rows: rowsOf(problem.matrix) };
            for (const update of updates) {
              model = apply(solver, model, update);
              const solution = solver.solution();
              const exact = new ExactChain(withRows(model.rows)).until(model.remain, model.target);
              expectBrackets(solution, exact);
              expect(widest(solution)).toBeLessThanOrEqual(2 * precision);
              for (const [s, lower] of solution.lower.entries()) {
                expect(lower === 1).toBe(exact[s].compare(1) === 0);
                expect(solution.upper[s] === 0).toBe(exact[s].compare(0) === 0);
              }
            }
          },
        ),
        { numRuns: runs(120) },
      );
    },
  );

  test('relative precision is kept through updates', () => {
    fc.assert(
      fc.property(arbitraryUntil, fc.array(arbitraryUpdate, { maxLength: 5 }), (problem, updates) => {
        using solver = open(kernel, problem, { precision: 1e-6, relative: true });
        let model: Model = { ...problem, rows: rowsOf(problem.matrix) };
        for (const update of updates) model = apply(solver, model, update);
        const solution = solver.solution();
        expectBrackets(solution, new ExactChain(withRows(model.rows)).until(model.remain, model.target));
        for (const [s, lower] of solution.lower.entries())
          expect(solution.upper[s] - lower).toBeLessThanOrEqual(2e-6 * lower);
      }),
      { numRuns: runs(60) },
    );
  });
});
