import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileExpression, parseExpression } from '../../../bindings/languages/expression/index.js';

const evaluate = (source: string, state: Record<string, unknown>): unknown => {
  try {
    return compileExpression(parseExpression(source))(state, {});
  } catch (error) {
    return (error as Error).message;
  }
};

/** Arithmetic over x, y, z and constants, with JavaScript's own value of it. */
const term: fc.Arbitrary<string> = fc.letrec<{ term: string }>((tie) => ({
  term: fc.oneof(
    { maxDepth: 5, depthSize: 'medium' },
    fc.constantFrom('x', 'y', 'z', '2', '0.5', '-3'),
    tie('term').map((operand) => `-(${operand})`),
    fc
      .tuple(tie('term'), fc.constantFrom('+', '-', '*', '/'), tie('term'))
      .map(([left, operator, right]) => `(${left} ${operator} ${right})`),
  ),
})).term;
const number = fc.oneof(fc.integer({ min: -5, max: 5 }), fc.double({ noNaN: true }));

/** What JavaScript makes of the same text. */
function reference(source: string, { x, y, z }: Readonly<Record<string, number>>): number {
  const [value, rest] = sum(source.replaceAll(/\s/g, ''), { x, y, z });
  expect(rest).toBe('');
  return value;
}

function sum(text: string, state: Readonly<Record<string, number>>): [number, string] {
  if (text.startsWith('-(')) {
    const [value, rest] = sum(text.slice(1), state);
    return [-value, rest];
  }
  if (!text.startsWith('(')) {
    const [token] = /^(?:[xyz]|-?[\d.]+)/.exec(text)!;
    return [state[token] ?? Number(token), text.slice(token.length)];
  }
  const [left, afterLeft] = sum(text.slice(1), state);
  if (afterLeft[0] === ')') return [left, afterLeft.slice(1)];
  const [right, afterRight] = sum(afterLeft.slice(1), state);
  const values = { '+': left + right, '-': left - right, '*': left * right, '/': left / right };
  return [values[afterLeft[0] as keyof typeof values], afterRight.slice(1)];
}

describe('a comparison of calculated numbers', () => {
  it('is what the numbers say, whatever they are calculated from', () => {
    fc.assert(
      fc.property(
        term,
        fc.constantFrom('<', '<=', '>', '>=', '==', '!='),
        term,
        number,
        number,
        number,
        (left, operator, right, x, y, z) => {
          const [a, b] = [reference(left, { x, y, z }), reference(right, { x, y, z })];
          const found = evaluate(`${left} ${operator} ${right}`, { x, y, z });
          if (Number.isNaN(a) || Number.isNaN(b)) expect(found).toMatch(/NaN/);
          else {
            const holds = {
              '<': a < b,
              '<=': a <= b,
              '>': a > b,
              '>=': a >= b,
              '==': a === b,
              '!=': a !== b,
            };
            expect(found).toBe(holds[operator as keyof typeof holds]);
          }
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('fails as its parts fail', () => {
    expect(evaluate('x + y > 3', { x: 1 })).toMatch(/no field "y"/);
    expect(evaluate('x - y > 3', { x: 1, y: '2' })).toMatch(/"-" found the number 1 and the string "2"/);
    expect(evaluate('-x > 3', { x: true })).toMatch(/"-" found the boolean true/);
    expect(evaluate('x > y', Object.create({ x: 1, y: 0 }))).toMatch(/no field "x"/);
    expect(evaluate('x * 2 == y', { x: 1, y: [] })).toMatch(/"==" found the number 2 and a list of 0/);
    expect(evaluate('x * 2 == y', { x: 1, y: null })).toBe(false);
  });

  it('compares texts, lists and Booleans as before', () => {
    expect(evaluate('x + y > "ab"', { x: 'a', y: 'c' })).toBe(true);
    expect(evaluate('x == y', { x: [1, 2], y: [1, 2] })).toBe(true);
    expect(evaluate('x == y', { x: 'a', y: 'a' })).toBe(true);
    expect(evaluate('x < y', { x: false, y: true })).toBe(true);
    expect(evaluate('"a" != x', { x: 'b' })).toBe(true);
    expect(evaluate('[1, 5].exists(n, n > x + 3)', { x: 1 })).toBe(true);
  });

  it('is calculated at any depth', () => {
    const deep = Array.from({ length: 40 }).reduce<string>((inner) => `(1 + ${inner})`, 'x');
    expect(evaluate(`${deep} == 41`, { x: 1 })).toBe(true);
  });
});
