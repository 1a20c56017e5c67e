import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { EvaluationError, ParseError } from '../../../bindings/base/errors.js';
import {
  compileCondition,
  expressionTree,
  loadRegexEngine,
  parseExpression,
  readExpressionTree,
} from '../../../bindings/languages/expression/index.js';

const SOURCES = [
  'lane + 1 == 4 && !(speed > 0.5 || has(action.name))',
  'objects.exists(o, o.objectType == "Fork" && "Microwave" in o.parentReceptacles)',
  'size({"a": [1, -2.5, null], "b": {}}["a"]) >= 3 ? true : a.b[0].startsWith("x")',
  'names\n  .filter(n, n.matches("^a+$"))\n  .map(n, size(n) % 2) == [1] ||\n\ttime < 3e2',
  'emails(t).all(a, domainOf(a) == "home.example") && isUnder(path, "/home") || glob(path.trim(), "**/*.txt")',
  'hostOf(url) in ["a.example"] || localPart(t) == lowerAscii(extension(path))',
  'l.exists_one(x, l.all(y, x <= y)) && text.contains("é") && "z".endsWith("z")',
];
const EVERYTHING = {
  lane: 3,
  speed: 1,
  objects: [{ objectType: 'Fork', parentReceptacles: ['Microwave'] }],
  names: ['aa'],
  a: { b: ['xy'] },
  l: [1, 2],
  text: 'é',
  t: 'ann@home.example',
  path: '/home/a.txt',
  url: 'http://a.example/',
};

beforeAll(loadRegexEngine);

describe('a tree of an expression', () => {
  it.each(SOURCES)('is JSON that gives the expression again, places included: %s', (source) => {
    const expression = parseExpression(source, { name: 'it' });
    const text = JSON.stringify(expressionTree(expression));
    expect(readExpressionTree(JSON.parse(text), source, 'it')).toEqual(expression);
  });

  it.each([
    ['nothing', undefined],
    ['no list', {}],
    ['no kind', []],
    ['a kind of the prototype', ['constructor', 0]],
    ['an offset behind the source', ['name', 2, 'x']],
    ['an offset that is not a number', ['name', '0', 'x']],
    ['too few parts', ['name', 0]],
    ['too many parts', ['name', 0, 'x', 'y']],
    ['a name that is not a text', ['name', 0, 7]],
    ['a literal that is no value', ['literal', 0, {}]],
    ['an operator that is none', ['unary', 0, '~', ['name', 0, 'x']]],
    ['a function that is none', ['call', 0, 'valueOf', [['name', 0, 'x']]]],
    ['a call of too few arguments', ['call', 0, 'contains', [['name', 0, 'x']]]],
    ['a chain of one', ['logical', 0, '&&', [['name', 0, 'x']]]],
    ['a map of a key without its value', ['map', 0, [['literal', 0, 'k']], []]],
    ['nodes that are no list', ['list', 0, 'abc']],
  ])('is refused where it has %s', (_, tree) => {
    const read = () => readExpressionTree(tree, 'x', 'predicate "p"');
    expect(read).toThrow(ParseError);
    expect(read).toThrow(/^predicate "p":1:1: found a damaged tree/);
  });

  it('is refused where it is deeper than a parser reads', () => {
    let tree: unknown = ['name', 0, 'x'];
    for (let depth = 1; depth < 250; depth++) tree = ['unary', 0, '!', tree];
    expect(() => readExpressionTree(tree, 'x', 'it')).not.toThrow();
    expect(() => readExpressionTree(['unary', 0, '!', tree], 'x', 'it')).toThrow(ParseError);
  });

  it('is refused, or can be evaluated, whatever has been changed in it', () => {
    const json = fc.jsonValue({ maxDepth: 2 });
    let [refused, evaluated] = [0, 0];
    fc.assert(
      fc.property(fc.constantFrom(...SOURCES), fc.nat(), json, (source, at, value) => {
        const tree = JSON.parse(JSON.stringify(expressionTree(parseExpression(source))));
        const places: [unknown[], number][] = [];
        const visit = (node: unknown[]): void =>
          node.forEach((part, i) => {
            places.push([node, i]);
            if (Array.isArray(part)) visit(part);
          });
        visit(tree);
        const [node, i] = places[at % places.length];
        node[i] = Array.isArray(value) ? places[(7 * at) % places.length][0] : value;
        try {
          const holds = compileCondition(readExpressionTree(JSON.parse(JSON.stringify(tree)), source, 'it'));
          expect(typeof holds(EVERYTHING, { time: 1 })).toBe('boolean');
          evaluated++;
        } catch (error) {
          // A node put into itself is not JSON, and no file.
          const expected = [ParseError, EvaluationError, TypeError].find((one) => error instanceof one);
          expect(expected, String(error)).toBeDefined();
          if (expected === TypeError) expect(String(error)).toMatch(/circular structure/);
          if (expected === ParseError) refused++;
        }
      }),
      { seed: 12, numRuns: 3000 },
    );
    expect(refused).toBeGreaterThan(300);
    expect(evaluated).toBeGreaterThan(100);
  });
});
