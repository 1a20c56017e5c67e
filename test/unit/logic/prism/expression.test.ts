import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ParseError } from '../../../../bindings/base/errors.js';
import { Rational } from '../../../../bindings/base/rational.js';
import {
  compileCondition,
  compileNumber,
  evaluateExactly,
  type PrismExpression,
  parsePrismExpression,
  type Scope,
  typeOf,
} from '../../../../bindings/languages/logic/index.js';

/** x = 3, y = -2 and b = true are variables, N = 5 and p = 1/4 constants, f = x+1 a formula. */
function scope(source: string): Scope {
  return {
    constants: new Map([
      ['N', { type: 'int', value: 5, exact: Rational.fromInteger(5) }],
      ['p', { type: 'double', value: 0.25, exact: new Rational(1n, 4n) }],
      ['yes', { type: 'bool', value: true }],
    ]),
    formulas: new Map([
      ['f', parsePrismExpression('x+1')],
      ['loop', parsePrismExpression('again+1')],
      ['again', parsePrismExpression('loop')],
    ]),
    variables: new Map([
      ['x', { index: 0, type: 'int' }],
      ['y', { index: 1, type: 'int' }],
      ['b', { index: 2, type: 'bool' }],
    ]),
    text: { source, name: 'test' },
  };
}

const values = [3, -2, 1];

/** The value of an expression: compiled, and exact where it is a fraction. */
function evaluate(source: string): {
  type: string;
  compiled: number | boolean;
  exact: string | boolean | undefined;
} {
  const expression = parsePrismExpression(source, { name: 'test' });
  const type = typeOf(expression, scope(source));
  const exact = evaluateExactly(expression, scope(source), values);
  return {
    type,
    compiled:
      type === 'bool'
        ? compileCondition(expression, scope(source))(values)
        : compileNumber(expression, scope(source))(values),
    exact: typeof exact === 'object' ? exact.toString() : exact,
  };
}

/** The tree with every operator's operands in brackets. */
function bracketed(expression: PrismExpression): string {
  switch (expression.kind) {
    case 'binary':
      return `(${bracketed(expression.left)}${expression.operator}${bracketed(expression.right)})`;
    case 'not':
      return `(!${bracketed(expression.operand)})`;
    case 'negate':
      return `(-${bracketed(expression.operand)})`;
    case 'conditional':
      return `(${bracketed(expression.condition)}?${bracketed(expression.whenTrue)}:${bracketed(expression.whenFalse)})`;
    case 'call':
      return `${expression.function}(${expression.operands.map(bracketed).join(',')})`;
    case 'number':
      return expression.text;
    case 'boolean':
      return String(expression.value);
    case 'name':
      return expression.name;
    default:
      throw new Error(expression.kind);
  }
}

