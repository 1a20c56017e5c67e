import { describe, expect, it } from 'vitest';
import { ParseError } from '../../../../bindings/base/errors.js';
import { type PrismExpression, parsePrismExpression } from '../../../../bindings/languages/logic/index.js';

/** An expression without places, so that two ways of writing it can be compared. */
function parsed(source: string): unknown {
  const expression: PrismExpression = parsePrismExpression(source, { properties: true });
  return JSON.parse(JSON.stringify(expression, (key, value) => (key === 'place' ? undefined : value)));
}

describe('a filter inside the brackets of an operator', () => {
  it.each([
    ['P=? [ F x=1 {x>2} ]', 'filter(state, P=? [ F x=1 ], x>2)'],
    ['Pmax=? [ a U b {"init"}{max} ]', 'filter(max, Pmax=? [ a U b ], "init")'],
    ['S=? [ x=0 {"init"}{min}{max} ]', 'filter(range, S=? [ x=0 ], "init")'],
    ['P<0.5 [ X x=1 {true}{min} ]', 'filter(forall, P<0.5 [ X x=1 ], true)'],
    ['R{"r"}=? [ C {x=1}{min} ]', 'filter(min, R{"r"}=? [ C ], x=1)'],
    ['R=? [ I=2 {x=1} ]', 'filter(state, R=? [ I=2 ], x=1)'],
    ['R=? [ S {x=1} ]', 'filter(state, R=? [ S ], x=1)'],
    ['T=? [ F x=1 {x=0}{max} ]', 'filter(max, T=? [ F x=1 ], x=0)'],
  ])('%s means %s', (older, newer) => {
    expect(parsed(older)).toEqual(parsed(newer));
  });

  it('is refused where it is something else', () => {
    expect(() => parsed('P=? [ F a {b}{sum} ]')).toThrow(/expected 'min' or 'max'/);
    expect(() => parsed('P=? [ F a {b ]')).toThrow(ParseError);
    expect(() => parsed('A [ F a {b} ]')).toThrow(ParseError);
  });
});
