import type { PrismExpression, Question, RewardPath, StepBound } from '../../logic/index.js';

/** The expressions that one is made of, thresholds and bounds included. */
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

/** Whether an expression says something about paths: X F G U W R outside of the operators that make it one about states. */
export function isAboutPaths(expression: PrismExpression): boolean {
  switch (expression.kind) {
    case 'temporal':
    case 'until':
      return true;
    case 'not':
    case 'negate':
    case 'binary':
    case 'conditional':
    case 'call':
      return partsOf(expression).some(isAboutPaths);
    default:
      return false;
  }
}

/** Whether variables, constants and formulas alone give its value: no labels, no operators of properties. */
export function isOverVariables(expression: PrismExpression): boolean {
  switch (expression.kind) {
    case 'number':
    case 'boolean':
    case 'name':
      return true;
    case 'not':
    case 'negate':
    case 'binary':
    case 'conditional':
    case 'call':
      return partsOf(expression).every(isOverVariables);
    default:
      return false;
  }
}
