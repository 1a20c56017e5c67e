import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NotSupportedError } from '../../../bindings/base/errors.js';
import {
  compileConstraint,
  compilePredicate,
  evaluatePartially,
  parseExpression,
} from '../../../bindings/languages/expression/index.js';

const paths = ['p', 'q', 'from.r', 'to.r'];

const { constraint } = fc.letrec<{ constraint: string }>((tie) => {
  const part = tie('constraint');
  return {
    constraint: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom(...paths, 'true', 'false'),
      part.map((operand) => `!(${operand})`),
      fc
        .tuple(part, fc.constantFrom('&&', '||', '==', '!='), part)
        .map(([left, operator, right]) => `(${left}) ${operator} (${right})`),
      fc.tuple(part, part, part).map(([test, yes, no]) => `(${test}) ? (${yes}) : (${no})`),
    ),
  };
});
const knowledge = fc.tuple(...paths.map(() => fc.option(fc.boolean(), { nil: undefined })));

/** Every total valuation that agrees with what is known. */
function completions(known: readonly (boolean | undefined)[]): boolean[][] {
  return known.reduce<boolean[][]>(
    (all, value) =>
      all.flatMap((row) =>
        value === undefined
          ? [
              [...row, false],
              [...row, true],
            ]
          : [[...row, value]],
      ),
    [[]],
  );
}

describe('evaluatePartially', () => {
  it('is evaluation where all is known, and never contradicts a completion where it is not', () => {
    fc.assert(
      fc.property(constraint, knowledge, (source, known) => {
        const expression = parseExpression(source);
        const value = evaluatePartially(expression, (path) => known[paths.indexOf(path)]);
        const full = compilePredicate(expression);
        const outcomes = completions(known).map(([p, q, from, to]) =>
          full({ p, q, from: { r: from }, to: { r: to } }, {}),
        );
        if (value !== undefined) expect(outcomes.every((outcome) => outcome === value)).toBe(true);
        if (outcomes.length === 1) expect(value).toBe(outcomes[0]);
      }),
      { numRuns: 2000 },
    );
  });

  it.each<[string, boolean | undefined]>([
    ['yes && unknown', undefined],
    ['unknown && no', false],
    ['unknown || yes', true],
    ['no || unknown', undefined],
    ['!unknown', undefined],
    ['unknown == unknown', undefined],
    ['unknown ? yes : yes', true],
    ['unknown ? yes : no', undefined],
    ['yes ? no : unknown', false],
    ['!(yes && no)', true],
    ['yes != no', true],
  ])('evaluates %s in three values', (source, value) => {
    const known = new Map([
      ['yes', true],
      ['no', false],
    ]);
    expect(evaluatePartially(parseExpression(source), (path) => known.get(path))).toBe(value);
  });

  it.each([
    ['p && speed > 1', 12, '"speed > 1"'],
    ['1', 1, '"1"'],
    ['p || -q', 6, '"-q"'],
    ['l.exists(x, x)', 3, '"l.exists(x, x)"'],
    ['p.contains("a")', 3, '"p.contains(\\"a\\")"'],
    ['p["a"]', 2, '"p[\\"a\\"]"'],
    ['[p]', 1, '"[p]"'],
  ])('refuses %s when it is compiled, with place and remedy', (source, column, found) => {
    const compile = () => compileConstraint(parseExpression(source, { name: 'constraints.state' }));
    expect(compile).toThrow(NotSupportedError);
    expect(compile).toThrow(`constraints.state:1:${column}: found ${found}, expected a predicate name`);
    expect(compile).toThrow('put the rest into a predicate of its own');
  });
});
