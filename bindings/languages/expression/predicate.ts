import { checkPredicate } from './check.js';
import { compileCondition, type Evaluate } from './compile.js';
import type { Expression } from './expression.js';
import { parseExpression } from './parser.js';

/**
 * Compiles an expression that must be Boolean, as `compileExpression` does.
 *
 * @param predicate its name, for the `predicate` field of errors.
 * @throws ParseError also if the types of its parts cannot fit, or if it cannot be Boolean.
 */
export function compilePredicate(expression: Expression, predicate?: string): Evaluate<boolean> {
  checkPredicate(expression);
  return compileCondition(expression, predicate);
}

/**
 * Parses the expression of the predicate `name`.
 *
 * @throws ParseError if it is malformed, if the types of its parts cannot fit, or if it cannot be Boolean.
 */
export function parsePredicate(source: string, name: string): Expression {
  const expression = parseExpression(source, { name: `predicate "${name}"` });
  checkPredicate(expression);
  return expression;
}
