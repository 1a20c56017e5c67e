import { type ExpressionNode, parseExpression, printExpression } from '../../languages/expression/index.js';

/** Expressions that compare one term with constants. */
export interface ComparisonGroup {
  /** Their places among the expressions; at least two. */
  readonly members: readonly number[];
  /** The truth values that they can have together, in the order of `members`; a pattern may be there twice. */
  readonly patterns: readonly (readonly boolean[])[];
}

interface Comparison {
  readonly member: number;
  readonly constant: number;
  readonly holds: (value: number) => boolean;
}

/** The expressions among the given ones that compare the same term with constants, and what they can be together. */
export function comparisonGroups(expressions: readonly string[]): ComparisonGroup[] {
  const terms = new Map<string, Comparison[]>();
  for (const [member, source] of expressions.entries()) {
    const node = parseExpression(source).root;
    if (node.kind !== 'binary' || !(node.operator in relations)) continue;
    const constant = constantOf(node.right);
    if (constant === null) continue;
    const relation = relations[node.operator as keyof typeof relations];
    const term = printExpression({ name: source, root: node.left });
    const known = terms.get(term) ?? [];
    terms.set(term, known);
    known.push({ member, constant, holds: (value) => relation(value, constant) });
  }
  return [...terms.values()]
    .filter((group) => group.length > 1)
    .map((group) => {
      // Between two neighbouring constants, and beyond the outermost, all numbers are equivalent.
      const constants = [...new Set(group.map(({ constant }) => constant))].sort((a, b) => a - b);
      const between = constants.slice(1).map((above, i) => constants[i] / 2 + above / 2);
      const values = [Number.NEGATIVE_INFINITY, ...constants, ...between, Number.POSITIVE_INFINITY];
      return {
        members: group.map(({ member }) => member),
        patterns: values.map((value) => group.map(({ holds }) => holds(value))),
      };
    });
}

const relations = {
  '<': (a: number, b: number) => a < b,
  '<=': (a: number, b: number) => a <= b,
  '>': (a: number, b: number) => a > b,
  '>=': (a: number, b: number) => a >= b,
  '==': (a: number, b: number) => a === b,
  '!=': (a: number, b: number) => a !== b,
};

function constantOf(node: ExpressionNode): number | null {
  if (node.kind === 'unary' && node.operator === '-') {
    const constant = constantOf(node.operand);
    return constant === null ? null : -constant;
  }
  return node.kind === 'literal' && typeof node.value === 'number' ? node.value : null;
}
