import { describe, expect, test } from 'vitest';
import '../../../../bindings/solvers/kernel/inline.js';
import { InvalidArgumentError, NotSupportedError } from '../../../../bindings/base/errors.js';
import type { LtlFormula } from '../../../../bindings/languages/automaton/index.js';
import { ltlProbability } from '../../../../bindings/solvers/checker/index.js';
import { BitSet } from '../../../../bindings/solvers/kernel/index.js';
import type {
  Dtmc,
  IntervalDtmc,
  IntervalMdp,
  Mdp,
  Model,
} from '../../../../bindings/solvers/model/index.js';
import { chainOf } from '../../../kernel/chains.js';
import { mdpOf } from '../../../kernel/randomMdps.js';
import { and, atom, F, G, implies, no, not, or, U, within, X, yes } from '../../../oracle/ltlShorthand.js';
import { Rational } from '../../../oracle/rational.js';

const nothing = { initial: [0], labels: new Map<string, BitSet>() };

function chain(rows: Parameters<typeof chainOf>[0]): Dtmc {
  return { type: 'dtmc', states: rows.length, ...nothing, ...chainOf(rows) };
}

function process(choices: Parameters<typeof mdpOf>[0]): Mdp {
  return { type: 'mdp', states: choices.length, ...nothing, ...mdpOf(choices) };
}

const states = (model: Model, ...members: number[]) => BitSet.of(model.states, members);

/** Asserts that the bounds of one state bracket a fraction, and lie close together. */
function expectValue(
  model: Model,
  directions: ('min' | 'max')[],
  formula: LtlFormula,
  atoms: BitSet[],
  state: number,
  exact: string,
): void {
  const { lower, upper } = ltlProbability(model, directions, formula, atoms);
  const value = Rational.parse(exact);
  // Doubles of a model such as 0.1 are not the decimals.
  expect(value.compare(lower[state] - 1e-9)).toBeGreaterThanOrEqual(0);
  expect(value.compare(upper[state] + 1e-9)).toBeLessThanOrEqual(0);
  expect(upper[state] - lower[state]).toBeLessThan(3e-6);
}

describe('a chain of six states, from a lecture on probabilistic model checking', () => {
  const model = chain([
    [
      [0, 0.6],
      [1, 0.1],
      [3, 0.3],
    ],
    [
      [2, 0.5],
      [3, 0.2],
      [4, 0.3],
    ],
    [[5, 1]],
    [[4, 1]],
    [[3, 1]],
    [
      [2, 0.1],
      [5, 0.9],
    ],
  ]);
  const atoms = [states(model, 2, 3, 5), states(model, 1)];
  const [a, b] = [atom(0), atom(1)];

  test.each<[string, LtlFormula, string]>([
    ['GF a', G(F(a)), '1'],
    ['G !b & GF a', and(G(not(b)), G(F(a))), '0.75'],
    ['FG a', F(G(a)), '0.125'],
    ['G (b => F (!b & a)) & FG !b', and(G(implies(b, F(and(not(b), a)))), F(G(not(b)))), '1'],
    ['true | X a', or(yes, X(a)), '1'],
    ['false', no, '0'],
  ])('P=? [ %s ] is known', (_, formula, exact) => {
    expectValue(model, [], formula, atoms, 0, exact);
  });

  test('what is certain is exact', () => {
    expect(ltlProbability(model, [], G(F(a)), atoms)).toMatchObject({ accuracy: 'exact' });
  });

  test('only seeds have bounds', () => {
    const { lower, upper } = ltlProbability(model, [], F(G(a)), atoms, { seeds: states(model, 3) });
    expect([lower[3], upper[3]]).toEqual([0, 0]);
    expect([lower[1], upper[1]]).toEqual([0, 1]);
  });

  test('no seeds are asked for nothing', () => {
    const { lower, upper } = ltlProbability(model, [], F(G(a)), atoms, { seeds: states(model) });
    expect([...lower.slice(1), ...upper.slice(1)]).toEqual([0, 0, 0, 0, 0, 1, 1, 1, 1, 1]);
  });
});

