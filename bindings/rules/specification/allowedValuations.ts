import { InvalidArgumentError } from '../../base/errors.js';
import {
  type ExpressionNode,
  freePaths,
  parseExpression,
  printExpression,
} from '../../languages/expression/index.js';
import { Abstraction, ValuationTable } from '../../observations/abstraction/index.js';
import { allPredicates } from './exactRules.js';
import type { Specification } from './specification.js';

/** Valuations of some of a specification's predicates, and the constraints on them. */
export interface AllowedValuations {
  readonly abstraction: Abstraction;
  readonly valuations: ValuationTable;
}

/**
 * The possible valuations in a step of the named predicates and of those in constraints: the constraints on states allow them (if
 * constraints are enforced at all), and the comparisons of one term with constants are jointly satisfiable.
 *
 * @returns null if there are more than `limit`, or none
 */
export function allowedValuations(
  specification: Specification,
  names: readonly string[],
  limit: number,
): AllowedValuations | null {
  const { abstraction, learning } = specification;
  const constraints = learning.onContradiction === 'accept' ? {} : (abstraction.constraints ?? {});
  const mentioned = Object.values(constraints).flatMap((source) =>
    freePaths(parseExpression(source)).map(({ path }) => path.replace(/^(from|to)\./, '')),
  );
  const predicates = allPredicates(specification).filter(
    ({ name }) => names.includes(name) || mentioned.includes(name),
  );
  const reduced = new Abstraction({ predicates, constraints });
  const candidates = validStates(reduced, limit);
  if (candidates === null) return null;
  const isPossible = byComparisons(predicates.map(({ expression }) => expression));
  const valuations = new ValuationTable(reduced.words);
  for (let i = 0; i < candidates.size; i++) {
    const offset = i * reduced.words;
    if (isPossible(candidates.valuations, offset)) valuations.insert(candidates.valuations, offset);
  }
  return valuations.size === 0 ? null : { abstraction: reduced, valuations };
}

function validStates(abstraction: Abstraction, limit: number): ValuationTable | null {
  try {
    return abstraction.validStates({ limit });
  } catch (error) {
    if (error instanceof InvalidArgumentError) return null;
    throw error;
  }
}

const relations = {
  '<': (a: number, b: number) => a < b,
  '<=': (a: number, b: number) => a <= b,
  '>': (a: number, b: number) => a > b,
  '>=': (a: number, b: number) => a >= b,
  '==': (a: number, b: number) => a === b,
  '!=': (a: number, b: number) => a !== b,
};

interface Comparison {
  readonly bit: number;
  readonly constant: number;
  readonly holds: (value: number) => boolean;
}

function constantOf(node: ExpressionNode): number | null {
  if (node.kind === 'unary' && node.operator === '-') {
    const constant = constantOf(node.operand);
    return constant === null ? null : -constant;
  }
  return node.kind === 'literal' && typeof node.value === 'number' ? node.value : null;
}

/** Checks whether a valuation is possible as far as comparisons of one term with constants determine. */
function byComparisons(expressions: readonly string[]): (valuation: Uint32Array, offset: number) => boolean {
  const terms = new Map<string, Comparison[]>();
  for (const [bit, source] of expressions.entries()) {
    const node = parseExpression(source).root;
    if (node.kind !== 'binary' || !(node.operator in relations)) continue;
    const constant = constantOf(node.right);
    if (constant === null) continue;
    const relation = relations[node.operator as keyof typeof relations];
    const term = printExpression({ name: source, root: node.left });
    const known = terms.get(term) ?? [];
    terms.set(term, known);
    known.push({ bit, constant, holds: (value) => relation(value, constant) });
  }
  const groups = [...terms.values()]
    .filter((group) => group.length > 1)
    .map((group) => {
      // Between two neighbouring constants, and beyond the outermost, all numbers are equivalent.
      const constants = [...new Set(group.map(({ constant }) => constant))].sort((a, b) => a - b);
      const between = constants.slice(1).map((above, i) => constants[i] / 2 + above / 2);
      const values = [Number.NEGATIVE_INFINITY, ...constants, ...between, Number.POSITIVE_INFINITY];
      return { group, values };
    });
  return (valuation, offset) =>
    groups.every(({ group, values }) =>
      values.some((value) =>
        group.every(
          ({ bit, holds }) => holds(value) === (((valuation[offset + (bit >>> 5)] >>> (bit & 31)) & 1) === 1),
        ),
      ),
    );
}
