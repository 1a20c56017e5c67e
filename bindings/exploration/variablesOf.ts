import type { PrismExpression, Scope } from '../logic/index.js';

/** Slots of the variables that an expression reads, those in formulas included. */
export function variablesOf(
  expression: PrismExpression,
  scope: Scope,
  found = new Set<number>(),
): Set<number> {
  const visit = (operand: PrismExpression): unknown => variablesOf(operand, scope, found);
  switch (expression.kind) {
    case 'name': {
      const slot = scope.variables.get(expression.name);
      const formula = scope.formulas.get(expression.name);
      if (slot) found.add(slot.index);
      else if (formula && !scope.constants.has(expression.name)) visit(formula);
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
