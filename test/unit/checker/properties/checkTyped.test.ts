import { describe, expect, it } from 'vitest';
import { build, checkNumber, checkTruth, parseModel } from '../../../../bindings/face/entries/check.js';
import { InvalidArgumentError } from '../../../../bindings/face/entries/index.js';

const coin = build(
  parseModel("dtmc module m x:[0..2]; [] x=0 -> 0.25:(x'=1)+0.75:(x'=2); [] x>0 -> true; endmodule"),
);
const anywhere = build(parseModel('dtmc module m x:[0..2]; [] true -> true; endmodule init true endinit'));

describe('checkNumber and checkTruth', () => {
  it('answer with the type that was asked for', () => {
    const { lower, upper } = checkNumber(coin, 'P=? [ F x=1 ]');
    expect(lower).toBeLessThanOrEqual(1 / 4);
    expect(upper).toBeGreaterThanOrEqual(1 / 4);
    const value: boolean = checkTruth(coin, 'P>=0.1 [ F x=1 ]').value;
    expect(value).toBe(true);
    expect(checkNumber(coin, 'P=? [ F x=1 ]', { exact: true }).exact?.toString()).toBe('1/4');
  });

  it.each([
    ['P>0.1 [ F x=1 ]', coin, checkNumber, /is a yes\/no question, which checkTruth answers/],
    ['P=? [ F x=1 ]', coin, checkTruth, /asks for a number, which checkNumber answers/],
    ['filter(print, x)', coin, checkNumber, /asks for states/],
    ['P=? [ F x=1 ]', anywhere, checkNumber, /several states; pick one by filter\(min/],
  ] as const)('refuse %s where it is of another kind', (text, model, ask, message) => {
    expect(() => ask(model, text)).toThrow(InvalidArgumentError);
    expect(() => ask(model, text)).toThrow(message);
  });
});
