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

  it.each([
    ['F[0s,1s] x', 4, 's'],
    ['F[0,100ms] x', 8, 'ms'],
    ['F<=1s x=1', 5, 's'],
    ['F<=2 min x', 6, 'min'],
    ['a U<3 seconds (b)', 7, 'seconds'],
    ['G>=1h !x', 5, 'h'],
  ])('say of %s that they have no unit', (source, column, unit) => {
    expect(() => parsePrismExpression(source, { name: 'test', properties: true })).toThrow(
      `test:1:${column}: the bound has the unit '${unit}', and properties count steps, not time; expected a number of steps`,
    );
  });

  it.each(['F<=1 s=1', 'F<=s x', 'F[0,s] x', 'F<=1 min(s,1)=1', 'F<=s (x=1)'])(
    'takes a variable called as a unit in %s',
    (source) => {
      expect(() => parsePrismExpression(source, { properties: true })).not.toThrow();
    },
  );
});
