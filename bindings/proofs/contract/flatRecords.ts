import type { Expression, ExpressionNode } from '../../languages/expression/index.js';
import type { Typed } from './satisfiable.js';
import type { ValueType } from './valueType.js';

const MOST_DEPTH = 8;

/** Between the parts of a path: names of expressions have no slash, and deciders take what precedes a dot for the name. */
const SEPARATOR = '/';

/**
 * The same values with the fields of records beside them, each a value of its own by its path, such as `result/status`: deciders read no records outside of lists.
 * Fields that may be missing stay within, for reading them may give nothing.
 */
export function flatTypes(types: Typed): Typed {
  const flat = new Map(types);
  const add = (path: string, type: ValueType, depth: number): void => {
    if (type.kind !== 'record' || depth === MOST_DEPTH) return;
    for (const [name, field] of Object.entries(type.fields)) {
      if (field.optional || /[./]/.test(name)) continue;
      flat.set(path + SEPARATOR + name, { type: field.type, optional: false });
      add(path + SEPARATOR + name, field.type, depth + 1);
    }
  };
  for (const [name, { type, optional }] of types) if (!optional) add(name, type, 0);
  return flat;
}

/** A condition that reads these values by their paths. */
export function flatExpression({ name, root }: Expression, flat: Typed): Expression {
  return { name, root: flatNode(root, flat, []) };
}

/** @param bound the variables of the macros around the node */
function flatNode(node: ExpressionNode, flat: Typed, bound: readonly string[]): ExpressionNode {
  const visit = (part: ExpressionNode): ExpressionNode => flatNode(part, flat, bound);
  const path = node.kind === 'field' ? pathOf(node, bound) : null;
  if (path !== null && flat.has(path)) return { kind: 'name', name: path, place: node.place };
  if (node.kind === 'macro')
    return { ...node, list: visit(node.list), body: flatNode(node.body, flat, [...bound, node.variable]) };
  const copy = Object.entries(node).map(([key, part]) => [
    key,
    Array.isArray(part)
      ? part.map((one) => (isNode(one) ? visit(one) : one))
      : isNode(part)
        ? visit(part)
        : part,
  ]);
  return Object.fromEntries(copy);
}

/** The path of a field that is read from a free name; null for another node. */
function pathOf(node: ExpressionNode, bound: readonly string[]): string | null {
  if (node.kind === 'name') return bound.includes(node.name) ? null : node.name;
  if (node.kind !== 'field') return null;
  const object = pathOf(node.object, bound);
  return object === null ? null : object + SEPARATOR + node.field;
}

function isNode(value: unknown): value is ExpressionNode {
  return typeof value === 'object' && value !== null && 'kind' in value && 'place' in value;
}
