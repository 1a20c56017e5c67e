import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  compileCondition,
  loadTextOperations,
  parseExpression,
} from '../../bindings/languages/expression/index.js';
import { compileOnCells } from '../../bindings/languages/expression/runtime/index.js';
import { None, valueOfExpression } from '../oracle/expression.js';
import { runs } from './runs.js';

beforeAll(loadTextOperations);

const text = fc.constantFrom('', 'a', 'ab', 'b.c', 'A', 'aB', '😀', 'é', 'a😀b');
const number = fc.constantFrom(-1, 0, 1, 2, 2.5, 10, 1e300);
const inputs = fc.record({
  s: fc.option(text),
  t: text,
  n: number,
  m: fc.option(number),
  p: fc.boolean(),
  l: fc.array(text, { maxLength: 4 }),
  k: fc.array(number, { maxLength: 4 }),
});
const quoted = text.map((one) => JSON.stringify(one));

/** Conditions of every form that the oracle knows, and sometimes of wrong kinds. */
const condition = fc.letrec<Record<'bool' | 'text' | 'number' | 'body', string>>((tie) => ({
  text: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom('s', 't', 'x'),
    quoted,
    tie('text').map((one) => `lowerAscii(${one})`),
  ),
  number: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom('n', 'm', 'size(t)', 'size(l)', 'size(k)', 's'),
    number.map(String),
    fc
      .tuple(tie('number'), fc.constantFrom('+', '-', '*'), tie('number'))
      .map(([a, op, b]) => `(${a} ${op} ${b})`),
    tie('number').map((one) => `(-(${one}))`),
    tie('body').map((body) => `size(l.filter(x, ${body}))`),
  ),
  body: fc.oneof(
    fc
      .tuple(fc.constantFrom('startsWith', 'endsWith', 'contains'), quoted)
      .map(([f, one]) => `x.${f}(${one})`),
    quoted.map((one) => `x == ${one}`),
    fc.constantFrom('p', 'x in l', 'size(x) > n', 'x != s', 's.startsWith(x)'),
  ),
  bool: fc.oneof(
    { depthSize: 'medium' },
    fc.constantFrom('p', 'true', 's == null', 'm != null', 's'),
    fc
      .tuple(tie('number'), fc.constantFrom('<', '<=', '>', '>=', '==', '!='), tie('number'))
      .map((parts) => parts.join(' ')),
    fc.tuple(tie('text'), fc.constantFrom('==', '!='), tie('text')).map((parts) => parts.join(' ')),
    fc
      .tuple(tie('text'), fc.constantFrom('startsWith', 'endsWith', 'contains'), tie('text'))
      .map(([a, f, b]) => `${a}.${f}(${b})`),
    fc.tuple(tie('text'), fc.array(quoted, { maxLength: 3 })).map(([a, list]) => `${a} in [${list.join()}]`),
    fc
      .tuple(fc.constantFrom('l', 'k'), fc.constantFrom('all', 'exists', 'exists_one'), tie('body'))
      .map(([l, f, b]) => `${l}.${f}(x, ${b})`),
    fc.tuple(tie('bool'), fc.constantFrom('&&', '||'), tie('bool')).map(([a, op, b]) => `(${a} ${op} ${b})`),
    fc.tuple(tie('bool'), tie('bool'), tie('bool')).map(([a, b, c]) => `(${a} ? ${b} : ${c})`),
    tie('bool').map((one) => `!(${one})`),
  ),
})).bool;

const PAIRS = 20;

describe('conditions as closures', () => {
  it('have the values that their trees have, node after node', () => {
    const seen = { true: 0, false: 0, none: 0 };
    const valueBy = (work: () => unknown, isNone: (error: unknown) => boolean) => {
      try {
        const value = work();
        return typeof value === 'boolean' ? `${value}` : 'none';
      } catch (error) {
        if (!isNone(error)) throw error;
        return 'none';
      }
    };
    fc.assert(
      fc.property(condition, fc.array(inputs, { minLength: PAIRS, maxLength: PAIRS }), (written, all) => {
        const parsed = parseExpression(written);
        const evaluate = compileCondition(parsed);
        const cells = new Map(Object.keys(all[0]).map((path) => [path, { value: null as unknown, path }]));
        const evaluateCells = compileOnCells(parsed, cells);
        for (const one of all) {
          const expected = valueBy(
            () => valueOfExpression(parsed.root, one),
            (error) => error instanceof None,
          );
          seen[expected as keyof typeof seen]++;
          expect([
            written,
            one,
            valueBy(
              () => evaluate(one, {}),
              () => true,
            ),
          ]).toEqual([written, one, expected]);
          for (const [name, value] of Object.entries(one)) cells.get(name)!.value = value;
          expect([written, one, `${evaluateCells() ?? 'none'}`]).toEqual([written, one, expected]);
        }
      }),
      { numRuns: runs(500) },
    );
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(1000);
  });
});
