import { type PrismExpression, partsOf } from '../../../languages/logic/index.js';

type Kind = PrismExpression['kind'];

/** What says of its parts together what each of them says. */
const connectives: readonly Kind[] = ['not', 'negate', 'binary', 'conditional', 'call'];
const paths: readonly Kind[] = ['temporal', 'until'];
const terms: readonly Kind[] = ['number', 'boolean', 'name'];

/** Whether an expression says something about paths: X F G U W R outside of the operators that make it one about states. */
export function isAboutPaths(expression: PrismExpression): boolean {
  const { kind } = expression;
  return paths.includes(kind) || (connectives.includes(kind) && partsOf(expression).some(isAboutPaths));
}

/** Whether variables, constants and formulas alone give its value: no labels, no operators of properties. */
export function isOverVariables(expression: PrismExpression): boolean {
  const { kind } = expression;
  return terms.includes(kind) || (connectives.includes(kind) && partsOf(expression).every(isOverVariables));
}
