import { describe, expect, it } from 'vitest';
import {
  build,
  check,
  type PropertyResult,
  parseModel,
  type Subject,
} from '../../../../bindings/face/entries/check.js';

/** In doubles 0.1 + 0.2 is above 0.3, and 0.7 + 0.1 + 0.2 below 1. */
const tenths = built(`dtmc
  module m
    x : [0..3];
    [] x=0 -> 0.7:(x'=1) + 0.1:(x'=2) + 0.2:(x'=3);
  endmodule
  label "high" = x>1;
  rewards "earned" x=0 : 0.1; x=2 : 0.3; x=3 : 0.6; endrewards`);

function built(source: string) {
  return build(parseModel(source));
}

function answer(subject: Subject, property: string, exact = false): unknown {
  const result: PropertyResult = check(subject, property, { exact });
  return result.kind === 'truth' ? result.value : result;
}

/** What is exactly 3/10 of the fractions, and off by a rounding or more in doubles. */
const threeTenths = [
  'P OP [ F "high" ]',
  'P OP [ F<=3 "high" ]',
  'P OP [ X "high" ]',
  'P OP [ F[1,2] "high" ]',
  'P OP [ !(G !"high") ]',
  'P OP [ F G "high" ]',
  'P OP [ (F "high") & (X x>0) ]',
  'S OP [ "high" ]',
  'P=? [ F "high" ] OP',
  'P=? [ F x=2 ] + P=? [ F x=3 ] OP',
  'filter(forall, filter(max, P=? [ F "high" ], "init") OP, x=0)',
];

/** 1/10 + 3/10 · 1/10 + 6/10 · 2/10 = 1/4, and likewise. */
const rewards = {
  'R{"earned"} OP [ C<=2 ]': '0.25',
  'R{"earned"} OP [ I=1 ]': '0.15',
  'R{"earned"} OP [ F x>0 ]': '0.1',
  'R{"earned"} OP [ S ]': '0.15',
  'R{"earned"} OP [ (F x>0) & (F x>0) ]': '0.1',
};

describe('a threshold that is exactly the value of the fractions written', () => {
  const cases = [...threeTenths.map((text) => [text, '0.3']), ...Object.entries(rewards)];

  it.each(cases)('is decided on those: %s %s', (text, value) => {
    for (const [operator, holds] of [
      ['<=', true],
      ['>=', true],
      ['<', false],
      ['>', false],
    ] as const) {
      for (const exact of [false, true]) {
        const result = check(tenths, text.replace('OP', `${operator}${value}`), { exact });
        expect(result, `${operator} exact: ${exact}`).toMatchObject({ value: holds, accuracy: 'exact' });
      }
    }
  });

  it('is decided likewise inside of other formulas', () => {
    expect(answer(tenths, 'P>=1 [ G (x=0 => P<=0.3 [ F "high" ]) ]')).toBe(true);
    expect(answer(tenths, 'P>=0.7 [ F (x=1 & P<=0.3 [ X x=1 & P>0.3 [ F "high" ] ]) ]')).toBe(true);
    expect(answer(tenths, 'filter(count, P>=0.3 [ F "high" ])')).toMatchObject({ value: 3 });
    expect(answer(tenths, 'filter(count, P>0.3 [ F "high" ])')).toMatchObject({ value: 2 });
  });

  it('is decided on decision processes for the scheduler that attains it', () => {
    const choices = built(`mdp
      module m
        x : [0..3];
        [some] x=0 -> 0.7:(x'=1) + 0.1:(x'=2) + 0.2:(x'=3);
        [less] x=0 -> 0.9:(x'=1) + 0.1:(x'=2);
      endmodule`);
    expect(answer(choices, 'P<=0.3 [ F x>1 ]')).toBe(true);
    expect(answer(choices, 'P<0.3 [ F x>1 ]')).toBe(false);
    expect(answer(choices, 'P>=0.1 [ F x>1 ]')).toBe(true);
    expect(answer(choices, 'P>0.1 [ F x>1 ]')).toBe(false);
    expect(answer(choices, 'Pmax=? [ F x>1 ] = 0.3 & Pmin=? [ F x>1 ] = 0.1')).toBe(true);
  });

  it('is decided by bounds where these leave no doubt, rounding of the source included', () => {
    expect(check(tenths, 'P<=0.31 [ F "high" ]').accuracy).toBe('bounded');
    expect(check(tenths, 'P<=0.3000000000001 [ F "high" ]')).toMatchObject({
      value: true,
      accuracy: 'bounded',
    });
    const { lower, upper } = check(tenths, 'P=? [ F "high" ]', { precision: 1e-12 }) as Bounds;
    // 3/10 lies strictly between the double that is written 0.3, which is below it, and the next one.
    expect(lower <= 0.3 && upper > 0.3 && upper - lower <= 2e-12).toBe(true);
  });
});

