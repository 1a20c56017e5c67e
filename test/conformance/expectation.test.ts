import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { script } from '../script.js';

const { judge, parseExpected, parseFraction, publishedExpected } = await script(
  'conformance/expectation.mjs',
);

const noExpression = (text: string): never => {
  throw new Error(`${text} is not a number`);
};
function outcome(text: string, result: object, evaluate: (text: string) => unknown = noExpression): string {
  return judge(parseExpected(text, evaluate), result).outcome;
}
const between = (lower: number, upper: number): object => ({ value: (lower + upper) / 2, lower, upper });

describe('a published result', () => {
  it('that is a fraction must lie between the bounds', () => {
    expect(outcome('1/6', between(0.16666666666666, 0.1666667))).toBe('passed');
    expect(outcome('1/6', between(0.16666667, 0.167))).toBe('failed');
    expect(outcome('1/8', { value: 0.125 })).toBe('passed');
    expect(outcome('2', { value: 2 })).toBe('passed');
    expect(outcome('2', between(2.0000001, 2.1))).toBe('failed');
  });

  it('that is a decimal stands for what rounds to it, but for no more than PRISM lets pass', () => {
    expect(outcome('0.101786', between(0.10178615, 0.10178625))).toBe('passed');
    expect(outcome('0.101786', between(0.1017866, 0.1017867))).toBe('close');
    expect(outcome('0.101786', between(0.10179, 0.1018))).toBe('failed');
    // Short decimals would stand for much more than anybody means by them.
    expect(outcome('0.5', between(0.500004, 0.500005))).toBe('passed');
    expect(outcome('0.5', between(0.51, 0.52))).toBe('failed');
    expect(outcome('48.0', between(48, 48))).toBe('passed');
    expect(outcome('0.0', between(0, 1e-9))).toBe('passed');
    expect(outcome('0.0', between(1e-9, 1e-8))).toBe('failed');
    expect(outcome('1.0E-5', between(0.99999e-5, 1.00001e-5))).toBe('passed');
    expect(outcome('-7.25', between(-7.25, -7.25))).toBe('passed');
  });

  it('that is an interval or an approximation must be met by the bounds', () => {
    expect(outcome('[0.1,0.2]', between(0.19, 0.21))).toBe('passed');
    expect(outcome('[0.1,0.2]', between(0.21, 0.22))).toBe('failed');
    expect(outcome('~0.333333', between(0.3333334, 0.3333335))).toBe('passed');
    expect(outcome('[0.1,0.2]', { value: { min: 0.1, max: 0.2 } })).toBe('passed');
  });

  it('that is infinite or no number must be just that', () => {
    expect(outcome('Infinity', { value: Infinity, lower: Infinity, upper: Infinity })).toBe('passed');
    expect(outcome('-Infinity', { value: -Infinity })).toBe('passed');
    expect(outcome('Infinity', between(1, 2))).toBe('failed');
    expect(outcome('NaN', { value: Number.NaN })).toBe('passed');
    expect(outcome('NaN', { value: 0 })).toBe('failed');
  });

  it('that is a truth value must be the same', () => {
    expect(outcome('true', { value: true })).toBe('passed');
    expect(outcome('False', { value: true })).toBe('failed');
    expect(outcome('true', { value: 1 })).toBe('failed');
    expect(outcome('0.5', { value: true })).toBe('failed');
  });

  it('that is an expression has the value that constants give it', () => {
    const evaluate = (text: string): unknown => (text === 'max(p,q)' ? parseFraction('1/3') : undefined);
    expect(outcome('max(p,q)', between(0.3333, 0.3334), evaluate)).toBe('passed');
    expect(outcome('max(p,q)', between(0.34, 0.35), evaluate)).toBe('failed');
  });

  it('that is an error asks for one whose message holds the words', () => {
    const error = (code: string, message: string): object => ({ error: { code, message } });
    expect(outcome('Error', error('parse-error', 'what is this'))).toBe('passed');
    expect(outcome('Error:co-safe', error('not-supported', 'F G a is not Co-Safe'))).toBe('passed');
    expect(outcome('Error:negative,power', error('invalid-model', 'a negative reward'))).toBe('failed');
    expect(outcome('Error:negative', { value: 1 })).toBe('failed');
    expect(outcome('1', error('parse-error', 'what is this'))).toBe('failed');
    expect(outcome('1', error('not-supported', 'no multi'))).toBe('unsupported');
    expect(outcome('Error:not,supported', { value: true })).toBe('skipped');
    expect(outcome('Error "accuracy"', { value: true })).toBe('skipped');
    expect(outcome('Error "accuracy"', error('undecided', 'too close'))).toBe('passed');
  });

  it('that nobody knows is not counted', () => {
    expect(outcome('?', { value: 1 })).toBe('skipped');
    expect(outcome('?', { error: { code: 'invalid-model', message: 'no' } })).toBe('failed');
  });

  it('in instances.json is a fraction where one is given, else what rounds to the double', () => {
    const third = publishedExpected({ approx: 0.3333333333333333, num: '1', den: '3' });
    expect(judge(third, between(0.3333333333333333, 0.33333333333333337)).outcome).toBe('passed');
    expect(judge(publishedExpected({ approx: 0.1 }), between(0.1, 0.1)).outcome).toBe('passed');
    expect(judge(publishedExpected({ approx: 0.1 }), between(0.1 + 1e-15, 0.2)).outcome).toBe('failed');
    expect(judge(publishedExpected({ approx: 1.9e30 }), between(1.89e30, 1.91e30)).outcome).toBe('passed');
    expect(judge(publishedExpected({ approx: true }), { value: true }).outcome).toBe('passed');
    expect(judge(publishedExpected({ approx: 'Infinity' }), { value: Infinity }).outcome).toBe('passed');
    expect(judge(publishedExpected({ approx: '∞' }), { value: Infinity }).outcome).toBe('passed');
  });

  it('passes with the bounds of any interval around it, and with none beside it', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -1000, max: 1000 }),
        fc.integer({ min: 1, max: 1000 }),
        fc.double({ min: 1e-9, max: 10, noNaN: true }),
        (numerator, denominator, distance) => {
          const value = numerator / denominator;
          const text = `${numerator}/${denominator}`;
          expect(outcome(text, between(value - distance, value + distance))).toBe('passed');
          expect(outcome(text, between(value + distance, value + 2 * distance))).toBe('failed');
          expect(outcome(text, between(value - 2 * distance, value - distance))).toBe('failed');
        },
      ),
    );
  });
});
