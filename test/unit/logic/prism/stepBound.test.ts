import { describe, expect, it } from 'vitest';
import { parsePrismExpression, printPrismExpression } from '../../../../bindings/languages/logic/index.js';

describe('bounds of temporal operators', () => {
  it.each([
    ['F<=T (x=1)', 'F<=T x = 1'],
    ['F<=T x=1', 'F<=T x = 1'],
    ['F<=5 (x=1) & y', 'F<=5 x = 1 & y'],
    ['F<=2*T+1 x=1', 'F<=(2 * T + 1) x = 1'],
    ['F<=(T+1) (x=1)', 'F<=(T + 1) x = 1'],
    ['F<=floor(T/2) x=1', 'F<=(floor(T / 2)) x = 1'],
    ['G>T "a"', 'G>T "a"'],
    ['F=3 "a"', 'F[3,3] "a"'],
    ['F[0,T+1] !x', 'F[0,T + 1] !x'],
    ['"a" U<T (G "b")', '"a" U<T (G "b")'],
  ])('read %s as %s', (source, printed) => {
    expect(printPrismExpression(parsePrismExpression(source, { properties: true }))).toBe(printed);
  });
});
