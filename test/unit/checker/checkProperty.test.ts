import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import '../../../bindings/solvers/kernel/inline.js';
import { InvalidArgumentError, NotSupportedError, UndecidedError } from '../../../bindings/base/errors.js';
import { parseFormula } from '../../../bindings/languages/logic/index.js';
import {
  type CheckOptions,
  checkProperty,
  type ProbabilityResult,
} from '../../../bindings/solvers/checker/index.js';
import {
  type Dtmc,
  dtmcFromRows,
  type RowsOptions,
  type Transition,
} from '../../../bindings/solvers/model/index.js';
import { Rational } from '../../oracle/rational.js';

const check = (model: Dtmc, text: string, options: CheckOptions = {}) =>
  checkProperty(model, parseFormula(text), options);

function probability(model: Dtmc, text: string, options: CheckOptions = {}): ProbabilityResult {
  const result = check(model, text, options);
  if (result.kind !== 'probability') throw new Error(`${text} gave no probability`);
  return result;
}

/** Asserts that the bounds hold n/d between them and are no wider than the default precision allows. */
function expectBracketed(model: Dtmc, text: string, numerator: number, denominator = 1): void {
  const { lower, upper, value } = probability(model, text);
  const exact = new Rational(BigInt(numerator), BigInt(denominator));
  expect(exact.compare(lower) >= 0, `${text}: ${lower} <= ${numerator}/${denominator}`).toBe(true);
  expect(exact.compare(upper) <= 0, `${text}: ${numerator}/${denominator} <= ${upper}`).toBe(true);
  expect(upper - lower).toBeLessThanOrEqual(2e-6);
  expect(lower <= (value as number) && (value as number) <= upper).toBe(true);
}

/** Knuth and Yao's die of a fair coin: states 0..6, then the faces 1..6 at 7..12. */
const die = dtmcFromRows(
  [
    ...[
      [1, 2],
      [3, 4],
      [5, 6],
      [1, 7],
      [8, 9],
      [10, 11],
      [2, 12],
    ].map(([a, b]): Transition[] => [
      [a, 0.5],
      [b, 0.5],
    ]),
    ...[7, 8, 9, 10, 11, 12].map((s): Transition[] => [[s, 1]]),
  ],
  { labels: { one: [7], six: [12], done: [7, 8, 9, 10, 11, 12], low: [0, 1, 3, 4, 7, 8, 9] } },
);

/** A gambler with s of `total` coins, who wins with 3/8. */
function gambler(total: number, options: RowsOptions = {}): Dtmc {
  return dtmcFromRows(
    Array.from({ length: total + 1 }, (_, s): Transition[] =>
      s === 0 || s === total
        ? [[s, 1]]
        : [
            [s - 1, 0.625],
            [s + 1, 0.375],
          ],
    ),
    { initial: [1], labels: { ruin: [0], rich: [total] }, ...options },
  );
}

