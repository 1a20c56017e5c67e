import { beforeAll, describe, expect, it } from 'vitest';
import { loadRegexEngine, parseExpression } from '../../../bindings/languages/expression/index.js';
import { questionOf } from '../../../bindings/solvers/symbolic/index.js';
import { inputs } from './expressions.js';

beforeAll(loadRegexEngine);

const question = (text: string) =>
  questionOf({ kind: 'is', values: ['true'], of: parseExpression(text) }, inputs);

describe('conditions', () => {
  it.each([
    't == u && t.startsWith(u) && size(t) > 3',
    'ts.map(x, x + t)[0] == u',
    '{"a": 1}.map(k, k)[0] == t',
    '(["a"] + ts)[1] == t',
    'ts == us',
    'n * m + 3 <= n - m && n % 2 == 0',
    'd + f < 0.1 && d * f > d / f',
    'sum(ds) < d && sum(ns) > n',
    'size(ts) * 2.5 > d',
    'domainOf(t) == domainOf(u) || hostOf(t) == localPart(u)',
    't.matches("^[a-z]+$") && lowerAscii(t).matches("a.b") && glob(t, "/srv/**")',
    'ts.all(x, us.exists(y, x == y))',
    'ot == null ? on == 1 : ot < t',
  ])('are translated whole: %s', (text) => {
    const { context, shortened } = question(text);
    expect([...context.reasons]).toEqual([]);
    expect(shortened).toEqual([]);
  });

  it.each([
    ['isUnder(t, u)', /isUnder has no terms/],
    ['extension(t) == u', /extension has no terms/],
    ['emails(t).all(x, x == u)', /emails has no terms/],
    ['d % 2 == 1', /remainder of doubles/],
    ['t.matches(u)', /the pattern is not known/],
    ['t.matches("\\\\bword")', /assertion \(wordBoundary\)/],
    ['t.matches("\\\\pL")', /has no automaton/],
    ['size(t) > d', /a size and with doubles/],
    ['ts.filter(x, x == u)[0] == t', /a filtered one/],
    ['ts.filter(x, x == u) == us', /a filtered list is not compared/],
    ['{"a": 1} == {"a": n}', /maps are not compared/],
  ])('are not: %s', (text, reason) => {
    const { context } = question(`${text} || b`);
    expect([...context.reasons].join()).toMatch(reason);
  });

  it('have the same unknown value for the same values alone', () => {
    const unknowns = (text: string) => question(text).context.standIns.length / 2;
    expect(unknowns('isUnder(t, "/a") && !isUnder(t, "/a")')).toBe(1);
    expect(unknowns('[t, t].exists_one(x, isUnder(x, "/a"))')).toBe(1);
    expect(unknowns('[t, u].exists_one(x, isUnder(x, "/a"))')).toBe(2);
    expect(unknowns('[[t], [u]].exists_one(x, isUnder(x[0], "/a"))')).toBe(2);
  });

  it('are about whole numbers unless doubles may differ', () => {
    expect(question('n + m <= m * 3').context.areDoubles).toBe(false);
    expect(question('n + m < 2.5').context.areDoubles).toBe(true);
    expect(question('m * m * m * m > 0').context.areDoubles).toBe(true);
    expect(question('n / m > 0').context.areDoubles).toBe(true);
    expect(question('d < 3 && n < 3').context.areDoubles).toBe(false);
  });
});