describe('parsePrismExpression', () => {
  // From the loosest operator to the tightest, as PRISM's manual lists them.
  it.each([
    ['a ? b : c ? d : e', '(a?b:(c?d:e))'],
    ['a => b ? c : d', '((a=>b)?c:d)'],
    ['a => b => c', '((a=>b)=>c)'],
    ['a <=> b => c', '((a<=>b)=>c)'],
    ['a | b <=> c', '((a|b)<=>c)'],
    ['a | b & c', '(a|(b&c))'],
    ['a & b | c & d', '((a&b)|(c&d))'],
    ['!a & b', '((!a)&b)'],
    ['!a = b', '(!(a=b))'],
    ['!!a', '(!(!a))'],
    ['a = b < c', '(a=(b<c))'],
    ['a != b = c', '((a!=b)=c)'],
    ['a + b < c - d', '((a+b)<(c-d))'],
    ['a - b - c', '((a-b)-c)'],
    ['a + b * c', '(a+(b*c))'],
    ['a / b / c', '((a/b)/c)'],
    ['a / b * c', '((a/b)*c)'],
    ['-a * b', '((-a)*b)'],
    ['a - -b', '(a-(-b))'],
    ['--a', '(-(-a))'],
    ['-a ^ 2', '((-a)^2)'],
    ['2 ^ 3 ^ 2', '(2^(3^2))'],
    ['(a + b) * c', '((a+b)*c)'],
    ['func(max, a, b)', 'max(a,b)'],
    ['func(mod, a, b) + mod(a, b)', '(mod(a,b)+mod(a,b))'],
    ['mod + floor', '(mod+floor)'],
    ['min(a)', 'min(a)'],
    ['1.5e-3 + .5 + 1E2', '((1.5e-3+.5)+1E2)'],
    ['a // a comment\n & b', '(a&b)'],
  ])('reads %s as %s', (source, expected) => {
    expect(bracketed(parsePrismExpression(source))).toBe(expected);
  });

  it.each<[string, RegExp]>([
    ['', /test:1:1: unexpected end of the text; expected an expression/],
    ['a +', /test:1:4: unexpected end of the text; expected an expression\n {2}a \+\n {5}\^/],
    ['a b', /test:1:3: unexpected 'b'; expected an operator or the end/],
    ['(a', /test:1:3: unexpected end of the text; expected '\)'/],
    ['a -> b', /test:1:3: unexpected '->'; expected an operator or the end, or '=>' for "implies"/],
    ['(a <-> b)', /test:1:5: unexpected '->'; expected an expression, or '<=>' for "if and only if"/],
    ['a ? b', /test:1:6: .*expected ':'/],
    ['a & \n\t& b', /test:2:2: unexpected '&'; expected an expression\n {2}\t& b\n {2}\t\^/],
    ['sqrt(2)', /test:1:1: unknown function sqrt; expected min, max, floor/],
    ['count(a) <= 3', /properties do not count steps, rules of a specification do/],
    ['func(sqrt, 2)', /test:1:6: unknown function sqrt/],
    ['mod(1)', /mod is given 1 operands; expected 2/],
    ['floor(1, 2)', /floor is given 2 operands; expected 1/],
    ['max + 1', /unexpected 'max'; expected an expression/],
    ['"goal"', /unexpected "goal".*labels belong to properties/],
    ['F', /unexpected 'F'; expected an expression/],
    ['a # b', /test:1:3: unexpected character #/],
    ['a & "b', /test:1:5: a quoted name is never closed/],
    ['5. + a', /test:1:2: /],
  ])('refuses %j with a place and an expectation', (source, message) => {
    expect(() => parsePrismExpression(source, { name: 'test' })).toThrow(ParseError);
    expect(() => parsePrismExpression(source, { name: 'test' })).toThrow(message);
  });

  it('refuses what is nested or chained too deep, whatever the operator', () => {
    for (const source of [
      '('.repeat(20_000),
      '!'.repeat(20_000),
      '-'.repeat(20_000),
      '1^'.repeat(20_000),
      'a?b:'.repeat(20_000),
      'min('.repeat(20_000),
      `a${'+a'.repeat(20_000)}`,
      `a${'&a'.repeat(20_000)}`,
      `a${'=a'.repeat(20_000)}`,
    ]) {
      expect(() => parsePrismExpression(source)).toThrow(ParseError);
    }
  });

  it('shows of a long line the part around the place', () => {
    const source = `${'a+'.repeat(1000)}+`;
    try {
      parsePrismExpression(source, { name: 'test' });
    } catch (error) {
      const [message, line, caret] = (error as Error).message.split('\n');
      expect(message).toMatch(/^test:1:2001: unexpected '\+'/);
      expect(line.length).toBeLessThan(200);
      expect(line[caret.length - 1]).toBe('+');
      expect(caret).toMatch(/^ +\^$/);
      return;
    }
    throw new Error('it was accepted');
  });

  it('reads chains of a thousand operands, which can be evaluated', () => {
    const sum = evaluate(`x${'+x'.repeat(999)}`);
    expect([sum.compiled, sum.exact]).toEqual([3000, '3000']);
    expect(evaluate(`b${'&b'.repeat(999)}`).compiled).toBe(true);
  });
});

describe('typeOf, compileNumber and evaluateExactly', () => {
  it.each<[string, string, number, string | undefined]>([
    ['7', 'int', 7, '7'],
    ['7.0', 'double', 7, '7'],
    ['1e2', 'double', 100, '100'],
    ['x + N', 'int', 8, '8'],
    ['x + p', 'double', 3.25, '13/4'],
    ['x * y - 1', 'int', -7, '-7'],
    ['-y', 'int', 2, '2'],
    // Division is never whole.
    ['7 / 2', 'double', 3.5, '7/2'],
    ['6 / 2', 'double', 3, '3'],
    ['1/3 + 1/6', 'double', 0.5, '1/2'],
    ['f', 'int', 4, '4'],
    ['f * 2', 'int', 8, '8'],
    ['min(x, y, N)', 'int', -2, '-2'],
    ['max(x, 4.5)', 'double', 4.5, '9/2'],
    ['min(x)', 'int', 3, '3'],
    ['max(2.72)', 'double', 2.72, '68/25'],
    ['floor(-2.5)', 'int', -3, '-3'],
    ['floor(7/2)', 'int', 3, '3'],
    ['ceil(-2.5)', 'int', -2, '-2'],
    ['ceil(2.1)', 'int', 3, '3'],
    ['round(2.5)', 'int', 3, '3'],
    ['round(-2.5)', 'int', -2, '-2'],
    ['round(2.4)', 'int', 2, '2'],
    ['round(0.49999999999999994)', 'int', 0, '0'],
    ['pow(2, 10)', 'int', 1024, '1024'],
    ['pow(-2, 3)', 'int', -8, '-8'],
    ['pow(0, 0)', 'int', 1, '1'],
    ['pow(2.0, -2)', 'double', 0.25, '1/4'],
    ['pow(2, -1.0)', 'double', 0.5, '1/2'],
    ['pow(1/4, 1/2)', 'double', 0.5, undefined],
    ['2^3', 'int', 8, '8'],
    ['mod(7, 3)', 'int', 1, '1'],
    ['mod(-7, 3)', 'int', 2, '2'],
    ['mod(y, N)', 'int', 3, '3'],
    ['log(8, 2)', 'double', 3, undefined],
    ['b ? x : 1.5', 'double', 3, '3'],
    ['!b ? x : y', 'int', -2, '-2'],
    ['b | 1/0 > 1 ? 1 : 2', 'int', 1, '1'],
    ['pow(2, 0.5) > 1 ? 1 : 2', 'int', 1, undefined],
  ])('%s is of type %s', (source, type, compiled, exact) => {
    const found = evaluate(source);
    expect([found.type, found.exact]).toEqual([type, exact]);
    expect(found.compiled).toBe(compiled);
  });

  it.each<[string, boolean, boolean | undefined]>([
    ['x = 3 & y != 3', true, true],
    ['x < 3 | x >= 3', true, true],
    ['x <= 2 | x > 3', false, false],
    ['b => false', false, false],
    ['!b => false', true, true],
    ['b <=> yes', true, true],
    ['b <=> !yes', false, false],
    ['b = true', true, true],
    ['b != true', false, false],
    ['3 = 3.0', true, true],
    ['false => (1/0 > 1)', true, true],
    ['false & (1/0 > 1)', false, false],
    ['!(pow(2, 0.5) > 1)', false, undefined],
    ['b ? x = 3 : false', true, true],
  ])('%s is %s', (source, compiled, exact) => {
    expect(evaluate(source)).toEqual({ type: 'bool', compiled, exact });
  });

  it.each<[string, RegExp]>([
    ['x + b', /test:1:5: \+ is applied to a Boolean; expected a number\n {2}x \+ b\n {6}\^/],
    ['x & b', /& is applied to a number \(int\); expected a Boolean/],
    ['!x', /! is applied to a number \(int\)/],
    ['-b', /- is applied to a Boolean/],
    ['b < yes', /< is applied to a Boolean/],
    ['b = x', /= is applied to a number/],
    ['x = b', /= is applied to a Boolean/],
    ['x <=> b', /<=> is applied to a number/],
    ['x ? 1 : 2', /\? : is applied to a number/],
    ['b ? 1 : true', /the two cases have types int and bool; expected one type/],
    ['mod(p, 2)', /mod is applied to a double; expected an int/],
    ['floor(b)', /floor is applied to a Boolean/],
    ['xx + 1', /test:1:1: xx is not declared; expected did you mean x\?|xx is not declared/],
    ['unheardOf', /unheardOf is not declared; expected one of x, y, b, N/],
    ['loop', /formula loop is defined by itself/],
  ])('refuses %s', (source, message) => {
    const expression = parsePrismExpression(source, { name: 'test' });
    expect(() => typeOf(expression, scope(source))).toThrow(ParseError);
    expect(() => typeOf(expression, scope(source))).toThrow(message);
  });

  it.each<[string, RegExp]>([
    ['mod(7, 0)', /mod by 0, which is not positive/],
    ['pow(2, -1)', /the exponent -1 of an integer power is negative; expected a double/],
    ['2^y', /the exponent -2 of an integer power is negative/],
  ])('refuses to compute %s', (source, message) => {
    const expression = parsePrismExpression(source, { name: 'test' });
    expect(() => evaluateExactly(expression, scope(source), values)).toThrow(ParseError);
    expect(() => evaluateExactly(expression, scope(source), values)).toThrow(message);
  });

  it.each(['pow(2, y)', '2^(x-4)'])(
    'refuses to compute %s in doubles, where the exponent is negative',
    (source) => {
      const compiled = compileNumber(parsePrismExpression(source), scope(source));
      expect(() => compiled(values)).toThrow(/the exponent -\d of an integer power is negative/);
    },
  );

  it.each([
    ['1/(x-3)', Number.POSITIVE_INFINITY],
    ['-1/(x-3)', Number.NEGATIVE_INFINITY],
    ['(x-3)/0', Number.NaN],
  ])('divides by zero as doubles do: %s', (source, expected) => {
    const expression = parsePrismExpression(source);
    expect(evaluateExactly(expression, scope(source), values)).toBeUndefined();
    expect(compileNumber(expression, scope(source))(values)).toBe(expected);
  });

  it('leaves fractions that are too long to write out', () => {
    for (const source of ['pow(10, 1000000)', 'pow(pow(2, 100000), 100000)', '1e99999']) {
      expect(evaluateExactly(parsePrismExpression(source), scope(source))).toBeUndefined();
    }
  });

  it('agrees with itself: what is compiled is the double nearest to what is exact', () => {
    // Over dyadic numbers of few bits, double arithmetic is exact.
    const leaf = fc.constantFrom('x', 'y', 'N', 'p', '1', '2', '0.5', 'f');
    const { number } = fc.letrec<{ number: string; condition: string }>((tie) => ({
      number: fc.oneof(
        { maxDepth: 4, withCrossShrink: true },
        leaf,
        fc
          .tuple(tie('number'), fc.constantFrom('+', '-', '*'), tie('number'))
          .map(([a, operator, b]) => `(${a}${operator}${b})`),
        fc
          .tuple(fc.constantFrom('floor', 'ceil', 'round', '-', 'max', 'min'), tie('number'))
          .map(([name, a]) => `${name}(${a})`),
        fc
          .tuple(fc.constantFrom('min', 'max'), tie('number'), tie('number'))
          .map(([name, a, b]) => `${name}(${a},${b})`),
        fc.tuple(tie('condition'), tie('number'), tie('number')).map(([test, a, b]) => `(${test}?${a}:${b})`),
      ),
      condition: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom('b', 'true', '(!b)', 'yes'),
        fc
          .tuple(tie('number'), fc.constantFrom('=', '!=', '<', '<=', '>', '>='), tie('number'))
          .map(([a, operator, b]) => `(${a}${operator}${b})`),
        fc
          .tuple(tie('condition'), fc.constantFrom('&', '|', '=>', '<=>', '=', '!='), tie('condition'))
          .map(([a, operator, b]) => `(${a}${operator}${b})`),
      ),
    }));
    fc.assert(
      fc.property(number, (source) => {
        const expression = parsePrismExpression(source);
        const compiled = compileNumber(expression, scope(source))(values);
        const exact = evaluateExactly(expression, scope(source), values) as Rational;
        expect(compiled + 0).toBe(exact.toNumber() + 0);
      }),
      { numRuns: 300 },
    );
  });
});