describe('checkProperty', () => {
  it('brackets the faces of a die thrown with a coin', () => {
    for (const face of ['one', 'six']) expectBracketed(die, `P=? [ F ${face} ]`, 1, 6);
    expectBracketed(die, 'P=? [ low U one ]', 1, 6);
    expectBracketed(die, 'P=? [ G !one ]', 5, 6);
    expectBracketed(die, 'P=? [ low W done ]', 1, 2);
    expectBracketed(die, 'P=? [ done R low ]', 1, 2);
    expectBracketed(die, 'P=? [ X low ]', 1, 2);
    expectBracketed(die, 'P=? [ F<=3 one ]', 1, 8);
    expectBracketed(die, 'P=? [ F<=5 one ]', 5, 32);
    expectBracketed(die, 'P=? [ F[4,5] one ]', 5, 32);
    expectBracketed(die, 'P=? [ F=2 "init" ]', 0);
    expectBracketed(die, 'P=? [ G<=2 low ]', 1, 2);
    expectBracketed(die, 'P=? [ !done U[4,5] one ]', 1, 32);
  });

  it('brackets the ruin of a gambler', () => {
    // r = 5/3: P(rich from 1 of n) = (r - 1) / (r^n - 1).
    for (const n of [2, 5, 20]) {
      expectBracketed(gambler(n), 'P=? [ F rich ]', 2 * 3 ** (n - 1), 5 ** n - 3 ** n);
    }
  });

  it('keeps the digits of the complement of an event that is nearly sure', () => {
    const { lower, upper } = probability(gambler(60), 'P=? [ G !ruin ]', { relative: true });
    const exact = new Rational(2n * 3n ** 59n, 5n ** 60n - 3n ** 60n);
    expect(exact.compare(lower) >= 0 && exact.compare(upper) <= 0).toBe(true);
    expect(lower).toBeGreaterThan(0);
    expect(upper / lower).toBeLessThan(1.001);
    // Here p rounds to 1.
    const fading = dtmcFromRows(
      [
        [
          [0, 0.25],
          [1, 0.75],
        ],
        [[1, 1]],
      ],
      { labels: { gone: [1] } },
    );
    const stay = probability(fading, 'P=? [ G<=100 !gone ]');
    expect(stay.lower <= 0.25 ** 100 && 0.25 ** 100 <= stay.upper).toBe(true);
    expect(stay.upper / stay.lower).toBeLessThan(1 + 1e-11);
  });

  it('gives minimum and maximum over several initial states', () => {
    const { value, lower, upper } = probability(gambler(2, { initial: [0, 1, 2] }), 'P=? [ F rich ]');
    expect(value).toEqual({ min: 0, max: 1 });
    expect([lower, upper]).toEqual([0, 1]);
    expect(check(gambler(2, { initial: [1, 2] }), 'P>0.3 [ F rich ]').value).toBe(true);
    expect(check(gambler(2, { initial: [0, 1] }), 'P>0.3 [ F rich ]').value).toBe(false);
  });

  it('decides possibility and certainty on the graph', () => {
    for (const [text, value] of [
      ['P>0 [ F one ]', true],
      ['P<=0 [ F one ]', false],
      ['P>=1 [ F done ]', true],
      ['P<1 [ F done ]', false],
      ['P>=1 [ F<=100 done ]', false],
      ['P>0 [ F<=2 done ]', false],
      ['P>0 [ F<=3 done ]', true],
      ['P>=1 [ G<=2 !done ]', true],
      ['P>0 [ G !done ]', false],
      ['P>0 [ X X_ ]', false],
    ] as const) {
      const model = { ...die, labels: new Map([...die.labels, ['X_', die.labels.get('done')!]]) };
      expect(check(model, text), text).toMatchObject({
        kind: 'truth',
        value,
        accuracy: 'exact',
        method: 'graph',
      });
    }
  });

  it('decides thresholds by the bounds', () => {
    expect(check(die, 'P>0.1666 [ F one ]')).toMatchObject({ value: true, accuracy: 'bounded' });
    expect(check(die, 'P<=0.16666 [ F one ]').value).toBe(false);
    expect(check(die, 'P<0.166666666667 [ F one ]').value).toBe(true);
    expect(check(die, 'P>=0.166666666667 [ F one ]').value).toBe(false);
    expect(check(die, 'P>=0 [ F one ]').value).toBe(true);
    expect(check(die, 'P<=1 [ F one ]').value).toBe(true);
  });

  it('decides thresholds at the value itself in exact arithmetic', () => {
    const coin = dtmcFromRows(
      [
        [
          [1, 0.5],
          [2, 0.5],
        ],
        [[1, 1]],
        [[2, 1]],
      ],
      { labels: { goal: [1] } },
    );
    // The fair gambler with 3 of 8 coins, and one with 1 of 5 who wins with 3/8: 2 * 81 / (3125 - 243) = 81/1441.
    const fair = dtmcFromRows(
      Array.from({ length: 9 }, (_, s): Transition[] =>
        s % 8 === 0
          ? [[s, 1]]
          : [
              [s - 1, 0.5],
              [s + 1, 0.5],
            ],
      ),
      { initial: [3], labels: { rich: [8] } },
    );
    const expectAt = (model: Dtmc, path: string, threshold: number, sign: number): void => {
      const answers = { '<': sign < 0, '<=': sign <= 0, '>=': sign >= 0, '>': sign > 0 };
      for (const [operator, value] of Object.entries(answers)) {
        expect(check(model, `P${operator}${threshold} [ ${path} ]`), `${path} ${operator}`).toMatchObject({
          value,
          accuracy: 'exact',
          method: 'rational-elimination',
        });
      }
    };
    expectAt(coin, 'X goal', 0.5, 0);
    expectAt(coin, 'F goal', 0.5, 0);
    expectAt(coin, 'G !goal', 0.5, 0);
    expectAt(coin, 'F<=3 goal', 0.5, 0);
    expectAt(coin, 'F>=1000 goal', 0.5, 0);
    expectAt(coin, 'F<=1000000000 goal', 0.5, 0);
    expectAt(die, 'F<=5 one', 0.15625, 0);
    expectAt(die, '!done U[4,5] one', 0.03125, 0);
    expectAt(fair, 'F rich', 0.375, 0);
    // The double nearest to 1/6 is less than 1/6; that nearest to 81/1441 is what it is.
    expectAt(die, 'F one', 1 / 6, 1);
    expectAt(gambler(5), 'F rich', 81 / 1441, new Rational(81n, 1441n).compare(81 / 1441));
    expect(check({ ...fair, initial: [3, 4] }, 'P>=0.375 [ F rich ]').value).toBe(true);
    expect(check({ ...fair, initial: [2, 3] }, 'P>=0.375 [ F rich ]').value).toBe(false);
    expect(check({ ...fair, initial: [3, 4] }, 'P>0.375 [ F rich ]').value).toBe(false);
  });

  it('says so, with the bounds, where exact arithmetic would take too long', () => {
    // The probability comes nearer to 1/2 with every step, and never gets there; its digits grow with every step.
    const drift = dtmcFromRows(
      [
        [
          [0, 0.75],
          [1, 0.125],
          [2, 0.125],
        ],
        [[1, 1]],
        [[2, 1]],
      ],
      { labels: { goal: [1] } },
    );
    try {
      check(drift, 'P>=0.5 [ F<=300000 goal ]');
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(UndecidedError);
      const { lower, upper, code, message } = error as UndecidedError;
      expect(code).toBe('undecided');
      expect(lower <= 0.5 && 0.5 <= upper && upper - lower < 1e-9).toBe(true);
      expect(message).toMatch(/exact arithmetic would take too long/);
    }
  });

  it('counts states without data with [0,1] wherever their row matters', () => {
    const model = dtmcFromRows(
      [
        [
          [1, 0.25],
          [2, 0.25],
          [3, 0.5],
        ],
        null,
        [[2, 1]],
        [[3, 1]],
      ],
      { labels: { goal: [2], dark: [1] } },
    );
    const expectRange = (text: string, lowest: number, highest: number): void => {
      const { lower, upper } = probability(model, text);
      expect(lower <= lowest && highest <= upper, `${text}: [${lower}, ${upper}]`).toBe(true);
      expect(upper - lower).toBeLessThan(highest - lowest + 1e-12);
    };
    expectRange('P=? [ F goal ]', 0.25, 0.5);
    expectRange('P=? [ G !goal ]', 0.5, 0.75);
    expectRange('P=? [ F dark ]', 0.25, 0.25);
    expectRange('P=? [ !dark U goal ]', 0.25, 0.25);
    expectRange('P=? [ F<=1 goal ]', 0.25, 0.5);
    expectRange('P=? [ F=1 goal ]', 0.25, 0.25);
    expectRange('P=? [ F=2 goal ]', 0.25, 0.5);
    expectRange('P=? [ G<=1 !goal ]', 0.5, 0.75);
    expect(check(model, 'P>0 [ F goal ]').value).toBe(true);
    expect(check(model, 'P>=1 [ F goal ]').value).toBe(false);
    expect(() => check(model, 'P>=0.3 [ F goal ]')).toThrow(/states without data/);
    // At its ends the range decides, and only there.
    expect(check(model, 'P>=0.25 [ F goal ]')).toMatchObject({ value: true, method: 'rational-elimination' });
    expect(check(model, 'P<=0.5 [ F goal ]').value).toBe(true);
    expect(check(model, 'P<0.25 [ F goal ]').value).toBe(false);
    expect(check(model, 'P>0.5 [ F goal ]').value).toBe(false);
    expect(check(model, 'P<=0.75 [ G !goal ]').value).toBe(true);
    expect(check(model, 'P>=0.25 [ F>=2 goal ]').value).toBe(true);
    for (const text of [
      'P>0.25 [ F goal ]',
      'P<=0.25 [ F goal ]',
      'P<0.5 [ F goal ]',
      'P>=0.5 [ F<=7 goal ]',
    ]) {
      expect(() => check(model, text), text).toThrow(/states without data/);
    }
    const blind = { ...model, initial: [1] };
    expect(() => check(blind, 'P>0 [ F goal ]')).toThrow(UndecidedError);
  });

  it('takes the mean over the first states at the virtual start of a learnt chain', () => {
    const learnt = dtmcFromRows(
      [
        [
          [1, 0.25],
          [2, 0.75],
        ],
        [[3, 1]],
        [[3, 1]],
        [[3, 1]],
      ],
      { labels: { start: [0], end: [3], moving: [1] }, parameters: { foreguard: {} } },
    );
    expectBracketed(learnt, 'P=? [ F<=0 moving ]', 1, 4);
    expectBracketed(learnt, 'P=? [ G<=0 moving ]', 1, 4);
    expectBracketed(learnt, 'P=? [ G moving ]', 0);
    expectBracketed(learnt, 'P=? [ moving W "end" ]', 1, 4);
    expect(check(learnt, 'P>0 [ F<=0 moving ]').value).toBe(true);
    for (const path of ['F<=0 moving', 'moving W "end"', 'moving U "end"', 'F moving']) {
      expect(check(learnt, `P>=0.25 [ ${path} ]`).value, path).toBe(true);
      expect(check(learnt, `P>0.25 [ ${path} ]`).value, path).toBe(false);
    }
    const unsure = dtmcFromRows(
      [
        [
          [1, 0.25],
          [2, 0.25],
          [3, 0.5],
        ],
        null,
        [[3, 1]],
        [[3, 1]],
      ],
      { labels: { start: [0], end: [3], moving: [2] }, parameters: { foreguard: {} } },
    );
    expect(check(unsure, 'P>=0.25 [ F moving ]').value).toBe(true);
    expect(check(unsure, 'P<=0.5 [ F moving ]').value).toBe(true);
    expect(() => check(unsure, 'P>=0.5 [ F moving ]')).toThrow(/states without data/);
    expect(check(learnt, 'P>=1 [ F<=1 "end" ]').value).toBe(true);
    expect(check(learnt, 'P>=1 [ F<=0 moving ]').value).toBe(false);
  });

  it('knows init and deadlock without their being labels', () => {
    expectBracketed(die, 'P=? [ F deadlock ]', 0);
    expectBracketed(die, 'P=? [ X init ]', 0);
    expectBracketed(die, 'P=? [ G<=0 init ]', 1);
  });

  it('refuses what is no question about the model', () => {
    expect(() => check(die, 'F one')).toThrow(NotSupportedError);
    expect(() => check(die, 'P=? [ F G one ]')).toThrow(NotSupportedError);
    expect(() => check(die, 'P=? [ F P>0.5 [ F one ] ]')).toThrow(NotSupportedError);
    expect(() => check(die, 'P=? [ F x > 3 ]')).toThrow(/Boolean combination of labels/);
    expect(() => check(die, 'P=? [ F sixx ]')).toThrow(/did you mean "six"/);
    expect(() => check({ ...die, initial: [] }, 'P=? [ F one ]')).toThrow(InvalidArgumentError);
    expect(() => check(die, 'P=? [ F<=3s one ]')).toThrow(/sampling period/);
  });

  it('answers the same however the states are numbered', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([...Array(13).keys()], { minLength: 13 }), (order) => {
        const at = (s: number): number => order.indexOf(s);
        const renumbered = dtmcFromRows(
          order.map((s) =>
            Array.from({ length: die.rowStart[s + 1] - die.rowStart[s] }, (_, i): Transition => {
              const entry = die.rowStart[s] + i;
              return [at(die.columns[entry]), die.values[entry]];
            }),
          ),
          { initial: [at(0)], labels: { one: [at(7)] } },
        );
        expectBracketed(renumbered, 'P=? [ F one ]', 1, 6);
      }),
      { numRuns: 30 },
    );
  });
});
