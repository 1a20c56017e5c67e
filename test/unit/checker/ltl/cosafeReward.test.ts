import { describe, expect, test } from 'vitest';
import '../../../../bindings/solvers/kernel/inline.js';
import type { LtlFormula } from '../../../../bindings/languages/automaton/index.js';
import { cosafeReward } from '../../../../bindings/solvers/checker/index.js';
import { BitSet } from '../../../../bindings/solvers/kernel/index.js';
import type { Dtmc, Mdp, Model, Rewards } from '../../../../bindings/solvers/model/index.js';
import { chainOf } from '../../../kernel/chains.js';
import { mdpOf } from '../../../kernel/randomMdps.js';
import { and, atom, F, G, no, not, or, U, within, X, yes } from '../../../oracle/ltlShorthand.js';

const nothing = { initial: [0], labels: new Map<string, BitSet>() };
const each = (model: Model) => Array.from({ length: model.states }, (_, s) => BitSet.of(model.states, [s]));

function expectReward(
  model: Model,
  directions: ('min' | 'max')[],
  rewards: Rewards,
  formula: LtlFormula,
  atoms: BitSet[],
  state: number,
  value: number,
): void {
  const { lower, upper } = cosafeReward(model, directions, rewards, formula, atoms);
  if (value === Number.POSITIVE_INFINITY) expect([lower[state], upper[state]]).toEqual([value, value]);
  else {
    expect(lower[state]).toBeLessThanOrEqual(value + 1e-9);
    expect(upper[state]).toBeGreaterThanOrEqual(value - 1e-9);
    expect(upper[state] - lower[state]).toBeLessThan(1e-4);
  }
}

describe('four states in a row, with rewards of states and of moves', () => {
  const model: Dtmc = {
    type: 'dtmc',
    states: 4,
    ...nothing,
    ...chainOf([[[1, 1]], [[2, 1]], [[3, 1]], [[3, 1]]]),
  };
  const atoms = each(model);
  const [s0, s1, s2, s3] = [0, 1, 2, 3].map(atom);
  const a: Rewards = {
    name: 'a',
    states: Float64Array.of(2, 5, 11, 0),
    branches: Float64Array.of(3, 7, 0, 0),
  };
  const b: Rewards = {
    name: 'b',
    states: Float64Array.of(2, 5, 11, 17),
    choices: Float64Array.of(3, 7, 0, 13),
  };

  test.each<[string, Rewards, LtlFormula, number, number]>([
    ['true', a, yes, 0, 0],
    ['!false', a, not(no), 0, 0],
    ['s=0', a, s0, 0, 0],
    ['F s=1', a, F(s1), 0, 5],
    ['F s=3', a, F(s3), 0, 28],
    ['X true', a, X(yes), 0, 5],
    ['!X true', a, not(X(yes)), 0, Infinity],
    ['!X false', a, not(X(no)), 0, 5],
    ['X X true', a, X(X(yes)), 0, 17],
    ['X X X true', a, X(X(X(yes))), 0, 28],
    ['X X X false', a, X(X(X(no))), 0, Infinity],
    ['(X X true) U s=0', a, U(X(X(yes)), s0), 0, 0],
    ['(X X true) U s=1', a, U(X(X(yes)), s1), 0, 17],
    ['(X X true) U s=2', a, U(X(X(yes)), s2), 0, 28],
    ['(X X true) U s=3', b, U(X(X(yes)), s3), 0, 58],
    ['s=0 | X true', a, or(s0, X(yes)), 0, 0],
    ['s=0 | X true', a, or(s0, X(yes)), 1, 12],
    ['s=0 | X true', a, or(s0, X(yes)), 2, 11],
    ['s=0 | X true', a, or(s0, X(yes)), 3, 0],
    ['X s=1 | X s=2', a, or(X(s1), X(s2)), 0, 5],
    ['X s=1 | X s=2', a, or(X(s1), X(s2)), 1, 12],
    ['X s=1 | X s=2', a, or(X(s1), X(s2)), 2, Infinity],
    ['F X s=1', a, F(X(s1)), 0, 5],
    ['F X s=3', a, F(X(s3)), 0, 28],
    ['F (s=1 & X s=2)', a, F(and(s1, X(s2))), 0, 17],
    ['F[2,3] (s=1 | s=3)', a, within('finally', 2, 3, or(s1, s3)), 0, 28],
  ])('R=? [ %s ] with rewards %s is known', (_, rewards, formula, state, value) => {
    expectReward(model, [], rewards, formula, atoms, state, value);
  });

  test('a formula that no prefix can show is refused', () => {
    expect(() => cosafeReward(model, [], a, F(G(s1)), atoms)).toThrow('not co-safe');
    expect(() => cosafeReward(model, [], a, not(U(s1, s2)), atoms)).toThrow('not co-safe');
  });
});

describe('a robot that may take several ways', () => {
  const model: Mdp = {
    type: 'mdp',
    states: 6,
    ...nothing,
    ...mdpOf([
      [
        [
          [0, 0.4],
          [1, 0.6],
        ],
        [
          [1, 0.1],
          [3, 0.8],
          [4, 0.1],
        ],
      ],
      [
        [[2, 1]],
        [
          [2, 0.5],
          [4, 0.5],
        ],
      ],
      [[[2, 1]]],
      [[[3, 1]]],
      [
        [[5, 1]],
        [
          [3, 0.6],
          [4, 0.4],
        ],
      ],
      [
        [
          [2, 0.9],
          [5, 0.1],
        ],
        [[4, 1]],
      ],
    ]),
  };
  const time: Rewards = { name: 'time', states: new Float64Array(6).fill(1) };
  const atoms = [BitSet.of(6, [5]), BitSet.of(6, [2, 3]), BitSet.of(6, [3])];
  const [goal1, goal2, s3] = [0, 1, 2].map(atom);

  test.each<['min' | 'max', string, LtlFormula, number]>([
    ['min', 'F goal1 | F goal2', or(F(goal1), F(goal2)), 1.2],
    ['max', 'F goal1 | F goal2', or(F(goal1), F(goal2)), 3.5],
    ['min', 'X F (goal1 | goal2)', X(F(or(goal1, goal2))), 1.2],
    ['min', 'F X (goal1 | goal2)', F(X(or(goal1, goal2))), 1.2],
    ['min', 'X X (goal1 | goal2)', X(X(or(goal1, goal2))), 2],
    ['min', 'X X goal2', X(X(goal2)), Infinity],
    ['min', 'F goal2', F(goal2), 19 / 15],
    ['min', 's!=3 U goal2', U(not(s3), goal2), 19 / 15],
  ])('R%s=? [ %s ] is known', (direction, _, formula, value) => {
    expectReward(model, [direction], time, formula, atoms, 0, value);
  });
});
