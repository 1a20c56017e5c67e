import type { Closure, FieldRead } from './closure.js';
import type { NodeOf } from './expression.js';

type Operator = NodeOf<'binary'>['operator'];

/** How a number lies to a constant, as a bit; an operator is the set of orders it accepts. */
const less = 1;
const same = 2;
const greater = 4;
const unordered = 8;
const acceptedOrders: Partial<Readonly<Record<Operator, number>>> = {
  '<': less,
  '<=': less | same,
  '>': greater,
  '>=': greater | same,
  '==': same,
  '!=': less | greater | unordered,
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
 * fields, values of other types) is left to `general`.
 */
export function compareField(
  { cell, field }: FieldRead,
  operator: Operator,
  constant: unknown,
  general: Closure,
): Closure {
  if (typeof constant === 'number' && acceptedOrders[operator] !== undefined) {
    const accepted = acceptedOrders[operator];
    return (state, context) => {
      const object = (cell === null ? state : cell.value) as Record<string, unknown> | null | undefined;
      const value = object?.[field];
      if (typeof value !== 'number' || !Object.hasOwn(object!, field)) return general(state, context);
      const order =
        value < constant ? less : value > constant ? greater : value === constant ? same : unordered;
      return (accepted & order) !== 0;
    };
  }
  if (typeof constant === 'string' && (operator === '==' || operator === '!=')) {
    const whenSame = operator === '==';
    return (state, context) => {
      const object = (cell === null ? state : cell.value) as Record<string, unknown> | null | undefined;
      const value = object?.[field];
      if (typeof value !== 'string' || !Object.hasOwn(object!, field)) return general(state, context);
      return (value === constant) === whenSame;
    };
  }
  return general;
}
