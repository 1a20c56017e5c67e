import { describe, expect, it } from 'vitest';
import {
  EvaluationError,
  InvalidArgumentError,
  InvalidDataError,
  NotSupportedError,
  ParseError,
} from '../../../bindings/base/errors.js';
import { parseFormula } from '../../../bindings/languages/logic/index.js';
import { robustness, robustnessSignal } from '../../../bindings/study/robustness/index.js';
import { processorTime } from '../../processorTime.js';

const of = (source: string, ...[signals, options]: Tail<Parameters<typeof robustness>>): number =>
  robustness(parseFormula(source), signals, options);
type Tail<T extends readonly unknown[]> = T extends readonly [unknown, ...infer Rest] ? Rest : never;

const INF = Number.POSITIVE_INFINITY;

describe('the robustness of a condition', () => {
  const state = { speed: 30, limit: 50, stopped: false, gear: 'D', missing: null };
  const at = (source: string, options = {}): number => of(source, [{ state }], options);

  it('is the distance to where its truth changes, positive where it holds', () => {
    const found = [
      'speed > 20',
      'speed >= 20',
      'speed < 20',
      'speed <= 20',
      'speed == 20',
      'speed != 20',
      'speed < limit',
    ];
    expect(found.map((source) => at(source, { equality: 'distance' }))).toEqual([
      10, 10, -10, -10, -10, 10, 20,
    ]);
    const limits = ['speed == 30', 'speed != 30', 'speed > 30', 'speed <= 30'];
    expect(limits.map((source) => at(source, { equality: 'distance' }))).toEqual([0, 0, 0, 0]);
    expect(at('`limit - 2 * speed >= -5`')).toBe(-5);
  });

  it('is infinite for what is no number', () => {
    const found = [
      'stopped',
      '!stopped',
      'true',
      'false',
      '`gear == "D"`',
      '`gear != "D"`',
      '`stopped == false`',
    ];
    expect(found.map((source) => at(source))).toEqual([-INF, INF, INF, -INF, INF, -INF, INF]);
  });

  it('is infinite where == compares whole-number fields with whole numbers, unless they are to be distances', () => {
    const light = [3, 2, 1];
    const of = (source: string, columns: Record<string, unknown[]>, options = {}) =>
      robustness(parseFormula(source), columns, options);
    expect(of('light == 3', { light })).toBe(INF);
    expect(of('light != 3', { light })).toBe(-INF);
    expect(of('G (light == 2 -> false)', { light })).toBe(-INF);
    expect(of('light == 3', { light }, { equality: 'distance' })).toBe(0);
    expect(of('`ahead.light == 3`', { ahead: light.map((one) => ({ light: one })) })).toBe(INF);
    expect(of('light == wanted', { light, wanted: [3, 3, 3] })).toBe(INF);
    expect(of('light == 3 & light > 1', { light })).toBe(2);
    // As steps, too.
    expect(
      robustness(
        parseFormula('light == 3'),
        light.map((one) => ({ state: { light: one } })),
      ),
    ).toBe(INF);
  });

  it.each([
    ['one of its values is a fraction', 'speed == 3', { speed: [3, 2.5] }, 0],
    ['the constant is a fraction', 'speed == 2.5', { speed: [3, 2] }, -0.5],
    ['it is compared with a fraction elsewhere', 'speed == 2 & speed > 0.5', { speed: [3, 2] }, -1],
    ['it is computed with', '`speed - 1 == 1`', { speed: [3, 2] }, -1],
    [
      'the other field is no whole-number field',
      'speed == limit',
      { speed: [3, 2], limit: [3.5, 3.5] },
      -0.5,
    ],
  ])('is a distance where == reads a quantity: %s', (_, source, columns, expected) => {
    expect(robustness(parseFormula(source), columns)).toBe(expected);
  });

  it('takes for whole-number fields those that are named, and refuses another number in one', () => {
    const speed = [3, 2];
    const given = (wholeNumbers: string[], columns = { speed }) =>
      robustness(parseFormula('speed == 2'), columns, { wholeNumbers });
    expect([given([]), given(['speed'])]).toEqual([-1, -INF]);
    expect(() => given(['speed'], { speed: [3, 2.5] })).toThrow(
      'step 1: "speed" is 2.5, no whole number, and == reads it as a code',
    );
  });

  it('is infinite for numbers compared with ==, where these are asked to be true or false', () => {
    const found = ['speed == 30', 'speed != 30', 'speed == 20', 'speed > 20'];
    expect(found.map((source) => at(source, { equality: 'truth' }))).toEqual([INF, -INF, -INF, 10]);
  });

  it('is the smallest, the largest, the negative of those that an expression combines', () => {
    const predicates = [
      { name: 'p', expression: 'speed > 20 && limit > 45' },
      { name: 'q', expression: '!(speed > 20) || limit > 80' },
      { name: 'r', expression: 'stopped ? speed > 100 : limit > 20' },
      { name: 's', expression: 'has(missing.depth) && missing.depth > 3' },
    ];
    expect(
      ['p', 'q', 'r', 'p & !q', 'p -> q', 'p <-> q'].map((source) => at(source, { predicates })),
    ).toEqual([5, -10, 30, 5, -5, -5]);
    const unguarded = [{ name: 's', expression: 'stopped && depth > 3' }];
    expect(at('s', { predicates: unguarded })).toBe(-INF);
    expect(() => at('s', { predicates: [{ name: 's', expression: '!stopped && depth > 3' }] })).toThrow(
      EvaluationError,
    );
  });

  it('is 0 between equal infinities, and infinite between others', () => {
    const states = [{ state: { x: INF, y: INF } }, { state: { x: -INF, y: INF } }];
    expect([...robustnessSignal(parseFormula('x > y'), states)]).toEqual([0, -INF]);
  });
});

