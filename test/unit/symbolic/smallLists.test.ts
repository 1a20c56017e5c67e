import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  compileCondition,
  loadRegexEngine,
  parseExpression,
} from '../../../bindings/languages/expression/index.js';
import type { Inputs } from '../../../bindings/languages/inputs/index.js';
import { listBounds } from '../../../bindings/solvers/symbolic/listBounds.js';

beforeAll(loadRegexEngine);

const list = (most: number) =>
  ({ type: { kind: 'list', of: { kind: 'integer', least: 0, most: 2 }, most } }) as const;
const inputs: Inputs = { l: list(100), m: list(100), k: { type: { kind: 'integer', least: 0, most: 2 } } };
const boundOf = (text: string, name = 'l', of = inputs) =>
  listBounds([parseExpression(text).root], of).get(name)!;

describe('bounds of lists', () => {
  it.each([
    ['l.all(x, x > 0)', 2],
    ['l.exists(x, x > 0) && !l.exists(x, x > 0)', 2],
    ['l.exists(x, x > 0) && l.exists(x, x > 1)', 4],
    ['l.exists_one(x, x > 0)', 3],
    ['k in l', 1],
    ['size(l) >= 3', 4],
    ['size(l) > 0', 1],
    ['size(l) >= 23', 24],
    ['size(l) >= 24', 25],
    ['3.5 < size(l)', 4],
    ['size(l) > -2', Number.POSITIVE_INFINITY],
    ['size(l.filter(x, x > 0)) > 1', 3],
    ['l.filter(x, x > 0).all(x, x > 1)', 3],
    ['l[2] == 1', 3],
    ['l == [1, 2]', 3],
    ['l == null', 0],
    ['m.all(y, l.exists(x, x == y))', 4],
    ['m.all(y, m.exists(x, x == y))', 0],
    ['[1, 2].all(y, l.exists(x, x == y))', 4],
    ['m.filter(y, l.exists(x, x == y))[0] == 1', Number.POSITIVE_INFINITY],
    ['size(l) == size(m)', Number.POSITIVE_INFINITY],
    ['sum(l) > 3', Number.POSITIVE_INFINITY],
    ['l.exists(x, l.exists(y, x < y))', Number.POSITIVE_INFINITY],
    ['l[k] == 1', Number.POSITIVE_INFINITY],
    ['l.map(x, x + 1).exists(y, y == 2)', 3],
    ['l.all(l, l > 0)', 2],
  ])('%s', (text, bound) => {
    expect(boundOf(text)).toEqual({ bound: Math.min(bound, 24), isComplete: bound <= 24 });
  });

  it('are the declared maximum where that is less', () => {
    expect(boundOf('sum(l) > 3', 'l', { ...inputs, l: list(5) })).toEqual({ bound: 5, isComplete: true });
    expect(boundOf('l.all(x, x > 0)', 'l', { ...inputs, l: list(1) })).toEqual({
      bound: 1,
      isComplete: true,
    });
  });

  const element = fc.constantFrom(
    'x > 0',
    'x == k',
    'x / 0 > 1',
    '1 / x > 0',
    'x % 2 == 0',
    'x == 1',
    'm.exists(y, y == x)',
    '[0, 2][x] == 0',
    'k in m',
  );
  const atom = fc.oneof(
    fc
      .tuple(fc.constantFrom('all', 'exists', 'exists_one'), element)
      .map(([macro, body]) => `l.${macro}(x, ${body})`),
    fc
      .tuple(element, fc.constantFrom('>', '==', '<='), fc.integer({ min: 0, max: 1 }))
      .map(([body, relation, n]) => `size(l.filter(x, ${body})) ${relation} ${n}`),
    fc.constantFrom(
      'k in l',
      'size(l) > 1',
      'size(l) == 2',
      'l[0] == k',
      'l[1] == 1',
      'l == [1]',
      'm.all(x, x in l)',
      'm.exists(x, l.all(y, y <= x))',
      'size(m) < 2',
      'm.exists_one(y, y == k)',
    ),
  );
  const value = (text: string, state: Record<string, unknown>): string => {
    try {
      return String(compileCondition(parseExpression(text))(state, {}));
    } catch {
      return 'none';
    }
  };

  it('hold a list with the same values of all conditions', () => {
    const all: number[][] = [[]];
    for (let i = 0; all[i].length < 5; i++) all.push(...[0, 1, 2].map((one) => [...all[i], one]));
    const short = all.filter(({ length }) => length <= 3);
    let shortened = 0;
    fc.assert(
      fc.property(
        fc.array(atom, { minLength: 1, maxLength: 2 }),
        fc.constantFrom(...all),
        fc.constantFrom(...short),
        fc.integer({ min: 0, max: 2 }),
        (atoms, l, m, k) => {
          const bounds = listBounds(
            atoms.map((text) => parseExpression(text).root),
            inputs,
          );
          const [most, mostOfOther] = [bounds.get('l')!.bound, bounds.get('m')!.bound];
          if (l.length > most) shortened++;
          const wanted = atoms.map((text) => value(text, { l, m, k })).join();
          const has = all.some(
            (one) =>
              one.length <= most &&
              short.some(
                (other) =>
                  other.length <= mostOfOther &&
                  atoms.map((text) => value(text, { l: one, m: other, k })).join() === wanted,
              ),
          );
          expect([atoms, l, m, k, has]).toEqual([atoms, l, m, k, true]);
        },
      ),
      { numRuns: 120 },
    );
    expect(shortened).toBeGreaterThan(5);
  });
});
