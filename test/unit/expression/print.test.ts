import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FUNCTION_NAMES, FUNCTIONS } from '../../../bindings/languages/expression/functions.js';
import {
  type Expression,
  type ExpressionNode,
  parseExpression,
  printExpression,
} from '../../../bindings/languages/expression/index.js';

const place = { line: 1, column: 1, offset: 0 };
const identifier = fc.constantFrom('a', 'b', 'speed', 'time', '_x1');
const binaryOperator = fc.constantFrom('+', '-', '*', '/', '%', '==', '!=', '<', '<=', '>', '>=', 'in');

/** All trees that the parser can make. */
const { node } = fc.letrec<{ node: ExpressionNode }>((tie) => {
  const part = tie('node');
  const parts = fc.array(part, { maxLength: 3 });
  const unary = fc.constantFrom('!' as const, '-' as const);
  return {
    node: fc.oneof(
      { maxDepth: 5, depthIdentifier: 'expression' },
      fc.record({ kind: fc.constant('name'), name: identifier, place: fc.constant(place) }),
      fc.record({
        kind: fc.constant('literal'),
        value: fc.oneof(
          fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
          fc.string({ unit: 'binary' }),
          fc.boolean(),
          fc.constant(null),
        ),
        place: fc.constant(place),
      }),
      fc.record({ kind: fc.constant('list'), elements: parts, place: fc.constant(place) }),
      fc.array(fc.tuple(part, part), { maxLength: 2 }).map((entries) => ({
        kind: 'map',
        keys: entries.map((e) => e[0]),
        values: entries.map((e) => e[1]),
        place,
      })),
      fc.record({
        kind: fc.constantFrom('field', 'has'),
        object: part,
        field: fc.oneof(identifier, fc.constantFrom('in', 'while')),
        place: fc.constant(place),
      }),
      fc.record({ kind: fc.constant('index'), object: part, index: part, place: fc.constant(place) }),
      fc.record({ kind: fc.constant('unary'), operator: unary, operand: part, place: fc.constant(place) }),
      fc.record({
        kind: fc.constant('binary'),
        operator: binaryOperator,
        left: part,
        right: part,
        place: fc.constant(place),
      }),
      fc.record({
        kind: fc.constant('logical'),
        operator: fc.constantFrom('&&', '||'),
        operands: fc.array(part, { minLength: 2, maxLength: 3 }),
        place: fc.constant(place),
      }),
      fc.record({
        kind: fc.constant('conditional'),
        condition: part,
        whenTrue: part,
        whenFalse: part,
        place: fc.constant(place),
      }),
      fc.tuple(fc.constantFrom(...FUNCTION_NAMES), part, part).map(([name, ...given]) => ({
        kind: 'call',
        function: name,
        arguments: given.slice(0, FUNCTIONS[name].arguments.length),
        place,
      })),
      fc.record({
        kind: fc.constant('macro'),
        macro: fc.constantFrom('exists', 'all', 'exists_one', 'filter', 'map'),
        list: part,
        variable: fc.constantFrom('x', 'o'),
        body: part,
        place: fc.constant(place),
      }),
    ) as fc.Arbitrary<ExpressionNode>,
  };
});

function withoutPlaces(tree: Expression): unknown {
  return JSON.parse(JSON.stringify(tree.root, (key, value) => (key === 'place' ? undefined : value)));
}

describe('printExpression', () => {
  it('is undone by parsing, for every tree', () => {
    fc.assert(
      fc.property(node, (root) => {
        const tree = { name: 'expression', root };
        expect(withoutPlaces(parseExpression(printExpression(tree)))).toEqual(withoutPlaces(tree));
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    ['a&&(b||c)', 'a && (b || c)'],
    ['((a)+(b))*c', '(a + b) * c'],
    ['a-(b-c)-d', 'a - (b - c) - d'],
    ['(a?b:c)?d:e?f:g', '(a ? b : c) ? d : e ? f : g'],
    ['!(a in b)', '!(a in b)'],
    ['- - x', '--x'],
    ['l . size( )', 'size(l)'],
    ['matches(s,r"\\d")', 's.matches("\\\\d")'],
    ['trim(lowerAscii(s))', 's.lowerAscii().trim()'],
    ['to.domainOf()', 'domainOf(to)'],
    ['p.isUnder( "/a" )||glob(p,"*")', 'isUnder(p, "/a") || glob(p, "*")'],
    ["o.exists( x,x.t=='Fork' )", 'o.exists(x, x.t == "Fork")'],
    ['{"a":1,"b":[ ]}["a"]', '{"a": 1, "b": []}["a"]'],
    ['1e3 + 0x10 // sixteen', '1000 + 16'],
  ])('prints %s as %s', (source, canonical) => {
    expect(printExpression(parseExpression(source))).toBe(canonical);
  });
});
