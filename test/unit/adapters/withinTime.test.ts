import { expect, it } from 'vitest';
import { OutOfTime, withinTime } from '../../../bindings/runtime/adapters/mcp/withinTime.js';

it('gives up work that takes too long, also in the midst of a pattern', () => {
  expect(() => withinTime(50, () => /^(a+)+$/.test(`${'a'.repeat(60)}!`))).toThrow(OutOfTime);
  expect(() =>
    withinTime(50, () => {
      for (;;);
    }),
  ).toThrow(OutOfTime);
});

it('gives the result of other work, and its errors', () => {
  expect(withinTime(600_000, () => 7)).toBe(7);
  expect(() =>
    withinTime(600_000, () => {
      throw new TypeError('its own');
    }),
  ).toThrow('its own');
  expect(withinTime(600_000, () => withinTime(600_000, () => 'within'))).toBe('within');
});
