import { describe, expect, it } from 'vitest';
import { InvalidArgumentError } from '../../../bindings/errors.js';
import { windowInSteps } from '../../../bindings/logic/index.js';

describe('windowInSteps', () => {
  it('divides decimals exactly', () => {
    expect(windowInSteps({ from: '0', to: '0.3', unit: 's' }, 0.1)).toEqual({ from: 0, to: 3 });
    expect(windowInSteps({ from: '0.7', to: '0.7', unit: 's' }, 0.1)).toEqual({ from: 7, to: 7 });
    expect(windowInSteps({ from: '0.61', to: '1.29', unit: 's' }, '0.1')).toEqual({ from: 7, to: 12 });
    expect(windowInSteps({ from: '250', to: '1000', unit: 'ms' }, 0.1)).toEqual({ from: 3, to: 10 });
    expect(windowInSteps({ from: '0', to: '0.000001', unit: 's' }, 1e-7)).toEqual({ from: 0, to: 10 });
    expect(windowInSteps({ from: '2.5', to: null, unit: 's' }, 2)).toEqual({ from: 2, to: null });
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
      [[{ from: '0', to: '99999999999', unit: 'steps' }], /2147483646/],
    ];
    for (const [input, message] of refused) {
      expect(() => windowInSteps(...input)).toThrow(InvalidArgumentError);
      expect(() => windowInSteps(...input)).toThrow(message);
    }
  });
});
