import type { Place } from '../../expression/index.js';
import type { PrismExpression, PrismType } from './expression.js';

/** `const int N = 5;`, or without a value, which must then be given from outside. */
export interface ConstantDeclaration {
  readonly name: string;
  readonly type: PrismType;
  readonly value: PrismExpression | null;
  readonly place: Place;
}

/** `formula name = expression;`: the expression replaces the name wherever it is used. */
export interface FormulaDeclaration {
  readonly name: string;
  readonly expression: PrismExpression;
  readonly place: Place;
}

/** `label "name" = expression;`: a named set of states. */
export interface LabelDeclaration {
  readonly name: string;
  readonly expression: PrismExpression;
  readonly place: Place;
}
