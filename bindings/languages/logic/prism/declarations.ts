import type { Place } from '../../expression/index.js';
import type { PrismExpression, PrismType } from './expression.js';

/** `const int N = 5;`, or with no value, which is then given from outside. */
export interface ConstantDeclaration {
  readonly name: string;
  readonly type: PrismType;
  readonly value: PrismExpression | null;
  readonly place: Place;
}

/** `formula name = expression;`: the expression stands wherever the name is written. */
export interface FormulaDeclaration {
  readonly name: string;
  readonly expression: PrismExpression;
  readonly place: Place;
}

/** `label "name" = expression;`: a set of states. */
export interface LabelDeclaration {
  readonly name: string;
  readonly expression: PrismExpression;
  readonly place: Place;
}