describe('the robustness of a temporal formula', () => {
  const x = [3, -1, 4, -2, 5];

  it('is that of the definition on a trace by hand', () => {
    const found = Object.fromEntries(
      ['F', 'G', 'X', 'WX', 'Y', 'WY', 'O', 'H', 'F[1,2]', 'G[1,2]', 'O[1,2]', 'H[1,2]'].map((operator) => [
        operator,
        [...robustnessSignal(parseFormula(`${operator} (x > 0)`), { x })],
      ]),
    );
    expect(found).toEqual({
      F: [5, 5, 5, 5, 5],
      G: [-2, -2, -2, -2, 5],
      X: [-1, 4, -2, 5, -INF],
      WX: [-1, 4, -2, 5, INF],
      Y: [-INF, 3, -1, 4, -2],
      WY: [INF, 3, -1, 4, -2],
      O: [3, 3, 4, 4, 5],
      H: [3, -1, -1, -2, -2],
      'F[1,2]': [4, 4, 5, 5, -INF],
      'G[1,2]': [-1, -2, -2, 5, INF],
      'O[1,2]': [-INF, 3, 3, 4, 4],
      'H[1,2]': [INF, 3, -1, -1, -2],
    });
    const y = [9, 8, 1, 7, 6];
    const until = (source: string): number[] => [...robustnessSignal(parseFormula(source), { x, y })];
    expect(until('(y > 0) U (x > 3)')).toEqual([1, 1, 1, 2, 2]);
    expect(until('(y > 0) U[2,3] (x > 3)')).toEqual([1, 1, 1, -INF, -INF]);
    expect(until('(y > 5) S (x > 3)')).toEqual([0, 0, 1, 1, 2]);
  });

  it('counts windows in seconds by the sampling period', () => {
    expect(of('F[0s,0.3s] (x > 0)', { x: [0, 1, 2, 3, 4] }, { samplingPeriod: 0.1 })).toBe(3);
    expect(() => of('F[0s,0.3s] (x > 0)', { x })).toThrow(/no sampling period/);
  });

  it('reads the time of steps, and a column of that name', () => {
    const steps = [1, 2.5].map((time) => ({ state: {}, time }));
    expect(of('G (time < 2)', steps)).toBe(-0.5);
    expect(of('G (time < 2)', { time: [1, 2.5] })).toBe(-0.5);
  });

  it('is asked for at any position', () => {
    expect(of('G (x > 0)', { x }, { at: 4 })).toBe(5);
    for (const at of [-1, 5, 0.5])
      expect(() => of('x > 0', { x }, { at })).toThrow(/expected one of 0 \.\. 4/);
  });

  it('does not go through each window: 100,000 samples with windows of thousands take no longer than short ones', () => {
    const many = Float64Array.from({ length: 100_000 }, (_, i) => Math.sin(i * i));
    const time = (window: string) =>
      processorTime(() => of(`G${window} ((x > 0) U${window} (x > 0.9))`, { x: many }));
    time('[0,2]');
    expect(time('[10,9000]')).toBeLessThan(20 * time('[0,2]') + 200);
  });
});

