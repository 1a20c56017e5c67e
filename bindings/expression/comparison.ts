import type { Closure, FieldRead } from './closure.js';
import type { NodeOf } from './expression.js';
import { greater, less, noNumber, numberRead, same } from './numberReads.js';
import type { Fields } from './values.js';

type Operator = NodeOf<'binary'>['operator'];

/** The orders that make each operator true. */
const acceptedOrders: Partial<Readonly<Record<Operator, number>>> = {
  '<': less,
  '<=': less | same,
  '>': greater,
  '>=': greater | same,
  '==': same,
  '!=': less | greater,
};
const mirrored: Partial<Readonly<Record<Operator, Operator>>> = {
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
};

/** The operator that says the same with its operands exchanged. */
export function mirror(operator: Operator): Operator {
  return mirrored[operator] ?? operator;
}

/**
 * The fast path of comparing one field with a constant: a single closure, without calls for its operands. All else (absent
 * fields, values of other types, NaN) is left to `general`.
 */
export function compareField(
  { cell, field }: FieldRead,
  operator: Operator,
  constant: unknown,
  general: Closure,
): Closure {
  if (typeof constant === 'number' && acceptedOrders[operator] !== undefined) {
    const accepted = acceptedOrders[operator];
    const read = numberRead(field);
    return (state, context) => {
      const object = (cell === null ? state : cell.value) as Fields | null | undefined;
      if (typeof object !== 'object' || object === null) return general(state, context);
      const order = read(object, field, constant);
      if (order === noNumber || !Object.hasOwn(object, field)) return general(state, context);
      return (accepted & order) !== 0;
    };
  }
  if (typeof constant === 'string' && (operator === '==' || operator === '!=')) {
    const whenSame = operator === '==';
    return (state, context) => {
      const object = (cell === null ? state : cell.value) as Fields | null | undefined;
      const value = object?.[field];
      if (typeof value !== 'string' || !Object.hasOwn(object!, field)) return general(state, context);
      return (value === constant) === whenSame;
    };
  }
  return general;
}
