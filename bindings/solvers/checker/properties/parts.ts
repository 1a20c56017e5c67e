import { type PrismExpression, partsOf } from '../../../languages/logic/index.js';

type Kind = PrismExpression['kind'];

/** The connectives: expressions that combine statements of the same kind. */
const connectives: readonly Kind[] = ['not', 'negate', 'binary', 'conditional', 'call'];
const paths: readonly Kind[] = ['temporal', 'until'];
const terms: readonly Kind[] = ['number', 'boolean', 'name'];

/** Whether an expression is a path formula: X F G U W R outside the operators that turn it into a state formula. */
export function isAboutPaths(expression: PrismExpression): boolean {
  const { kind } = expression;
  return paths.includes(kind) || (connectives.includes(kind) && partsOf(expression).some(isAboutPaths));
}

/** Whether variables, constants and formulas alone determine its value, without labels or property operators. */
export function isOverVariables(expression: PrismExpression): boolean {
  const { kind } = expression;
  return terms.includes(kind) || (connectives.includes(kind) && partsOf(expression).every(isOverVariables));
}
