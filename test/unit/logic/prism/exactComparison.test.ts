import { describe, expect, it } from 'vitest';
import {
  compileCondition,
  compileNumber,
  parsePrismExpression,
  resolveConstants,
  type Scope,
} from '../../../../bindings/languages/logic/index.js';

const text = { source: '', name: 'test' };
const scope = (exact: boolean): Scope => ({
  constants: new Map(),
  formulas: new Map(),
  variables: new Map([['x', { index: 0, type: 'int' }]]),
  exact,
  text,
});
const holds = (source: string, exact: boolean, x = 0) =>
  compileCondition(parsePrismExpression(source), scope(exact))([x]);

describe('comparisons of numbers that are not whole', () => {
  it('are made in doubles, or exactly where the scope asks for it', () => {
    expect(holds('1/3 = 0.333333333333333333333333', false)).toBe(true);
    expect(holds('1/3 = 0.333333333333333333333333', true)).toBe(false);
    expect(holds('x*0.1 = 0.3', false, 3)).toBe(false);
    expect(holds('x*0.1 = 0.3', true, 3)).toBe(true);
    expect(holds('x = 3 & x/3 >= 1 | false', true, 3)).toBe(true);
  });

  it('round exactly before they choose', () => {
    expect(compileNumber(parsePrismExpression('floor((0.7+0.1)*10)'), scope(false))([0])).toBe(7);
    expect(compileNumber(parsePrismExpression('floor((0.7+0.1)*10)'), scope(true))([0])).toBe(8);
  });

  it('fall back on doubles where a number is no fraction', () => {
    expect(holds('pow(2, 0.5) > 1.41', true)).toBe(true);
  });

  it('hold in constants too', () => {
    const declared = [
      {
        name: 'b',
        type: 'bool',
        value: parsePrismExpression('0.1+0.2=0.3'),
        place: { line: 1, column: 1, offset: 0 },
      },
    ] as const;
    const value = (exact: boolean) =>
      resolveConstants(declared, [], {}, text, undefined, exact).get('b')?.value;
    expect([value(false), value(true)]).toEqual([false, true]);
  });
});