describe('robustness refuses', () => {
  it('counts, which change by whole steps', () => {
    expect(() => of('G count(a > 1) <= 3', [{ state: { a: 2 } }])).toThrow(
      new NotSupportedError(
        'count(a > 1) <= 3 has no robustness here: a count changes by whole steps, so how far it is from its bound says nothing of how far a signal is from changing it; judge the rule by its verdict, or ask with O or H whether it ever held',
      ),
    );
  });

  it('a signal that is NaN, with its name and step', () => {
    const columns = { speed: [1, Number.NaN], limit: [2, 2] };
    expect(() => of('G (speed < limit)', columns)).toThrow(InvalidDataError);
    expect(() => of('G (speed < limit)', columns)).toThrow(/^step 1: "speed" is NaN in "speed < limit"/);
    expect(() => of('G (`speed / limit < 1`)', { speed: [0], limit: [0] })).toThrow(
      /^step 0: "speed \/ limit < 1" comes to NaN/,
    );
  });

  it('signals without samples, and columns of different lengths', () => {
    for (const empty of [[], {}, { x: [] }]) expect(() => of('x > 0', empty)).toThrow(/no samples/);
    expect(() => of('x > 0', { x: [1], y: [] })).toThrow(InvalidArgumentError);
  });

  it.each([
    [[{ x: 1 }], 'step 0 is an object with x; expected steps, [{ state: { speed: 3 } }, …], or a column'],
    [[{ state: { x: 1 } }, null], 'step 1 is null; expected steps'],
    [[1, 2], 'step 0 is 1; expected steps'],
    [
      { x: 1 },
      'the signal "x" is 1; expected a value for each step, { x: [3, 4, …] }; of one trace, give its',
    ],
    [
      { id: 'a', steps: [{ state: { x: 1 } }] },
      'the signal "id" is the text "a"; expected a value for each step',
    ],
    [null, 'signals are null; expected steps'],
    ['x', 'signals are the text "x"; expected steps'],
  ])('%j, which are no signals, saying what was found and what was expected', (signals, message) => {
    expect(() => of('x > 0', signals as never)).toThrow(InvalidArgumentError);
    expect(() => of('x > 0', signals as never)).toThrow(message);
    expect(() => robustnessSignal(parseFormula('x > 0'), signals as never)).toThrow(message);
  });

  it('a field that is absent, a predicate that is none, a probability, a range upside down', () => {
    expect(() => of('G (sped > 0)', { speed: [1] })).toThrow(/did you mean "speed"/);
    expect(() => of('p', { x: [1] }, { predicates: [{ name: 'p', expression: 'x + 1' }] })).toThrow(
      ParseError,
    );
    expect(() => of('P>=0.5 [ F p ]', { p: [true] })).toThrow(NotSupportedError);
    expect(() => of('x > 0', { x: [1] }, { ranges: { x: [2, 1] } })).toThrow(/expected \[least, greatest\]/);
  });
});
