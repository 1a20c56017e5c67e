import type { PrismExpression, Question, RewardPath, StepBound } from './expression.js';

/** The direct subexpressions of an expression, thresholds and bounds included. */
export function partsOf(expression: PrismExpression): readonly PrismExpression[] {
  switch (expression.kind) {
    case 'number':
    case 'boolean':
    case 'name':
    case 'label':
      return [];
    case 'not':
    case 'negate':
    case 'coalition':
      return [expression.operand];
    case 'binary':
      return [expression.left, expression.right];
    case 'conditional':
      return [expression.condition, expression.whenTrue, expression.whenFalse];
    case 'call':
    case 'multi':
      return expression.operands;
    case 'temporal':
      return [expression.operand, ...ofBound(expression.bound)];
    case 'until':
      return [expression.left, expression.right, ...ofBound(expression.bound)];
    case 'probability':
      return [expression.path, ...ofQuestion(expression.question)];
    case 'steadyState':
      return [expression.operand, ...ofQuestion(expression.question)];
    case 'reward': {
      const { structure, question, path } = expression;
      const index = structure && 'index' in structure ? [structure.index] : [];
      return [...index, ...ofQuestion(question), ...ofRewardPath(path)];
    }
    case 'quantified':
      return [expression.path];
    case 'filter':
      return expression.states ? [expression.operand, expression.states] : [expression.operand];
  }
}

function ofBound(bound: StepBound | null): readonly PrismExpression[] {
  return [bound?.lower, bound?.upper].filter((part) => part !== undefined && part !== null);
}

function ofQuestion({ threshold }: Question): readonly PrismExpression[] {
  return threshold ? [threshold] : [];
}

function ofRewardPath(path: RewardPath): readonly PrismExpression[] {
  switch (path.kind) {
    case 'reach':
      return [path.path];
    case 'cumulative':
      return path.bound ? [path.bound] : [];
    case 'instantaneous':
      return [path.time];
    case 'longRun':
      return [];
  }
}

/** Names of variables, constants and formulas that an expression uses, including those inside formulas. */
export function namesIn(
  expression: PrismExpression,
  formulas: ReadonlyMap<string, PrismExpression>,
  found = new Set<string>(),
): Set<string> {
  if (expression.kind !== 'name') {
    for (const part of partsOf(expression)) namesIn(part, formulas, found);
  } else if (!found.has(expression.name)) {
    found.add(expression.name);
    const formula = formulas.get(expression.name);
    if (formula) namesIn(formula, formulas, found);
  }
  return found;
}
