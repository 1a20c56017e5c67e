import type { ExpressionNode, Place } from './expression.js';
import { type Failure, mismatch } from './failure.js';
import { printExpression } from './print.js';
import type { Fields } from './values.js';

/** The parts of a step other than its state, under the reserved names `time` and `action`. A `Step` of a trace is an `EvaluationContext`. */
export interface EvaluationContext {
  readonly time?: unknown;
  readonly action?: unknown;
}

/** A compiled node: returns its value, or a `Failure`. Never throws by itself, never keeps the state. */
export type Closure = (state: Fields, context: EvaluationContext) => unknown;

/** Holds a value for the closures that read it: the current element of a macro, one cell per macro in the source; or an input (`compileOnCells`). */
export interface Cell {
  value: unknown;
  /** The path of the elements, or the input's name; see `pathOf`. */
  readonly path: string;
}

/** A read of one field of the state (`cell` null) or of a macro's variable: the shapes that compile to fast paths. */
export interface FieldRead {
  readonly cell: Cell | null;
  readonly field: string;
}

/**
 * Recognises a node that reads one field. Arrays own a `length` that is not a field; leaving that name to the general path spares the fast
 * paths a check of every object's kind.
 */
export function fieldRead(node: ExpressionNode, variables: ReadonlyMap<string, Cell>): FieldRead | undefined {
  if (node.kind === 'name') {
    const isField = !variables.has(node.name) && !isReserved(node.name) && node.name !== 'length';
    return isField ? { cell: null, field: node.name } : undefined;
  }
  if (node.kind !== 'field' || node.object.kind !== 'name' || node.field === 'length') return undefined;
  const cell = variables.get(node.object.name);
  return cell === undefined ? undefined : { cell, field: node.field };
}

/** The cell that a node reads as a whole; undefined for all other nodes. */
export function cellRead(node: ExpressionNode, variables: ReadonlyMap<string, Cell>): Cell | undefined {
  return node.kind === 'name' ? variables.get(node.name) : undefined;
}

export function isReserved(name: string): name is keyof EvaluationContext {
  return name === 'time' || name === 'action';
}

/**
 * The dotted path that a node reads, from the state or the step: `ego.speed`, `action.arguments`, and `objects.isOpen` for an element of
 * `objects`, whether a macro binds it or an index selects it. A computed value is shown as its expression.
 */
export function pathOf(node: ExpressionNode, variables: ReadonlyMap<string, Cell>): string {
  switch (node.kind) {
    case 'name':
      return variables.get(node.name)?.path ?? node.name;
    case 'field':
      return `${pathOf(node.object, variables)}.${node.field}`;
    case 'index': {
      const object = pathOf(node.object, variables);
      const key = constantValue(node.index);
      return typeof key === 'string' ? `${object}.${key}` : object;
    }
    default:
      return node.kind === 'macro' && node.macro === 'filter'
        ? pathOf(node.list, variables)
        : printExpression({ name: '', root: node });
  }
}

/** The value of a condition, or a failure if it is not Boolean. */
export function condition(value: unknown, place: Place, operation: string): boolean | Failure {
  return typeof value === 'boolean' ? value : mismatch(place, operation, 'a Boolean', value);
}

/** The value of a node that does not depend on the state; undefined for all other nodes. */
export function constantValue(node: ExpressionNode): unknown {
  if (node.kind === 'literal') return node.value;
  if (node.kind === 'unary' && node.operator === '-') {
    const value = constantValue(node.operand);
    return typeof value === 'number' ? -value : undefined;
  }
  if (node.kind !== 'list') return undefined;
  const elements = node.elements.map(constantValue);
  return elements.includes(undefined) ? undefined : elements;
}
