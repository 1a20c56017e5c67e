import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import '../../../../bindings/solvers/kernel/inline.js';
import { InvalidModelError, NotSupportedError } from '../../../../bindings/base/errors.js';
import { Rational } from '../../../../bindings/base/rational.js';
import { bracket, exactText, openExact } from '../../../../bindings/solvers/checker/exact/index.js';
import { BitSet } from '../../../../bindings/solvers/kernel/index.js';
import { dtmcFromRows, type Mdp, type Model } from '../../../../bindings/solvers/model/index.js';
import { mdpOf } from '../../../kernel/randomMdps.js';

const third = new Rational(1n, 3n);
const coin = dtmcFromRows([
  [
    [1, 1 / 3],
    [2, 2 / 3],
  ],
  [[1, 1]],
  [[2, 1]],
]);
const all = BitSet.full(3);
const heads = BitSet.of(3, [1]);

function mdpModel(choices: Parameters<typeof mdpOf>[0]): Mdp {
  return { type: 'mdp', states: choices.length, initial: [0], labels: new Map(), ...mdpOf(choices) };
}

/** To either side of the middle it is a long way with falls back to the middle; the first choice of the middle is the worse one. */
function slowChoice(length: number): Mdp {
  const states = 2 * length + 1;
  const [middle, last] = [length, 2 * length];
  return mdpModel(
    Array.from({ length: states }, (_, s) => {
      if (s === 0 || s === last) return [[[s, 1] as const]];
      const onwards = s < middle ? s - 1 : s + 1;
      const targets = [onwards, middle].sort((a, b) => a - b);
      if (s !== middle) return [targets.map((t) => [t, 0.5] as const)];
      return [0.25, 0.75].map((p) => [[s - 1, p] as const, [s + 1, 1 - p] as const]);
    }),
  );
}

describe('a model opened for rational arithmetic', () => {
  it('counts with the fractions of its source, or with the doubles where there are none, and says which', () => {
    using doubles = openExact({ model: coin });
    expect(doubles.exactOf()).toBe('doubles');
    expect(exactText(doubles.next([], heads)[0])).toBe('6004799503160661/18014398509481984');
    const exactValues = [third, third.complement(), Rational.ONE, Rational.ONE];
    using source = openExact({ model: coin, exactValues });
    expect([source.exactOf(), ...source.warnings]).toEqual(['source']);
    expect(exactText(source.until([], all, heads)[0])).toBe('1/3');
    using mixed = openExact({ model: coin, exactValues: [undefined, ...exactValues.slice(1)] });
    expect(mixed.exactOf()).toBe('doubles');
    // Whole rewards are their own fractions, others need one.
    const whole = { name: 'steps', states: Float64Array.of(1, 0, 0) };
    const tenth = { name: 'tenth', states: Float64Array.of(0.1, 0, 0) };
    expect([source.exactOf(whole), source.exactOf(tenth)]).toEqual(['source', 'doubles']);
  });

  it('warns of fractions that do not sum to 1, and lets what is missing stay', () => {
    const model = dtmcFromRows([
      [
        [1, 0.5],
        [2, 0.4999999999],
      ],
      [[1, 1]],
      [[2, 1]],
    ]);
    const exactValues = ['0.5', '0.4999999999', '1', '1'].map((text) => Rational.parse(text));
    using exact = openExact({ model, exactValues });
    expect(exact.warnings).toEqual([expect.stringContaining('state 0: 9999999999/10000000000')]);
    expect(exactText(exact.until([], all, heads)[0])).toBe('5000000000/9999999999');
    expect(exactText(exact.next([], heads)[0])).toBe('1/2');
  });

  it('finds the best scheduler where doubles give up', () => {
    const length = 160;
    const model = slowChoice(length);
    using exact = openExact({ model });
    const everywhere = BitSet.full(model.states);
    const values = (direction: 'min' | 'max') =>
      exact.until([direction], everywhere, BitSet.of(model.states, [0])).map(exactText);
    expect([values('min')[length], values('max')[length]]).toEqual(['1/4', '3/4']);
    const steps = { name: 'steps', states: new Float64Array(model.states).fill(1) };
    const ends = BitSet.of(model.states, [0, 2 * length]);
    const [least] = [exact.reachabilityReward(['min'], steps, ends)[length]];
    // From the middle, each way out takes `length` steps, all but the first of them with chance 1/2.
    expect(exactText(least)).toBe(`${3n * 2n ** BigInt(length - 1) - 2n}`);
  });

  it('refuses what it has no exact values of, and says what to do', () => {
    const rows = { rowStart: Uint32Array.of(0, 1), columns: Uint32Array.of(0) };
    const bounds = { lower: Float64Array.of(1), upper: Float64Array.of(1) };
    const interval: Model = { type: 'idtmc', states: 1, initial: [0], labels: new Map(), ...rows, ...bounds };
    expect(() => openExact({ model: interval })).toThrow(NotSupportedError);
    expect(() => openExact({ model: dtmcFromRows([null]) })).toThrow(/states without data.*ask for bounds/);
    using mdp = openExact({ model: mdpModel([[[[0, 1]], [[0, 1]]]]) });
    const reward = { name: 'r', states: Float64Array.of(-1) };
    expect(() => mdp.totalReward(['max'], reward)).toThrow(InvalidModelError);
  });

  it('stops beyond the work allowed, and where it is aborted', () => {
    using exact = openExact({ model: slowChoice(100) });
    const everywhere = BitSet.full(201);
    const ask = (options: object) => exact.until(['min'], everywhere, BitSet.of(201, [0]), options);
    expect(() => ask({ workLimit: 1000 })).toThrow(NotSupportedError);
    expect(() => ask({ signal: AbortSignal.abort(new Error('enough')) })).toThrow('enough');
  });
});

describe('the doubles around an exact value', () => {
  it('are next to it and to each other, or it is one itself', () => {
    const whole = fc.bigInt(-(2n ** 80n), 2n ** 80n);
    fc.assert(
      fc.property(whole, fc.bigInt(1n, 2n ** 80n), fc.integer({ min: -1000, max: 900 }), (n, d, exponent) => {
        const scale = 2n ** BigInt(Math.abs(exponent));
        const value = exponent < 0 ? new Rational(n, d * scale) : new Rational(n * scale, d);
        const { lower, upper } = bracket(value);
        expect(Rational.fromDouble(lower).compare(value)).toBeLessThanOrEqual(0);
        expect(Rational.fromDouble(upper).compare(value)).toBeGreaterThanOrEqual(0);
        if (lower === upper) return;
        const between = Rational.fromDouble(lower)
          .plus(Rational.fromDouble(upper))
          .dividedBy(Rational.fromInteger(2));
        expect([lower, upper]).toContain(between.toNumber());
      }),
    );
  });

  it('are the largest one and infinity beyond all', () => {
    expect(bracket(new Rational(10n ** 400n, 1n))).toEqual({ lower: Number.MAX_VALUE, upper: Infinity });
    expect(bracket('infinite')).toEqual({ lower: Infinity, upper: Infinity });
    expect([exactText('infinite'), exactText(new Rational(2n, 12n))]).toEqual(['Infinity', '1/6']);
  });
});