test('where data are missing, a path may do anything', () => {
  const model: Dtmc = {
    ...chain([
      [
        [1, 0.5],
        [2, 0.5],
      ],
      [[1, 1]],
      [],
    ]),
    unknown: BitSet.of(3, [2]),
  };
  const { lower, upper } = ltlProbability(model, [], G(F(atom(0))), [states(model, 1)]);
  expect(lower[0]).toBeLessThanOrEqual(0.5);
  expect(lower[0]).toBeGreaterThan(0.499999);
  expect([lower[1], lower[2]]).toEqual([1, 0]);
  expect([...upper]).toEqual([1, 1, 1]);
});

describe('a decision process of nine states, from the same lecture', () => {
  const model = process([
    [
      [[2, 1]],
      [
        [0, 0.6],
        [1, 0.3],
        [2, 0.1],
      ],
    ],
    [
      [
        [3, 0.3],
        [4, 0.7],
      ],
    ],
    [[[5, 1]]],
    [[[4, 1]]],
    [[[1, 1]], [[3, 1]], [[6, 1]]],
    [
      [
        [7, 0.9],
        [8, 0.1],
      ],
    ],
    [[[6, 1]]],
    [[[5, 1]]],
    [[[5, 1]]],
  ]);
  const formula = and(G(not(atom(0))), G(F(atom(1))));
  const atoms = [states(model, 3), states(model, 6)];

  test('the greatest probability is that of going straight on', () => {
    expectValue(model, ['max'], formula, atoms, 1, '0.7');
  });

  test('the least is 0', () => {
    expectValue(model, ['min'], formula, atoms, 1, '0');
  });

  test('the least of the negation is what the greatest leaves', () => {
    expectValue(model, ['min'], not(formula), atoms, 1, '0.3');
  });
});

describe('a decision process with three choices', () => {
  const choice = (p: number): [number, number][] => [
    [1, p],
    [2, 1 - p],
  ];
  const model = process([[choice(0.25), choice(0.375), choice(0.5)], [[[1, 1]]], [[[2, 1]]]]);
  const atoms = [states(model, 1), states(model, 2)];
  const [a, b] = [atom(0), atom(1)];

  test.each<['min' | 'max', string, LtlFormula, string]>([
    ['max', 'F a', F(a), '1/2'],
    ['min', 'F a', F(a), '1/4'],
    ['max', '!F a', not(F(a)), '3/4'],
    ['max', 'G (a | F b)', G(or(a, F(b))), '3/4'],
    ['max', 'X a => G b', implies(X(a), G(b)), '3/4'],
    ['max', 'FG a | X false', or(F(G(a)), X(no)), '1/2'],
    ['min', 'F[1,2] a', within('finally', 1, 2, a), '1/4'],
    ['max', 'G[1,2] b', within('globally', 1, 2, b), '3/4'],
    ['min', 'G[2,1] a', within('globally', 2, 1, a), '1'],
  ])('P%s=? [ %s ] is known', (direction, _, formula, exact) => {
    expectValue(model, [direction], formula, atoms, 0, exact);
  });
});

test('one scheduler must do with one plan: to come back for ever, and to leave for good, are not both 1', () => {
  const model = process([
    [[[0, 1]], [[1, 1]]],
    [[[1, 1]], [[0, 1]]],
  ]);
  const atoms = [states(model, 0), states(model, 1)];
  const [a, b] = [atom(0), atom(1)];
  const value = (formula: LtlFormula) => ltlProbability(model, ['max'], formula, atoms).upper[0];
  expect(value(and(G(F(a)), G(F(b))))).toBe(1);
  expect(value(and(F(G(a)), G(F(b))))).toBe(0);
  expect(value(and(F(b), F(G(a))))).toBe(1);
});

test('probabilities of which little is left of 1 keep their digits where they are asked for', () => {
  const model = chain([
    [
      [1, 1 - 2 ** -30],
      [2, 2 ** -30],
    ],
    [[1, 1]],
    [[2, 1]],
  ]);
  const atoms = [states(model, 1)];
  const { lower, upper } = ltlProbability(model, [], G(not(atom(0))), atoms, { relative: true });
  expect(lower[0]).toBeLessThanOrEqual(2 ** -30);
  expect(upper[0]).toBeGreaterThanOrEqual(2 ** -30);
  expect(upper[0] - lower[0]).toBeLessThanOrEqual(2e-6 * lower[0]);
});

