import type { Rational } from '../../../base/rational.js';
import type { PrismExpression, PrismType } from './expression.js';

/** The value of a constant expression. */
export interface ConstantValue {
  readonly type: PrismType;
  /** As a double, correctly rounded where `exact` is known; a Boolean for type bool. */
  readonly value: number | boolean;
  /** Absent for Booleans, and where it is no fraction, as `pow(2, 0.5)`. */
  readonly exact?: Rational;
}

/** A variable's place among the values of a state. */
export interface VariableSlot {
  readonly index: number;
  readonly type: PrismType;
}

/** What names in an expression stand for. */
export interface Scope {
  readonly constants: ReadonlyMap<string, ConstantValue>;
  readonly formulas: ReadonlyMap<string, PrismExpression>;
  readonly variables: ReadonlyMap<string, VariableSlot>;
  /** Labels that may be meant where a name without quotes stands for nothing. */
  readonly labels?: readonly string[];
  /** Compare and round numbers that are not whole in exact arithmetic. Default false: in doubles, as PRISM does. */
  readonly exact?: boolean;
  /** The text that places point into, for messages. */
  readonly text: { readonly source: string; readonly name: string };
}

export const noVariables: ReadonlyMap<string, VariableSlot> = new Map();
