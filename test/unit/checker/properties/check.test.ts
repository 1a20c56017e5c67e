import { describe, expect, it } from 'vitest';
import '../../../../bindings/solvers/kernel/inline.js';
import {
  InvalidArgumentError,
  NotSupportedError,
  ParseError,
  UndecidedError,
} from '../../../../bindings/base/errors.js';
import { parseProperties } from '../../../../bindings/languages/logic/index.js';
import {
  check,
  checkAll,
  type NumberResult,
  type PropertyOptions,
  type PropertyResult,
  type Subject,
  statesInOrder,
} from '../../../../bindings/solvers/checker/index.js';
import { build } from '../../../../bindings/solvers/exploration/index.js';
import { parseModel } from '../../../../bindings/solvers/formats/index.js';
import { dtmcFromRows } from '../../../../bindings/solvers/model/index.js';
import { Rational } from '../../../oracle/rational.js';

const built = (source: string, exact = false): Subject => build(parseModel(source), { exact });

/** Knuth and Yao's die, thrown with a fair coin. */
const dieSource = `dtmc
  module die
    s : [0..7] init 0;
    d : [0..6] init 0;
    [] s=0 -> 0.5 : (s'=1) + 0.5 : (s'=2);
    [] s=1 -> 0.5 : (s'=3) + 0.5 : (s'=4);
    [] s=2 -> 0.5 : (s'=5) + 0.5 : (s'=6);
    [] s=3 -> 0.5 : (s'=1) + 0.5 : (s'=7) & (d'=1);
    [] s=4 -> 0.5 : (s'=7) & (d'=2) + 0.5 : (s'=7) & (d'=3);
    [] s=5 -> 0.5 : (s'=7) & (d'=4) + 0.5 : (s'=7) & (d'=5);
    [] s=6 -> 0.5 : (s'=2) + 0.5 : (s'=7) & (d'=6);
    [] s=7 -> true;
  endmodule
  const int faces = 6;
  formula done = s=7;
  label "done" = done;
  label "six" = d=6;
  rewards "flips" [] s<7 : 1; endrewards
  rewards "sevens" s=7 : 7; endrewards`;
const die = built(dieSource);

/** From 0: safe stays with 1/2 and else goes to the goal; risky gets there with 3/4, and is lost else. */
const choice = built(`mdp
  module m
    s : [0..2] init 0;
    [safe] s=0 -> 0.5 : (s'=0) + 0.5 : (s'=1);
    [risky] s=0 -> 0.75 : (s'=1) + 0.25 : (s'=2);
    [stay] s>0 -> true;
  endmodule
  label "goal" = s=1;
  rewards "cost" [safe] true : 1; [risky] true : 3; endrewards
  rewards s=2 : 1; endrewards`);

const robot = built(`mdp
  module r
    s : [0..2] init 0;
    [a] s=0 -> [0.25,0.5] : (s'=1) + [0.5,0.75] : (s'=2);
    [b] s=0 -> [0.1,0.9] : (s'=1) + [0.1,0.9] : (s'=2);
    [] s>0 -> true;
  endmodule`);

function numberOf(subject: Subject, text: string, options: PropertyOptions = {}): NumberResult {
  const result = check(subject, text, options);
  if (result.kind !== 'number') throw new Error(`${text} is not a number but ${result.kind}`);
  return result;
}

/** Asserts that the bounds hold `n/d`, and are as narrow as the default precision asks. */
function expectNumber(subject: Subject, text: string, exact: string, options: PropertyOptions = {}): void {
  const { lower, upper, value } = numberOf(subject, text, options);
  const expected = Rational.parse(exact);
  const found = `${text}: ${exact} in [${lower}, ${upper}]`;
  expect(expected.compare(lower) >= 0 && expected.compare(upper) <= 0, found).toBe(true);
  expect(upper - lower, found).toBeLessThanOrEqual(2e-6 * Math.max(1, Math.abs(lower)));
  expect(lower <= value && value <= upper).toBe(true);
}