describe('a robot whose moves are only known to lie in intervals', () => {
  const rows = (e: number) => [
    [
      [1, 0.1 - e, 0.1 + e],
      [3, 0.8 - e, 0.8 + e],
      [4, 0.1 - e, 0.1 + e],
    ],
    [
      [2, 0.5, 0.5],
      [4, 0.5, 0.5],
    ],
    [[2, 1, 1]],
    [[3, 1, 1]],
    [[5, 1, 1]],
    [[4, 1, 1]],
  ];
  const intervals = (e: number, hazard = rows(e)): IntervalDtmc => {
    const { rowStart, columns } = chainOf(hazard.map((row) => row.map(([t, low]) => [t, low] as const)));
    return {
      type: 'idtmc',
      states: 6,
      ...nothing,
      rowStart,
      columns,
      lower: Float64Array.from(hazard.flat(), ([, low]) => low),
      upper: Float64Array.from(hazard.flat(), ([, , high]) => high),
    };
  };
  const model = intervals(0.05);
  const atoms = [states(model, 1), states(model, 5)];
  const recurs = G(F(atom(1)));
  const safely = and(G(not(atom(0))), recurs);

  test.each<['min' | 'max', string, LtlFormula, string]>([
    ['min', 'GF goal', recurs, '0.1'],
    ['max', 'GF goal', recurs, '0.2'],
    ['min', 'G !hazard & GF goal', safely, '0.05'],
    ['max', 'G !hazard & GF goal', safely, '0.15'],
    ['min', '!(G !hazard & GF goal)', not(safely), '0.85'],
    ['max', '!(G !hazard & GF goal)', not(safely), '0.95'],
  ])('P%s=? [ %s ] is known', (direction, _, formula, exact) => {
    expectValue(model, [direction], formula, atoms, 0, exact);
  });

  test('a scheduler and nature each take their side', () => {
    const { type: _, ...parts } = model;
    const decisions: IntervalMdp = {
      ...parts,
      type: 'imdp',
      rowGroupStart: Uint32Array.from({ length: 7 }, (_, row) => row),
    };
    expectValue(decisions, ['max', 'min'], safely, atoms, 0, '0.05');
    expectValue(decisions, ['min', 'max'], safely, atoms, 0, '0.15');
  });

  test('a lower bound of 0 is refused where end components matter, and only there', () => {
    const free = intervals(0.05, [
      [
        [0, 0, 1],
        [1, 0.5, 1],
      ],
      ...rows(0.05).slice(1),
    ]);
    expect(() => ltlProbability(free, ['min'], recurs, atoms)).toThrow(NotSupportedError);
    expect(() => ltlProbability(free, ['min'], F(and(atom(0), X(F(atom(1))))), atoms)).not.toThrow();
  });
});

describe('what is refused', () => {
  const model = chain([
    [
      [0, 0.5],
      [1, 0.5],
    ],
    [
      [0, 0.5],
      [1, 0.5],
    ],
  ]);
  const atoms = [states(model, 1)];

  test('an automaton above the limit', () => {
    expect(() =>
      ltlProbability(model, [], within('finally', 0, 500, and(atom(0), X(not(atom(0))))), atoms, {
        maxAutomatonStates: 100,
      }),
    ).toThrow('more than 100 states');
  });

  test('a product above the limit', () => {
    expect(() =>
      ltlProbability(model, [], within('finally', 500, 500, atom(0)), atoms, { maxProductStates: 200 }),
    ).toThrow('more than 200 states');
  });

  test('atoms over other states, or too few of them', () => {
    expect(() => ltlProbability(model, [], F(atom(0)), [new BitSet(3)])).toThrow(InvalidArgumentError);
    expect(() => ltlProbability(model, [], U(atom(0), atom(1)), atoms)).toThrow('atom 1');
  });
});
