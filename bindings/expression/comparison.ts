import { type Cell, type Closure, constantValue, fieldRead } from './closure.js';
import type { ExpressionNode, NodeOf } from './expression.js';
import { isArithmetic, numericTerm, SLOTS } from './numericTerm.js';
import type { Fields } from './values.js';

type Operator = NodeOf<'binary'>['operator'];
type Variables = ReadonlyMap<string, Cell>;

/** How two numbers lie to each other, as a bit, so that an operator is the set of orders it accepts. NaN lies to nothing. */
const less = 1;
const same = 2;
const greater = 4;

/** The orders that make each operator true. */
const acceptedOrders: Partial<Readonly<Record<Operator, number>>> = {
  '<': less,
  '<=': less | same,
  '>': greater,
  '>=': greater | same,
  '==': same,
  '!=': less | greater,
};

/**
 * The fast paths of comparing: numbers, which may be calculated, without putting one on the heap, and a text field with a constant. All
 * else (absent fields, values of other types, NaN) is left to `general`.
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
    // Two fields may be two texts: only what is surely a number is worth a try.
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
  const slots = new Float64Array(SLOTS);
  const first = numericTerm(left, variables, slots, 0);
  const second = numericTerm(right, variables, slots, 1);
  if (first === undefined || second === undefined) return undefined;
  const constant = constantValue(right);
  if (typeof constant === 'number') {
    return (state, context) => {
      const order = first(state) ? orderOf(slots[0], constant) : 0;
      return order === 0 ? general(state, context) : (accepted & order) !== 0;
    };
  }
  return (state, context) => {
    const order = first(state) && second(state) ? orderOf(slots[0], slots[1]) : 0;
    return order === 0 ? general(state, context) : (accepted & order) !== 0;
  };
}

function orderOf(a: number, b: number): number {
  return a < b ? less : a > b ? greater : a === b ? same : 0;
}

function compareText(
  node: ExpressionNode,
  operator: '==' | '!=',
  other: ExpressionNode,
  variables: Variables,
  general: Closure,
): Closure | undefined {
  const read = fieldRead(node, variables);
  const constant = constantValue(other);
  if (read === undefined || typeof constant !== 'string') return undefined;
  const { cell, field } = read;
  const whenSame = operator === '==';
  return (state, context) => {
    const object = (cell === null ? state : cell.value) as Fields | null | undefined;
    const value = object?.[field];
    if (typeof value !== 'string' || !Object.hasOwn(object!, field)) return general(state, context);
    return (value === constant) === whenSame;
  };
}