type Bounds = Extract<PropertyResult, { kind: 'number' }>;

describe('numbers in exact arithmetic', () => {
  it('are fractions of every state and of ranges, too', () => {
    const range = check(tenths, 'filter(range, P=? [ F "high" ], x<2)', { exact: true });
    expect(range).toMatchObject({ kind: 'range', value: { min: 0, max: 0.3 } });
    if (range.kind === 'range') expect(`${range.exact?.min} ${range.exact?.max}`).toBe('0 3/10');
    const printed = check(tenths, 'filter(print, P=? [ X "high" ], x=0)', { exact: true });
    if (printed.kind !== 'states') throw new TypeError('print gives states');
    expect(`${printed.exactAt?.(0)}`).toBe('3/10');
  });

  it('may be infinite or none, as in PRISM, but no thresholds', () => {
    const valued = (text: string): unknown => check(tenths, text).value;
    expect([valued('1.0/0.0'), valued('-1/0'), valued('0.0/0.0')]).toEqual([
      Number.POSITIVE_INFINITY,
      Number.NEGATIVE_INFINITY,
      Number.NaN,
    ]);
    expect([valued('(x+1)/x'), valued('x/x')]).toEqual([Number.POSITIVE_INFINITY, Number.NaN]);
    expect(() => check(tenths, 'pow(2,x-1)')).toThrow(/exponent -1/);
    for (const exact of [false, true]) {
      expect(() => check(tenths, 'R{"earned"}<=1.0/0.0 [ F x>0 ]', { exact })).toThrow(
        /threshold is Infinity/,
      );
    }
  });
});

describe('exact arithmetic on a model that was built without it', () => {
  it('takes the fractions of the source all the same', () => {
    const result = check(tenths, 'P=? [ F "high" ]', { exact: true });
    expect(`${(result as Bounds).exact}`).toBe('3/10');
    expect(result.method).toBe('rational-arithmetic');
    expect(tenths.exactValues).toBeUndefined();
  });

  it('explores only once more, and only if it is asked for', () => {
    const model = built("dtmc module m x : [0..1]; [] x=0 -> 0.1:(x'=1) + 0.9:(x'=0); endmodule");
    let explored = 0;
    const subject = {
      ...model,
      fractions: () => {
        explored++;
        return model.fractions();
      },
    };
    expect(answer(subject, 'P>=0.05 [ X x=1 ]')).toBe(true);
    expect(explored).toBe(0);
    expect(answer(subject, 'P>=0.1 [ X x=1 ] & P<=0.1 [ X x=1 ]')).toBe(true);
    expect(explored).toBe(1);
    expect(model.fractions()).toBe(model.fractions());
  });

  it('says what to do where exact comparisons make another model', () => {
    const other = built(`dtmc
      module m
        x : [0..3] init 1;
        [] x=1 & 0.1*x+0.2<=0.3 -> 0.5:(x'=0) + 0.5:(x'=2);
        [] x=1 & 0.1*x+0.2>0.3 -> 0.1:(x'=3) + 0.9:(x'=2);
      endmodule`);
    expect(() => check(other, 'P=? [ F x=3 ]', { exact: true })).toThrow(/build the model with exact: true/);
    expect(() => check(other, 'P<=0.1 [ F x=3 ]')).toThrow(/undecided.*build the model with exact: true/);
  });

  it('claims nothing exact of numbers that are no fractions', () => {
    const root = built(
      "dtmc module m x : [0..2]; [] x=0 -> pow(0.25,0.5):(x'=1) + 1-pow(0.25,0.5):(x'=2); endmodule",
    );
    expect(() => check(root, 'P<=0.5 [ F x=1 ]')).toThrow(/undecided.*not fractions/);
    expect(check(root, 'P=? [ F x=1 ]', { exact: true }).method).toBe('rational-arithmetic on doubles');
  });
});
