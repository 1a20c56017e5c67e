import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvalidArgumentError } from '../../../bindings/base/errors.js';
import {
  exactPeriod,
  periodInSeconds,
  type Window,
  windowInSteps,
} from '../../../bindings/languages/logic/index.js';

describe('windowInSteps', () => {
  it('divides decimals exactly', () => {
    expect(windowInSteps({ from: '0', to: '0.3', unit: 's' }, 0.1)).toEqual({ from: 0, to: 3 });
    expect(windowInSteps({ from: '0.7', to: '0.7', unit: 's' }, 0.1)).toEqual({ from: 7, to: 7 });
    expect(windowInSteps({ from: '0.61', to: '1.29', unit: 's' }, '0.1')).toEqual({ from: 7, to: 12 });
    expect(windowInSteps({ from: '250', to: '1000', unit: 'ms' }, 0.1)).toEqual({ from: 3, to: 10 });
    expect(windowInSteps({ from: '0', to: '0.000001', unit: 's' }, 1e-7)).toEqual({ from: 0, to: 10 });
    expect(windowInSteps({ from: '2.5', to: null, unit: 's' }, 2)).toEqual({ from: 2, to: null });
  });

  it('counts steps of a rate or a fraction exactly, whether it is text or the nearest double', () => {
    for (const period of ['1/30', ' 1 / 30 ', 1 / 30]) {
      expect(windowInSteps({ from: '1', to: '2', unit: 's' }, period)).toEqual({ from: 30, to: 60 });
      expect(windowInSteps({ from: '100', to: '1000', unit: 'ms' }, period)).toEqual({ from: 3, to: 30 });
    }
    // 29.97 Hz and 30000/1001 Hz differ after 1001 seconds.
    const late: Window = { from: '1001', to: '1001', unit: 's' };
    for (const period of ['1001/30000', 1001 / 30000]) {
      expect(windowInSteps(late, period)).toEqual({ from: 30000, to: 30000 });
    }
    expect(() => windowInSteps(late, '1/29.97')).toThrow(/no step falls into it/);
    // What is given with ten digits is meant so.
    expect(windowInSteps({ from: '0', to: '1', unit: 's' }, 0.3333333334)).toEqual({ from: 0, to: 2 });
  });

  it('takes a number for what it is written as', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9_999_999_999 }), fc.nat(9), (digits, places) => {
        const text = (digits / 10 ** places).toFixed(places);
        const { numerator, denominator } = exactPeriod(Number(text));
        expect(numerator * 10n ** BigInt(places)).toBe(BigInt(digits) * denominator);
      }),
      // Quotients with denominators below a million have the same nearest doubles as these.
      {
        examples: [
          [9_990_234_281, 6],
          [9_999_958_277, 6],
        ],
      },
    );
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 100_000 }),
        fc.integer({ min: 1, max: 100_000 }),
        (top, bottom) => {
          const { numerator, denominator } = exactPeriod(top / bottom);
          expect(numerator * BigInt(bottom)).toBe(BigInt(top) * denominator);
          expect(periodInSeconds(`${top}/${bottom}`)).toBe(top / bottom);
        },
      ),
    );
  });

  it('leaves steps alone and reads no window as unbounded', () => {
    expect(windowInSteps({ from: '1', to: '4', unit: 'steps' }, 0.1)).toEqual({ from: 1, to: 4 });
    expect(windowInSteps(null)).toEqual({ from: 0, to: null });
  });

  it('refuses empty windows, missing or impossible periods, and windows too long to count', () => {
    const refused: [Parameters<typeof windowInSteps>, RegExp][] = [
      [[{ from: '0.01', to: '0.09', unit: 's' }, 0.1], /no step falls into it at a sampling period of 0.1 s/],
      [[{ from: '0', to: '1', unit: 's' }], /samplingPeriod: 0.1s/],
      [[{ from: '0', to: '1', unit: 's' }, 0], /positive/],
      [[{ from: '0', to: '1', unit: 's' }, -1], /positive/],
      [[{ from: '0', to: '1', unit: 's' }, Number.NaN], /positive/],
      [[{ from: '0', to: '1', unit: 's' }, '1/0'], /positive/],
      [[{ from: '0', to: '1', unit: 's' }, '1/3/1'], /such as 0.1 or 1\/30/],
      [[{ from: '0', to: '99999999999', unit: 'steps' }], /2147483646/],
    ];
    for (const [input, message] of refused) {
      expect(() => windowInSteps(...input)).toThrow(InvalidArgumentError);
      expect(() => windowInSteps(...input)).toThrow(message);
    }
  });
});
