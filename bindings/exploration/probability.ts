import {
  compileNumber,
  evaluateExactly,
  type NumberOf,
  noVariables,
  type PrismExpression,
  type Scope,
} from '../logic/index.js';
import { Rational } from '../rational.js';
import type { ExploredVariable } from './variables.js';

export type ProbabilityOf = NumberOf;

/** Above it, values of an expression are computed anew in each state, in double arithmetic. */
const MAX_REMEMBERED = 2 ** 31;

/**
 * A probability as a function of the state: the double nearest to its exact value, so that sums such as `1 - p - q` lose
 * nothing to rounding in between. Expressions that read variables are evaluated once for each combination of their values.
 */
export function compileProbability(
  expression: PrismExpression | null,
  scope: Scope,
  variables: readonly ExploredVariable[],
): { readonly value: ProbabilityOf; readonly exact: (values: ArrayLike<number>) => Rational | undefined } {
  if (expression === null) return { value: () => 1, exact: () => Rational.ONE };
  const inexact = compileNumber(expression, scope);
  const read = [...variablesOf(expression, scope)];
  const exact = (values: ArrayLike<number>): Rational | undefined =>
    evaluateExactly(expression, scope, values) as Rational | undefined;
  const nearest = (values: ArrayLike<number>): number => exact(values)?.toNumber() ?? inexact(values);
  if (read.length === 0) {
    const value = evaluateExactly(expression, { ...scope, variables: noVariables }) as Rational | undefined;
    const constant = value?.toNumber() ?? inexact([]);
    return { value: () => constant, exact: () => value };
  }
  let combinations = 1;
  const strides = read.map((index) => {
    const stride = combinations;
    combinations *= variables[index].high - variables[index].low + 1;
    return { index, stride, low: variables[index].low };
  });
  if (combinations > MAX_REMEMBERED) return { value: inexact, exact };
  const remembered = new Map<number, number>();
  const value = (values: ArrayLike<number>): number => {
    let key = 0;
    for (const { index, stride, low } of strides) key += (values[index] - low) * stride;
    let found = remembered.get(key);
    if (found === undefined) {
      found = nearest(values);
      remembered.set(key, found);
    }
    return found;
  };
  return { value, exact };
}

/** Slots of the variables that an expression reads, those in formulas included. */
function variablesOf(expression: PrismExpression, scope: Scope, found = new Set<number>()): Set<number> {
  const visit = (operand: PrismExpression): unknown => variablesOf(operand, scope, found);
  switch (expression.kind) {
    case 'name': {
      const slot = scope.variables.get(expression.name);
      const formula = scope.formulas.get(expression.name);
      if (slot) found.add(slot.index);
      else if (formula) visit(formula);
      break;
    }
    case 'not':
    case 'negate':
      visit(expression.operand);
      break;
    case 'binary':
      visit(expression.left);
      visit(expression.right);
      break;
    case 'conditional':
      visit(expression.condition);
      visit(expression.whenTrue);
      visit(expression.whenFalse);
      break;
    case 'call':
      expression.operands.forEach(visit);
      break;
    default:
  }
  return found;
}
