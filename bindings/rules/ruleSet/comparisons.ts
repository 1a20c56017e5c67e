import { type ExpressionNode, parseExpression, printExpression } from '../../languages/expression/index.js';
import type { Formula } from '../../languages/logic/index.js';
import type { PredicateDefinition } from '../../observations/abstraction/index.js';
import { comparisonGroups } from '../specification/index.js';
import { connected } from './runOf.js';

/**
 * What comparisons in predicates say of each other at every step, as formulas: `x > 5` holds only where `x > 3` does, and `tool == "a"` never where `tool == "b"`
 * does.
 */
export function comparisonFormulas(predicates: readonly PredicateDefinition[]): Formula[] {
  return [...ofNumbers(predicates), ...ofDifferentValues(predicates)];
}

function ofNumbers(predicates: readonly PredicateDefinition[]): Formula[] {
  return comparisonGroups(predicates.map(({ expression }) => expression)).map(({ members, patterns }) =>
    always(
      patterns
        .map((pattern) =>
          pattern
            .map((isTrue, i) => literal(predicates[members[i]].name, isTrue))
            .reduce((left, right) => ({ kind: 'and', left, right, place })),
        )
        .reduce((left, right) => ({ kind: 'or', left, right, place })),
    ),
  );
}

/** A value that a term has wherever an expression is true. */
interface Required {
  readonly term: string;
  readonly value: unknown;
}

function ofDifferentValues(predicates: readonly PredicateDefinition[]): Formula[] {
  const required = predicates.map(({ name, expression }) => ({
    name,
    values: valuesRequired(parseExpression(expression).root),
  }));
  const pairs = required.flatMap((one, i) =>
    required
      .slice(0, i)
      .filter((other) => one.values.some((mine) => other.values.some((theirs) => excludes(mine, theirs))))
      .map((other) => [other.name, one.name]),
  );
  // One formula for all that exclude each other: tools are many, and their pairs many more.
  return connected(pairs, (pair) => pair).map((group) =>
    always(
      group
        .map(
          ([one, other]): Formula => ({
            kind: 'or',
            left: literal(one, false),
            right: literal(other, false),
            place,
          }),
        )
        .reduce((left, right) => ({ kind: 'and', left, right, place })),
    ),
  );
}

function excludes(one: Required, other: Required): boolean {
  return one.term === other.term && one.value !== other.value;
}

/** The values that terms have where all operands of a conjunction hold. */
function valuesRequired(node: ExpressionNode): Required[] {
  if (node.kind === 'logical' && node.operator === '&&') return node.operands.flatMap(valuesRequired);
  if (node.kind !== 'binary' || node.operator !== '==') return [];
  const [term, constant] = node.left.kind === 'literal' ? [node.right, node.left] : [node.left, node.right];
  if (constant.kind !== 'literal' || term.kind === 'literal') return [];
  return [{ term: printExpression({ name: '', root: term }), value: constant.value }];
}

const place = { offset: 0, line: 1, column: 1 };

function literal(name: string, isTrue: boolean): Formula {
  const predicate: Formula = { kind: 'predicate', name, place };
  return isTrue ? predicate : { kind: 'not', operand: predicate, place };
}

function always(operand: Formula): Formula {
  return { kind: 'unary', operator: 'G', operand, window: null, place };
}
