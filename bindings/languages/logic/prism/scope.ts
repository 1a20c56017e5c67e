import type { Rational } from '../../../base/rational.js';
import type { PrismExpression, PrismType } from './expression.js';

/** The value of a constant expression. */
export interface ConstantValue {
  readonly type: PrismType;
  /** As a double, correctly rounded if `exact` is present; a Boolean for type bool. */
  readonly value: number | boolean;
  /** Absent for Booleans, and if the value is not a fraction, such as `pow(2, 0.5)`. */
  readonly exact?: Rational;
}

/** A variable's place among the values of a state. */
export interface VariableSlot {
  readonly index: number;
  readonly type: PrismType;
}

/** The meaning of the names in an expression. */
export interface Scope {
  readonly constants: ReadonlyMap<string, ConstantValue>;
  readonly formulas: ReadonlyMap<string, PrismExpression>;
  readonly variables: ReadonlyMap<string, VariableSlot>;
  /** Labels to suggest if a name without quotes is unknown. */
  readonly labels?: readonly string[];
  /** Compare and round non-integer numbers in exact arithmetic. Default false: in doubles, like PRISM. */
  readonly exact?: boolean;
  /** The text that places refer to, for messages. */
  readonly text: { readonly source: string; readonly name: string };
}

export const noVariables: ReadonlyMap<string, VariableSlot> = new Map();
