import fc from 'fast-check';
import { BitSet } from '../../../bindings/solvers/kernel/index.js';
import {
  createIntervalDtmc,
  createIntervalMdp,
  createMdp,
  type IntervalDtmc,
  type IntervalMdp,
  type Mdp,
  NO_ACTION,
} from '../../../bindings/solvers/model/index.js';

const finite = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);

interface Row {
  readonly targets: readonly number[];
  readonly weights: readonly number[];
  readonly slack: readonly number[];
  readonly action: number;
}

/** A fixed number of draws. */
function exactly<T>(count: number, of: fc.Arbitrary<T>): fc.Arbitrary<T[]> {
  return fc.array(of, { minLength: count, maxLength: count });
}

function row(states: number): fc.Arbitrary<Row> {
  return fc.uniqueArray(fc.nat(states - 1), { minLength: 1 }).chain((targets) =>
    fc.record({
      targets: fc.constant(targets.sort((a, b) => a - b)),
      weights: exactly(targets.length, fc.integer({ min: 1, max: 1000 })),
      slack: exactly(targets.length, fc.constantFrom(0, 0.5, 1)),
      action: fc.nat(2),
    }),
  );
}

/**
 * Random decision processes and interval models of at most 5 states, with labels, actions (one in three choices has none),
 * valuations, and rewards and annotations of states, choices and branches. `explicit`: only what PRISM's explicit files hold.
 */
export function arbitraryModel(
  format: 'umb' | 'explicit' = 'umb',
): fc.Arbitrary<Mdp | IntervalDtmc | IntervalMdp> {
  return fc
    .tuple(fc.constantFrom('mdp' as const, 'idtmc' as const, 'imdp' as const), fc.integer({ min: 1, max: 5 }))
    .chain(([type, states]) =>
      exactly(states, fc.array(row(states), { minLength: 1, maxLength: type === 'idtmc' ? 1 : 3 })).chain(
        (groups) => {
          const rows = groups.flat();
          const branches = rows.reduce((sum, { targets }) => sum + targets.length, 0);
          const numbers = (count: number) =>
            exactly(count, finite).map((values) => Float64Array.from(values));
          return fc.record({
            type: fc.constant(type),
            groups: fc.constant(groups),
            initial: fc.nat(states - 1),
            goal: fc.subarray(Array.from({ length: states }, (_, state) => state)),
            values: exactly(states, fc.integer({ min: -3, max: 300 })),
            ofStates: numbers(states),
            ofChoices: numbers(rows.length),
            ofBranches: numbers(branches),
          });
        },
      ),
    )
    .map(({ type, groups, initial, goal, values, ofStates, ofChoices, ofBranches }) => {
      const rows = groups.flat();
      const ends = (sizes: readonly number[]) => {
        const starts = new Uint32Array(sizes.length + 1);
        sizes.forEach((size, i) => {
          starts[i + 1] = starts[i] + size;
        });
        return starts;
      };
      const probability = rows.flatMap(({ weights }) => {
        const total = weights.reduce((a, b) => a + b, 0);
        return weights.map((weight) => weight / total);
      });
      const slack = rows.flatMap((one) => one.slack);
      const isUmb = format === 'umb';
      const common = {
        rowStart: ends(rows.map(({ targets }) => targets.length)),
        columns: Uint32Array.from(rows.flatMap(({ targets }) => targets)),
        initial: [initial],
        labels: new Map([['goal', BitSet.of(groups.length, goal)]]),
        valuations: { variables: [{ name: 'x', type: 'int' as const }], values: [values] },
        rewards: [
          { name: 'r', states: ofStates, ...(isUmb && { choices: ofChoices }), branches: ofBranches },
        ],
        ...(isUmb && {
          annotations: (['states', 'choices', 'branches'] as const).map((appliesTo, i) => ({
            name: 'n',
            appliesTo,
            type: 'double' as const,
            values: [ofStates, ofChoices, ofBranches][i],
          })),
        }),
      };
      const bounds = {
        lower: Float64Array.from(probability, (p, i) => p * (1 - slack[i])),
        upper: Float64Array.from(probability, (p, i) => Math.min(1, p * (1 + slack[i]))),
      };
      if (type === 'idtmc') return createIntervalDtmc({ ...common, ...bounds });
      const used = [...new Set(rows.map(({ action }) => action))].filter((action) => action < 2);
      const choices = {
        rowGroupStart: ends(groups.map((group) => group.length)),
        ...(used.length > 0 && {
          actions: {
            names: used.map((action) => `a${action}`),
            ofRow: Uint32Array.from(rows, ({ action }) => (action < 2 ? used.indexOf(action) : NO_ACTION)),
          },
        }),
      };
      return type === 'mdp'
        ? createMdp({ ...common, ...choices, values: Float64Array.from(probability) })
        : createIntervalMdp({ ...common, ...choices, ...bounds });
    });
}
