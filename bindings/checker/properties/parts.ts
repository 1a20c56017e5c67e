import { type PrismExpression, partsOf } from '../../logic/index.js';

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
