import { namesIn, type PrismExpression, type Scope } from '../../languages/logic/index.js';

/** Slots of the variables that an expression reads, including those in its formulas. */
export function variablesRead(expression: PrismExpression, { variables, formulas }: Scope): number[] {
  return [...namesIn(expression, formulas)].flatMap((name) => variables.get(name)?.index ?? []);
}
