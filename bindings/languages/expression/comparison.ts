import { type Cell, type Closure, cellRead, constantValue, fieldRead } from './closure.js';
import type { ExpressionNode, NodeOf } from './expression.js';
import { greater, less, noOrder, orderOf, orderRead, same } from './numberReads.js';
import { isArithmetic, numericTerm, SLOTS } from './numericTerm.js';
import type { Fields } from './values.js';

type Operator = NodeOf<'binary'>['operator'];
type Variables = ReadonlyMap<string, Cell>;

/** For each operator, the orders that make it true. */
const acceptedOrders: Partial<Readonly<Record<Operator, number>>> = {
  '<': less,
  '<=': less | same,
  '>': greater,
  '>=': greater | same,
  '==': same,
  '!=': less | greater,
};

/**
 * Compiles the fast paths of comparisons: numbers, possibly computed, without allocating them on the heap, and a text field with a
 * constant. All other cases (absent fields, values of other types, NaN) are left to `general`.
 */
export function compileComparison(
  node: NodeOf<'binary'>,
  variables: Variables,
  general: Closure,
): Closure | undefined {
  const { operator, left, right } = node;
  if (operator === '==' || operator === '!=') {
    const ofText =
      compareText(left, operator, right, variables, general) ??
      compareText(right, operator, left, variables, general);
    // Two fields may both be texts: try the numeric path only if one side is certainly a number.
    if (ofText !== undefined || !(isNumber(left) || isNumber(right))) return ofText;
  }
  return compareNumbers(node, variables, general);
}

function isNumber(node: ExpressionNode): boolean {
  return typeof constantValue(node) === 'number' || isArithmetic(node);
}

function compareNumbers(
  { operator, left, right }: NodeOf<'binary'>,
  variables: Variables,
  general: Closure,
): Closure | undefined {
  const accepted = acceptedOrders[operator];
  if (accepted === undefined) return undefined;
  const constant = constantValue(right);
  const whole = cellRead(left, variables);
  if (typeof constant === 'number' && whole !== undefined) {
    return (state, context) => {
      const found = orderOf(whole.value, constant);
      return found === noOrder ? general(state, context) : (accepted & found) !== 0;
    };
  }
  const read = fieldRead(left, variables);
  if (typeof constant === 'number' && read !== undefined) {
    const { cell, field } = read;
    const order = orderRead(field);
    return (state, context) => {
      const object = (cell === null ? state : cell.value) as Fields | null | undefined;
      if (typeof object !== 'object' || object === null) return general(state, context);
      const found = order(object, field, constant);
      if (found === noOrder || !Object.hasOwn(object, field)) return general(state, context);
      return (accepted & found) !== 0;
    };
  }
  const slots = new Float64Array(SLOTS);
  const first = numericTerm(left, variables, slots, 0);
  const second = numericTerm(right, variables, slots, 1);
  if (first === undefined || second === undefined) return undefined;
  return (state, context) => {
    const found = first(state) && second(state) ? orderOf(slots[0], slots[1]) : noOrder;
    return found === noOrder ? general(state, context) : (accepted & found) !== 0;
  };
}

function compareText(
  node: ExpressionNode,
  operator: '==' | '!=',
  other: ExpressionNode,
  variables: Variables,
  general: Closure,
): Closure | undefined {
  const constant = constantValue(other);
  if (typeof constant !== 'string') return undefined;
  const whenSame = operator === '==';
  const whole = cellRead(node, variables);
  if (whole !== undefined) {
    return (state, context) => {
      const { value } = whole;
      return typeof value === 'string' ? (value === constant) === whenSame : general(state, context);
    };
  }
  const read = fieldRead(node, variables);
  if (read === undefined) return undefined;
  const { cell, field } = read;
  return (state, context) => {
    const object = (cell === null ? state : cell.value) as Fields | null | undefined;
    const value = object?.[field];
    if (typeof value !== 'string' || !Object.hasOwn(object!, field)) return general(state, context);
    return (value === constant) === whenSame;
  };
}
