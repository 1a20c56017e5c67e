import { type Cell, cellRead, constantValue, fieldRead } from './closure.js';
import type { ExpressionNode, NodeOf } from './expression.js';
import { numberRead } from './numberReads.js';
import type { Fields } from './values.js';

/** Evaluates a node and writes the number into its slot; returns false if the result is not a number. */
export type NumericTerm = (state: Fields) => boolean;

/** Largest number of intermediate results held at once; deeper terms are evaluated by the general path. */
export const SLOTS = 16;

type Arithmetic = NodeOf<'binary'> & { readonly operator: '+' | '-' | '*' | '/' };

/** Whether the result of a node can only be a number. */
export function isArithmetic(node: ExpressionNode): boolean {
  return node.kind === 'binary' && (node.operator === '-' || node.operator === '*' || node.operator === '/');
}

/**
 * Compiles fields, constants, sums, differences, products and quotients to a function that computes in `slots`, from `slot` on. A closure
 * that returns a number allocates it on the heap; a typed array avoids this.
 *
 * @returns undefined for all other nodes
 */
export function numericTerm(
  node: ExpressionNode,
  variables: ReadonlyMap<string, Cell>,
  slots: Float64Array,
  slot: number,
): NumericTerm | undefined {
  if (slot >= slots.length) return undefined;
  const constant = constantValue(node);
  if (constant !== undefined) {
    if (typeof constant !== 'number') return undefined;
    return () => {
      slots[slot] = constant;
      return true;
    };
  }
  const whole = cellRead(node, variables);
  if (whole !== undefined) {
    return () => {
      const { value } = whole;
      if (typeof value !== 'number') return false;
      slots[slot] = value;
      return true;
    };
  }
  const read = fieldRead(node, variables);
  if (read !== undefined) {
    const { cell, field } = read;
    const write = numberRead(field);
    return (state) => {
      const object = (cell === null ? state : cell.value) as Fields | null | undefined;
      if (typeof object !== 'object' || object === null) return false;
      return write(object, field, slots, slot) && Object.hasOwn(object, field);
    };
  }
  if (node.kind === 'unary' && node.operator === '-') {
    const operand = numericTerm(node.operand, variables, slots, slot);
    return (
      operand &&
      ((state) => {
        if (!operand(state)) return false;
        slots[slot] = -slots[slot];
        return true;
      })
    );
  }
  if (node.kind !== 'binary' || !['+', '-', '*', '/'].includes(node.operator)) return undefined;
  const left = numericTerm(node.left, variables, slots, slot);
  const right = numericTerm(node.right, variables, slots, slot + 1);
  return left && right && calculation(node as Arithmetic, left, right, slots, slot);
}

function calculation(
  { operator }: Arithmetic,
  left: NumericTerm,
  right: NumericTerm,
  slots: Float64Array,
  slot: number,
): NumericTerm {
  const operands: NumericTerm = (state) => left(state) && right(state);
  switch (operator) {
    case '+':
      return (state) => {
        if (!operands(state)) return false;
        slots[slot] += slots[slot + 1];
        return true;
      };
    case '-':
      return (state) => {
        if (!operands(state)) return false;
        slots[slot] -= slots[slot + 1];
        return true;
      };
    case '*':
      return (state) => {
        if (!operands(state)) return false;
        slots[slot] *= slots[slot + 1];
        return true;
      };
    case '/':
      return (state) => {
        if (!operands(state)) return false;
        slots[slot] /= slots[slot + 1];
        return true;
      };
  }
}