const truthOf = (subject: Subject, text: string, options: PropertyOptions = {}): boolean => {
  const result = check(subject, text, options);
  if (result.kind !== 'truth') throw new Error(`${text} is no truth value but ${result.kind}`);
  return result.value;
};

describe('check', () => {
  it('brackets probabilities of every path operator', () => {
    for (const [text, exact] of [
      ['P=? [ F d=6 ]', '1/6'],
      ['P=? [ F "six" ]', '1/6'],
      ['P=? [ true U d=6 ]', '1/6'],
      ['P=? [ X s=1 ]', '1/2'],
      ['P=? [ G d!=6 ]', '5/6'],
      ['P=? [ !(F d=6) ]', '5/6'],
      ['P=? [ F<=4 d=6 ]', '1/8'],
      ['P=? [ F<5 d=6 ]', '1/8'],
      ['P=? [ F>=4 d=6 ]', '1/6'],
      ['P=? [ F[4,5] d=6 ]', '5/32'],
      ['P=? [ F=3 s=7 ]', '3/4'],
      ['P=? [ G<=2 s<7 ]', '1'],
      ['P=? [ G<=3 s<7 ]', '1/4'],
      ['P=? [ s!=2 W d>3 ]', '1/2'],
      ['P=? [ d=6 R s!=1 ]', '1/2'],
      ['P=? [ s=0 ]', '1'],
      ['P=? [ (F d=6) & (G s!=1) ]', '1/6'],
      ['P=? [ F (s=2 & X s=6) ]', '1/4'],
      ['P=? [ F G "done" ]', '1'],
    ] as const) {
      expectNumber(die, text, exact);
      expect(`${numberOf(die, text, { exact: true }).exact}`, text).toBe(exact);
    }
  });

  it('brackets rewards of every kind', () => {
    for (const [text, exact] of [
      ['R{"flips"}=? [ F done ]', '11/3'],
      ['R=? [ F "done" ]', '11/3'],
      ['R{1}=? [ C ]', '11/3'],
      ['R{"flips"}=? [ C<=3 ]', '3'],
      ['R{"flips"}=? [ C<4 ]', '3'],
      ['R{"sevens"}=? [ I=3 ]', '21/4'],
      ['R{2}=? [ S ]', '7'],
      ['R{"flips"}=? [ X X true ]', '2'],
      ['T=? [ F done ]', '11/3'],
      ['T=? [ C<=10 ]', '10'],
      ['S=? [ d=6 ]', '1/6'],
    ] as const) {
      expectNumber(die, text, exact);
      expect(`${numberOf(die, text, { exact: true }).exact}`, text).toBe(exact);
    }
    expect(numberOf(die, 'R{"sevens"}=? [ C ]').value).toBe(Number.POSITIVE_INFINITY);
    expect(numberOf(die, 'R{"flips"}=? [ F d=6 ]')).toMatchObject({ lower: Number.POSITIVE_INFINITY });
    expect(truthOf(die, 'R{"flips"}<=3.7 [ F done ]')).toBe(true);
    expect(truthOf(die, 'R{"flips"}<3.6 [ F done ]')).toBe(false);
    expect(truthOf(die, 'R{"flips"}>=3 [ C<=3 ]')).toBe(true);
    expect(truthOf(die, 'S>0.1 [ d=6 ]')).toBe(true);
  });

  it('asks least and greatest over the schedulers of a decision process', () => {
    expectNumber(choice, 'Pmax=? [ F "goal" ]', '1');
    expectNumber(choice, 'Pmin=? [ F "goal" ]', '3/4');
    expectNumber(choice, 'Pmin=? [ G s=0 ]', '0');
    expectNumber(choice, 'Pmax=? [ G !"goal" ]', '1/4');
    expectNumber(choice, 'Pmax=? [ X s=1 ]', '3/4');
    expectNumber(choice, 'Pmax=? [ F<=2 s=1 ]', '7/8');
    expectNumber(choice, 'R{"cost"}min=? [ F s>0 ]', '2');
    expectNumber(choice, 'R{"cost"}max=? [ F s>0 ]', '3');
    expectNumber(choice, 'Rmax=? [ C<=1 ]', '3');
    expectNumber(choice, 'Tmax=? [ F s>0 ]', '2');
    expectNumber(choice, 'Pmax=? [ (F s=2) & (X s=0) ]', '1/8');
    expect(numberOf(choice, 'R{"cost"}max=? [ F s=1 ]').value).toBe(Number.POSITIVE_INFINITY);
  });

  it('meets thresholds under all schedulers, or under one where a coalition asks for that', () => {
    for (const [text, all, some] of [
      ['P>=0.8 [ F "goal" ]', false, true],
      ['P>=0.75 [ F "goal" ]', true, true],
      ['P<=0.75 [ F "goal" ]', false, true],
      ['P<0.75 [ F "goal" ]', false, false],
      ['P>0.75 [ F "goal" ]', false, true],
      ['P>=1 [ F "goal" ]', false, true],
      ['P<1 [ F "goal" ]', false, true],
      ['P>0 [ F s=2 ]', false, true],
      ['P<=0 [ F s=2 ]', false, true],
      ['R{"cost"}<=2 [ F s>0 ]', false, true],
      ['R{"cost"}>2 [ F s>0 ]', false, true],
    ] as const) {
      expect(truthOf(choice, text), text).toBe(all);
      expect(truthOf(choice, `[[*]] ${text}`), text).toBe(all);
      expect(truthOf(choice, `<<>> ${text}`), text).toBe(all);
      expect(truthOf(choice, `<<*>> ${text}`), text).toBe(some);
      expect(truthOf(choice, `[[]] ${text}`), text).toBe(some);
    }
    expect(() => check(choice, '<<1>> P>=0.8 [ F "goal" ]')).toThrow(NotSupportedError);
    expect(() => check(choice, '<<*>> "goal"')).toThrow(ParseError);
  });

  it('lets nature choose in interval models', () => {
    expectNumber(robot, 'Pmaxmin=? [ F s=1 ]', '1/4');
    expectNumber(robot, 'Pmaxmax=? [ F s=1 ]', '9/10');
    expectNumber(robot, 'Pminmin=? [ F s=1 ]', '1/10');
    expect(truthOf(robot, 'P>=0.05 [ F s=1 ]')).toBe(true);
    expect(() => check(robot, 'P>=0.1 [ F s=1 ]')).toThrow(/move the threshold/);
    expect(truthOf(robot, 'P>0.2 [ F s=1 ]')).toBe(false);
    expect(() => check(robot, 'Pmax=? [ F s=1 ]')).toThrow(/the scheduler and of nature/);
  });

  it('decides A and E on the graph', () => {
    for (const [text, value] of [
      ['E [ F d=6 ]', true],
      ['A [ F d=6 ]', false],
      ['A [ F "done" ]', false],
      ['E [ G !"done" ]', true],
      ['A [ G s>=0 ]', true],
      ['E [ X s=2 ]', true],
      ['A [ X s=2 ]', false],
      ['A [ X (s=1 | s=2) ]', true],
      ['E [ s!=1 U d=6 ]', true],
      ['E [ s!=2 U d=6 ]', false],
      ['A [ s!=2 W d=3 ]', false],
      ['E [ d=1 R s!=2 ]', true],
      ['A [ s=0 ]', true],
      ['E [ G F s=1 ]', true],
      ['A [ (F "done") | (G F (s=1 | s=2)) ]', true],
      ['A [ (F G d=6) | (F d<6) ]', true],
      ['E [ (F d=6) & (F d=5) ]', false],
    ] as const) {
      expect(check(die, text), text).toMatchObject({ value, accuracy: 'exact', method: 'graph' });
    }
    expect(() => check(die, 'E [ F<=3 d=6 ]')).toThrow(/not supported/);
  });

  it('combines numbers and truth values of states and operators', () => {
    for (const [text, exact] of [
      ['P=? [ F d=6 ] + P=? [ F d=5 ]', '1/3'],
      ['1 - P=? [ F d=6 ]', '5/6'],
      ['6 * P=? [ F d=6 ] / 2', '1/2'],
      ['P=? [ F d=6 ] ^ 2', '1/36'],
      ['min(P=? [ F d=6 ], 0.1, 0.5)', '1/10'],
      ['max(P=? [ F d=6 ], 0.1)', '1/6'],
      ['floor(10 * P=? [ F d=6 ])', '1'],
      ['ceil(10 * P=? [ F d=6 ])', '2'],
      ['round(10 * P=? [ F d=6 ])', '2'],
      ['-P=? [ F d=6 ]', '-1/6'],
      ['s=0 ? P=? [ F d=6 ] : 0', '1/6'],
      ['faces * 2', '12'],
      ['mod(s + faces, 4)', '2'],
      ['pow(2, 3)', '8'],
      ['log(8, 2)', '3'],
      ['0.1 + 0.2', '3/10'],
      ['s * 0.1 + 0.2', '1/5'],
      ['filter(max, d * 0.1)', '3/5'],
    ] as const) {
      expectNumber(die, text, exact);
    }
    for (const [text, value] of [
      ['P=? [ F d=6 ] < P=? [ F d>4 ]', true],
      ['P=? [ F d=6 ] >= 0.2', false],
      ['P=? [ F d=6 ] != 0.5', true],
      ['1/3 = 0.3333333333333333333', false],
      ['0.1 + 0.2 = 0.3', true],
      ['!(s=0) | P>0.1 [ F d=6 ] & done=false', true],
      ['s=0 => P>0.2 [ F d=6 ]', false],
      ['s=0 <=> P>0.1 [ F d=6 ]', true],
      ['(s=0) = (P>0.1 [ F d=6 ])', true],
      ['(s=0) != "init"', false],
      ['s=0 ? "done" : !"done"', false],
      ['"deadlock"', false],
    ] as const) {
      expect(truthOf(die, text), text).toBe(value);
    }
  });

  it('takes the first state in the order of PRISM: by the values of the variables', () => {
    const model = built(`mdp
      global late : bool init true;
      module m
        x : [-1..3] init 2;
        [] x=2 -> 0.5 : (x'=1) + 0.5 : (x'=3);
        [] x=1 -> (x'=-1);
        [] x=3 -> (late'=false);
      endmodule
      label "mid" = x=1;`);
    // Found first is (true, 2); (false, 3) comes first, then (true, -1).
    expectNumber(model, 'filter(first, x)', '3');
    expectNumber(model, 'filter(first, x, late)', '-1');
    expectNumber(model, 'filter(first, Pmax=? [ F "mid" ], true)', '0');
    const states = [...Array(model.model.states).keys()];
    const values = new Float64Array(2);
    const xs = statesInOrder(states, model).map((state) => {
      model.variables?.read(state, values);
      return values[1];
    });
    expect(xs).toEqual([3, -1, 1, 2, 3]);
    const nameless = dtmcFromRows([[[2, 1]], [[1, 1]], [[2, 1]]], { initial: [0] });
    expect(statesInOrder([2, 0, 1], { model: nameless })).toEqual([0, 1, 2]);
  });

  it('applies filters', () => {
    const faces = 'P=? [ F d=6 ], !done & s>0';
    expectNumber(die, `filter(min, ${faces})`, '0');
    expectNumber(die, `filter(max, ${faces})`, '2/3');
    expectNumber(die, `filter(sum, ${faces})`, '1');
    expectNumber(die, `filter(avg, ${faces})`, '1/6');
    expectNumber(die, 'filter(+, d)', '21');
    expectNumber(die, 'filter(first, P=? [ F d=6 ])', '1/6');
    expectNumber(die, 'filter(state, P=? [ F d=6 ], s=6)', '2/3');
    expect(check(die, 'filter(count, done)')).toMatchObject({ kind: 'number', type: 'int', value: 6 });
    expect(check(die, 'filter(count, P>0 [ F d=6 ], !done)')).toMatchObject({ value: 3, accuracy: 'exact' });
    expect(check(die, 'filter(max, s)')).toMatchObject({ type: 'int', value: 7, lower: 7, upper: 7 });
    expect(truthOf(die, 'filter(forall, P>=1 [ F done ])')).toBe(true);
    expect(truthOf(die, 'filter(&, s<7)')).toBe(false);
    expect(truthOf(die, 'filter(exists, d=6)')).toBe(true);
    expect(truthOf(die, 'filter(|, d=6, s<7)')).toBe(false);
    const range = check(die, `filter(range, ${faces})`);
    if (range.kind !== 'range') expect.unreachable();
    expect(range.lower <= 0 && range.value.min <= 0 && range.upper >= 2 / 3).toBe(true);
    expect(check(die, 'filter(argmax, d)')).toMatchObject({ kind: 'states', type: 'bool', value: 1 });
    expect(check(die, `filter(argmin, ${faces})`)).toMatchObject({ kind: 'states', value: 4 });
    const printed = check(die, 'filter(print, d=6)');
    expect(printed).toMatchObject({ kind: 'states', value: 1 });
    // Filters are values of every state, and may stand inside.
    expectNumber(die, 'P=? [ F d = filter(max, d) ]', '1/6');
    expectNumber(die, 'P=? [ F filter(argmax, d) ]', '1/6');
    expect(() => check(die, 'filter(max, d, s>7)')).toThrow(/no state satisfies/);
    expect(() => check(die, 'filter(state, d, s>5)')).toThrow(/7 states satisfy/);
    expect(() => check(die, 'filter(sum, d=6)')).toThrow(/a Boolean; expected a number/);
    expect(() => check(die, 'filter(forall, d)')).toThrow(/expected a Boolean/);
    expect(() => check(die, 'filter(range, d) + 1')).toThrow(/a range is not a number/);
  });

  it('answers for all initial states', () => {
    const several = built(`dtmc
      module m s : [0..3]; [] s=0 -> 0.25:(s'=1) + 0.75:(s'=2); [] s>0 -> true; endmodule
      init s<2 endinit`);
    const result = check(several, 'P=? [ F s=1 ]');
    expect(result).toMatchObject({ kind: 'range', upper: 1 });
    if (result.kind === 'range') expect(result.lower <= 0.25 && result.value.max === 1).toBe(true);
    expect(truthOf(several, 'P>=0.25 [ F s=1 ]')).toBe(true);
    expect(truthOf(several, 'P>0.25 [ F s=1 ]')).toBe(false);
    expect(truthOf(several, '"init"')).toBe(true);
  });

  it('resolves constants, formulas, labels and properties of a file', () => {
    const file = parseProperties(`
      const int k; const double p = q / 2; const double q = 0.5; const int unused;
      const int needsUnused = unused + 1;
      formula late = s >= k;
      label "late" = late & "likely";
      label "likely" = P>p [ F done ];
      "sixth": P=? [ F d=faces ];
      "twice": 2 * "sixth";
      P=? [ F<=k "late" ];
      P=? [ F<=needsUnused done ];
      "loop": "loop" + 1;`);
    const outcomes = checkAll(die, file, { constants: { k: 7 } });
    const values = outcomes.map((outcome) =>
      'result' in outcome ? outcome.result.value : outcome.error.message,
    );
    expect(values[0]).toBeCloseTo(1 / 6, 6);
    expect(values[1]).toBeCloseTo(1 / 3, 6);
    expect(values[2]).toBeCloseTo(1 - 1 / 64, 6);
    expect(values[3]).toMatch(/\d+:\d+: constant (unused|needsUnused) has no value/);
    expect(values[4]).toMatch(/"loop" is defined by itself/);
    expect(check(die, file.properties[2], { file, constants: { k: 7 } }).kind).toBe('number');
    expect(() => checkAll(die, file, { constants: { kk: 7 } })).toThrow(/did you mean k/);
  });

  it('bounds what is outside of a formula that is left open for both of its answers', () => {
    // Of a logarithm there are bounds alone, which show neither that it is 0, nor that it is not.
    const open = 'filter(first, log(6 * P=? [ F d=6 ], 2) = 0)';
    expect(() => check(die, open)).toThrow(UndecidedError);
    expectNumber(die, `P=? [ X (s=1 | s=2 | ${open}) ]`, '1');
    expectNumber(die, `P=? [ X (s=1 | s=0 & ${open}) ]`, '1/2');
    const spanning = numberOf(die, `P=? [ X (s=1 & ${open}) ]`);
    expect(spanning.lower <= 0 && spanning.upper >= 0.5).toBe(true);
    expect(truthOf(die, `P<=0.5 [ X (s=1 & ${open}) ]`)).toBe(true);
    expect(() => check(die, `P<0.4 [ X (s=1 & ${open}) ]`)).toThrow(UndecidedError);
    expect(truthOf(die, `s=0 | ${open}`)).toBe(true);
    const ltl = numberOf(die, `P=? [ (F (s=1 & ${open})) & (F done) ]`);
    expect(ltl.lower <= 0 && ltl.upper >= 0.5 && ltl.upper < 0.51).toBe(true);
  });

  it('is as narrow as was asked for, also where numbers are combined', () => {
    const sums = Array.from({ length: 20 }, () => 'P=? [ F d=6 ]').join(' + ');
    for (const options of [{}, { relative: true }, { absolute: true, precision: 1e-9 }]) {
      const { lower, upper } = numberOf(die, `1000 * (${sums})`, options);
      const exact = new Rational(10000n, 3n);
      expect(exact.compare(lower) >= 0 && exact.compare(upper) <= 0).toBe(true);
      const scale = 'absolute' in options ? 1e-9 : 1e-6 * lower;
      expect(upper - lower).toBeLessThanOrEqual(2 * scale);
    }
  });

  it('says of an estimate that it promises nothing', () => {
    const options = { method: 'value-iteration' } as const;
    const loop = built(`dtmc module m s : [0..3];
      [] s=0 -> 0.5:(s'=1) + 0.5:(s'=2); [] s=1 -> 0.5:(s'=0) + 0.5:(s'=3); [] s>1 -> true; endmodule`);
    expect(numberOf(loop, 'P=? [ F s=3 ]', options)).toMatchObject({
      lower: 0,
      upper: 1,
      accuracy: 'estimated',
    });
    const doubled = numberOf(loop, '2 * P=? [ F s=3 ]', options);
    expect(Math.abs(doubled.value - 2 / 3)).toBeLessThan(0.01);
    expect([doubled.lower, doubled.upper]).toEqual([0, 2]);
    expect(() => check(loop, 'P>=0.2 [ F s=3 ]', options)).toThrow(/promises nothing/);
    expect(() => check(loop, 'P=? [ F s=3 ] >= 0.2', options)).toThrow(/promises nothing/);
    expect(truthOf(loop, 'P>0 [ F s=3 ]', options)).toBe(true);
  });

  it('compares with thresholds as written where the model has its fractions', () => {
    const source = `dtmc module m s : [0..3]; [] s=0 -> 0.7:(s'=1) + 0.1:(s'=2) + 0.2:(s'=3); [] s>0 -> true; endmodule`;
    expect(truthOf(built(source, true), 'P>=0.8 [ F (s=1 | s=2) ]', { exact: true })).toBe(true);
    expect(truthOf(built(source, true), 'P>0.8 [ F (s=1 | s=2) ]', { exact: true })).toBe(false);
    expect(truthOf(built(source, true), 'P>=0.8 [ F (s=1 | s=2) ]')).toBe(true);
  });

  it('reads the variables of a model from its valuations', () => {
    const chain = dtmcFromRows([[[1, 1]], [[1, 1]]], { labels: { end: [1] } });
    const valued: Subject = {
      model: {
        ...chain,
        valuations: {
          variables: [
            { name: 'name', type: 'string' },
            { name: 'x', type: 'int' },
            { name: 'up', type: 'bool' },
          ],
          values: [
            ['a', 'b'],
            [3, 4],
            [true, false],
          ],
        },
      },
    };
    expectNumber(valued, 'P=? [ F x=4 & !up ]', '1');
    expectNumber(valued, 'x', '3');
    expect(() => check({ model: chain }, 'P=? [ F x=4 ]')).toThrow(/x is not declared/);
  });

  it('points at what is wrong', () => {
    for (const [text, message] of [
      ['P=? [ F "sixx" ]', /1:9: there is no label or property "sixx"; did you mean "six"\?\n.*\n {10}\^/],
      ['P=? [ F ss=7 ]', /1:9: ss is not declared; did you mean s\?/],
      ['P=? [ F six ]', /1:9: six is not declared; did you mean the label "six"\?/],
      ['P=? [ F sixx ]', /1:9: sixx is not declared; did you mean the label "six"\?/],
      ['P=? [ F d ]', /1:9: this is a number \(int\); expected a Boolean/],
      ['P=? [ F<=k done ]', /k is not declared/],
      ['P=? [ F<=0.5 done ]', /1:10: a bound of 0.5 steps/],
      ['P=? [ F[3,2] done ]', /1:11: no step is from 3 on and at most 2/],
      ['P>=1.5 [ F done ]', /1:4: the threshold of a probability is 1.5/],
      ['F done', /1:1: F speaks of paths/],
      ['!P=? [ F done ]', /1:2: this is a number \(double\); expected a Boolean/],
      ['1 + P>0.5 [ F done ]', /1:5: this is a Boolean; expected a number/],
      ['done ? 1 : true', /1:6: the two cases have types int and bool/],
      ['R{"flip"}=? [ F done ]', /1:1: the model has no reward structure "flip"; did you mean "flips"\?/],
      ['R{3}=? [ F done ]', /1:1: there is no reward structure number 3; expected 1 to 2/],
      ['R=? [ C<=-1 ]', /-1 steps/],
      ['mod(P=? [ F done ], 2)', /1:5: mod is applied to a double; expected an int/],
    ] as const) {
      expect(() => check(die, text), text).toThrow(ParseError);
      expect(() => check(die, text), text).toThrow(message);
    }
    expect(() => check(choice, 'P=? [ F "goal" ]')).toThrow(/1:1: .*write Pmin=\? or Pmax=\?/);
    expect(() => check(robot, 'R=? [ F s=1 ]')).toThrow(ParseError);
    expect(() => check(choice, 'multi(Pmax=? [ F s=1 ], P>=0.1 [ F s=2 ])')).toThrow(NotSupportedError);
    expect(check(choice, 'multi(Pmax=? [ F s=1 ])').kind).toBe('number');
    expect(() => check(die, 'P=? [ F (G done) + 1 ]')).toThrow(NotSupportedError);
    expect(() => check(die, 'd=1; d=2')).toThrow(InvalidArgumentError);
    expect(() => check({ ...die, model: { ...die.model, initial: [] } }, 'd=1')).toThrow(/no initial state/);
  });

  it('says how an answer was found', () => {
    const found = (text: string): PropertyResult => check(die, text);
    expect(found('d=0')).toMatchObject({ accuracy: 'exact', method: 'states' });
    expect(found('P>=1 [ F done ]')).toMatchObject({ accuracy: 'exact', method: 'graph' });
    expect(found('P>0.1 [ F d=6 ]')).toMatchObject({ accuracy: 'bounded' });
    expect(found('P<=0.125 [ F<=4 d=6 ]')).toMatchObject({
      accuracy: 'exact',
      method: 'rational-arithmetic',
    });
    expect(check(die, 'P=? [ F d=6 ]', { exact: true })).toMatchObject({ accuracy: 'exact' });
  });
});
