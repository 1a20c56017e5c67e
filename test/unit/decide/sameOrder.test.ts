import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  compileCondition,
  type Expression,
  loadRegexEngine,
  loadTextOperations,
  parseExpression,
  printExpression,
} from '../../../bindings/languages/expression/index.js';
import { ANY_INTEGER, type Inputs } from '../../../bindings/languages/inputs/index.js';
import { Decider, SameOrder } from '../../../bindings/solvers/decide/index.js';

beforeAll(async () => {
  await loadRegexEngine();
  await loadTextOperations();
});

const number = { kind: 'number' } as const;
const text = { kind: 'text', most: 20 } as const;
const inputs: Inputs = {
  m: { type: number },
  n: { type: number },
  i: { type: ANY_INTEGER },
  maybe: { type: number, optional: true },
  t: { type: text },
  u: { type: text },
  none: { type: text, optional: true },
  ns: { type: { kind: 'list', of: number, most: 4 } },
  ts: { type: { kind: 'list', of: text, most: 4 } },
};

const relation = fc.constantFrom('==', '!=', '<', '<=', '>', '>=');
const bound = fc.constantFrom('0', '1', '2', '-1.5', '86400');
const numeric = fc.constantFrom(
  'm',
  'n',
  'i',
  'maybe',
  'm + 1',
  'm * n',
  'm / n',
  '-m',
  'size(ns)',
  'sum(ns)',
  'timeOf(t)',
  'hourOf(u)',
  'timeOf(t) - timeOf(u)',
);
const texts = fc.constantFrom('t', 'u', 'none', 't + u', 'lowerAscii(t)', 'domainOf(u)');
const comparison = fc.oneof(
  fc.tuple(numeric, relation, bound).map((parts) => parts.join(' ')),
  fc.tuple(bound, relation, numeric).map((parts) => parts.join(' ')),
  fc.tuple(numeric, relation, numeric).map((parts) => parts.join(' ')),
  fc.tuple(texts, relation, texts).map((parts) => parts.join(' ')),
  // A name of an element that is also one of an input.
  fc
    .tuple(relation, fc.constantFrom('n', 't'))
    .map(([r, of]) => `${of === 'n' ? 'ns' : 'ts'}.all(m, m ${r} ${of})`),
  fc.tuple(relation, bound).map(([r, b]) => `ns.exists(x, x * 2 ${r} ${b})`),
);
const condition = fc
  .array(comparison, { minLength: 1, maxLength: 4 })
  .map((parts) => parts.map((part, i) => (i % 2 ? `!(${part})` : `(${part})`)).join(' || '));

const value = fc.oneof(
  fc.constantFrom(0, 1, -1.5, 2, 86_400, 1e308, Number.MIN_VALUE),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const word = fc.constantFrom(
  '',
  'a',
  'A',
  'b',
  'x@y.z',
  '2025-06-30',
  '2025-07-01',
  '2025-06-30T00:00:00Z',
  '2025-06-30T01:00:00Z',
);
const state = fc.record({
  m: value,
  n: value,
  i: fc.constantFrom(0, 1, 2, 7),
  maybe: fc.option(value),
  t: word,
  u: word,
  none: fc.option(word),
  ns: fc.array(value, { maxLength: 3 }),
  ts: fc.array(word, { maxLength: 3 }),
});

function truthOf(expression: Expression, of: Record<string, unknown>): boolean | 'none' {
  try {
    return compileCondition(expression)(of, {});
  } catch {
    return 'none';
  }
}

describe('comparisons by one order', () => {
  it('have the same value of every input, or none', () => {
    const seen = new Set<unknown>();
    fc.assert(
      fc.property(
        fc.array(condition, { minLength: 1, maxLength: 3 }),
        fc.array(state, { minLength: 8, maxLength: 8 }),
        (sources, states) => {
          const expressions = sources.map((source) => parseExpression(source));
          const same = new SameOrder(inputs, expressions);
          for (const expression of expressions) {
            const rewritten = same.of(expression);
            for (const one of states) {
              const before = truthOf(expression, one);
              seen.add(before);
              expect(truthOf(rewritten, one), printExpression(rewritten)).toBe(before);
            }
          }
        },
      ),
      { numRuns: 500 },
    );
    expect(seen).toEqual(new Set([true, false, 'none']));
  });

  it.each<[string, string, boolean]>([
    ['m <= n', 'n < m', true],
    ['m < n', 'n <= m', true],
    ['m == n', 'm != n', true],
    ['m == n', 'm < n', true],
    ['n > m', 'm >= n', true],
    ['t == u', 'u != t', true],
    ['timeOf(t) - timeOf(u) >= 5', 'timeOf(t) - timeOf(u) < 3', true],
    ['weekdayOf(t) <= 5', 'weekdayOf(t) == 6', true],
    ['m * n > 3', '3 >= m * n', true],
    // These can both hold.
    ['m <= n', 'n <= m', false],
    ['m <= n', 'm == n', false],
    ['t != u', 't < u', false],
    ['timeOf(t) - timeOf(u) >= 3', 'timeOf(t) - timeOf(u) < 5', false],
  ])('show whether %s excludes %s', (first, second, excludes) => {
    const expressions = [first, second].map((source) => parseExpression(source));
    const same = new SameOrder(inputs, expressions);
    const of = expressions.map((one) => ({ kind: 'is', values: ['true'], of: same.of(one) }) as const);
    const answer = new Decider(inputs).find({ kind: 'and', of });
    expect(answer.kind === 'none').toBe(excludes);
    if (answer.kind === 'some')
      for (const one of expressions) expect(truthOf(one, answer.input as Record<string, unknown>)).toBe(true);
  });
});

describe('an input that is guessed', () => {
  it.each([
    'm > 0 && m < n && n < 3 * m',
    't == u && t != ""',
    'm * i == 12 && i > 2',
    'ts.all(x, x == t) && size(ts) > 0',
    't.startsWith("/home/") && isUnder(t, "/home/" + u) && u.matches("^[a-z]+$")',
    'timeOf(t) < timeOf(u)',
    'weekdayOf(t) == 6 && hourOf(u) >= 15',
  ])('fulfils %s, and is the same each time', (source) => {
    const of = parseExpression(source);
    const found = () => new Decider(inputs).find({ kind: 'is', values: ['true'], of });
    const answer = found();
    expect(answer.kind).toBe('some');
    if (answer.kind === 'some') expect(truthOf(of, answer.input as Record<string, unknown>)).toBe(true);
    expect(found()).toEqual(answer);
  });
});
