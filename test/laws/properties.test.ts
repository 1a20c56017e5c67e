import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import '../../bindings/solvers/kernel/inline.js';
import { check } from '../../bindings/solvers/checker/index.js';
import { BitSet, type MdpMatrix } from '../../bindings/solvers/kernel/index.js';
import type { Model } from '../../bindings/solvers/model/index.js';
import { expectBrackets } from '../oracle/brackets.js';
import {
  type PathFormula,
  PropertyOracle,
  printPath,
  printState,
  type StateFormula,
} from '../oracle/properties.js';
import { runs } from './runs.js';

const STATES = 4;

/** A distribution in eighths over at most three successors. */
const row = fc
  .tuple(fc.shuffledSubarray([0, 1, 2, 3], { minLength: 1, maxLength: 3 }), fc.integer({ min: 1, max: 6 }))
  .map(([targets, first]): [number, number][] => {
    const weights = { 1: [8], 2: [first, 8 - first], 3: [first, 1, 7 - first] }[targets.length] as number[];
    return targets
      .map((t, i): [number, number] => [t, weights[i] / 8])
      .filter(([, p]) => p > 0)
      .sort(([a], [b]) => a - b);
  });

function matrixOf(choices: readonly (readonly [number, number][])[][]): MdpMatrix {
  const rows = choices.flat();
  const starts = (sizes: readonly number[]) =>
    Uint32Array.from(
      [0, ...sizes].map(
        (
          (sum) => (size: number) =>
            (sum += size)
        )(0),
      ),
    );
  return {
    rowGroupStart: starts(choices.map(({ length }) => length)),
    rowStart: starts(rows.map(({ length }) => length)),
    columns: Uint32Array.from(rows.flat(), ([t]) => t),
    values: Float64Array.from(rows.flat(), ([, p]) => p),
  };
}

const members = fc.array(fc.boolean(), { minLength: STATES, maxLength: STATES });

function instances(most: number): fc.Arbitrary<{ model: Model; oracle: PropertyOracle }> {
  const choices = fc.array(row, { minLength: 1, maxLength: most });
  return fc
    .tuple(fc.array(choices, { minLength: STATES, maxLength: STATES }), members, members)
    .map(([chosen, a, b]) => {
      const matrix = matrixOf(chosen);
      const labels = new Map([
        ['a', BitSet.where(STATES, (s) => a[s])],
        ['b', BitSet.where(STATES, (s) => b[s])],
      ]);
      const oracle = new PropertyOracle(matrix, labels);
      const common = { states: STATES, initial: [0], labels };
      const { rowGroupStart: _, ...rows } = matrix;
      const model: Model =
        most === 1 ? { type: 'dtmc', ...common, ...rows } : { type: 'mdp', ...common, ...matrix };
      return { model, oracle };
    });
}

const window = fc.option(
  fc.tuple(fc.nat(3), fc.option(fc.nat(3))).map(([from, length]) => ({
    from,
    to: length === null ? null : from + length,
  })),
  { freq: 2 },
);

const { state, path } = fc.letrec<{ state: StateFormula; path: PathFormula; unbounded: PathFormula }>(
  (tie) => {
    const label = fc.constantFrom('a', 'b').map((name): StateFormula => ({ kind: 'label', name }));
    const operands = { left: tie('state'), right: tie('state') };
    const operator = fc.constantFrom('X', 'F', 'G', 'U', 'W', 'R');
    return {
      state: fc.oneof(
        { maxDepth: 3, withCrossShrink: true },
        label,
        fc.record({ kind: fc.constant('not'), operand: tie('state') }),
        fc.record({ kind: fc.constantFrom('&', '|', '=>'), ...operands }),
        fc.record({
          kind: fc.constant('threshold'),
          comparison: fc.constantFrom('<', '<=', '>', '>='),
          threshold: fc.nat(4),
          somebody: fc.boolean(),
          path: tie('path'),
        }),
        fc.record({ kind: fc.constantFrom('A', 'E'), path: tie('unbounded') }),
      ) as fc.Arbitrary<StateFormula>,
      path: fc.record({ operator, ...operands, window }) as fc.Arbitrary<PathFormula>,
      unbounded: fc.record({
        operator,
        ...operands,
        window: fc.constant(null),
      }) as fc.Arbitrary<PathFormula>,
    };
  },
);

describe('properties of random models', () => {
  for (const [name, most] of [
    ['a chain', 1],
    ['a decision process', 2],
  ] as const) {
    it(`hold in the states of ${name} that their definitions say`, () => {
      fc.assert(
        fc.property(instances(most), state, ({ model, oracle }, formula) => {
          const text = printState(formula);
          const result = check({ model }, `filter(print, ${text})`);
          if (result.kind !== 'states') expect.unreachable();
          expect(result.open?.count(), text).toBe(0);
          expect([...result.holds!], text).toEqual([
            ...oracle.states(formula).flatMap((holds, s) => (holds ? [s] : [])),
          ]);
        }),
        { numRuns: runs(120) },
      );
    });

    it(`have probabilities in ${name} within their bounds, and equal to their fractions`, () => {
      fc.assert(
        fc.property(
          instances(most),
          path,
          fc.constantFrom('min', 'max'),
          ({ model, oracle }, formula, direction) => {
            const text = `P${direction}=? [ ${printPath(formula)} ]`;
            const exact = oracle.probability(direction, formula);
            const result = check({ model }, `filter(printall, ${text})`);
            if (result.kind !== 'states') expect.unreachable();
            expectBrackets({ lower: result.lower!, upper: result.upper! }, exact);
            const answer = check({ model }, text, { exact: true });
            if (answer.kind !== 'number') expect.unreachable();
            expect(`${answer.exact}`, text).toBe(`${exact[0]}`);
            expect(answer.lower <= answer.value && answer.value <= answer.upper).toBe(true);
          },
        ),
        { numRuns: runs(120) },
      );
    });
  }
});
