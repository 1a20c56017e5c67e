import { ParseError } from '../../base/errors.js';
import type { Expression, ExpressionNode } from './expression.js';
import { FUNCTION_NAMES, FUNCTIONS } from './functions.js';

/** A syntax tree as JSON: `[kind, offset in the source, ...parts]`, with parts in the order of `shapes`. */
export type ExpressionTree = readonly unknown[];

/** Deepest tree accepted, as in the parser; a chain of `&&` or `||` counts as one level. */
const maximumDepth = 250;

/** The type of a part of a node: a node, several nodes, text, a literal's value, or one of a set of words. */
type Part = 'node' | 'nodes' | 'text' | 'value' | readonly string[];

const shapes: Readonly<Record<ExpressionNode['kind'], Readonly<Record<string, Part>>>> = {
  literal: { value: 'value' },
  list: { elements: 'nodes' },
  map: { keys: 'nodes', values: 'nodes' },
  name: { name: 'text' },
  field: { object: 'node', field: 'text' },
  has: { object: 'node', field: 'text' },
  index: { object: 'node', index: 'node' },
  unary: { operator: ['!', '-'], operand: 'node' },
  binary: {
    operator: ['+', '-', '*', '/', '%', '==', '!=', '<', '<=', '>', '>=', 'in'],
    left: 'node',
    right: 'node',
  },
  logical: { operator: ['&&', '||'], operands: 'nodes' },
  conditional: { condition: 'node', whenTrue: 'node', whenFalse: 'node' },
  call: { function: FUNCTION_NAMES, arguments: 'nodes' },
  macro: {
    macro: ['exists', 'all', 'exists_one', 'filter', 'map'],
    list: 'node',
    variable: 'text',
    body: 'node',
  },
};

/** Converts an expression to a tree that `readExpressionTree` reads. */
export function expressionTree({ root }: Expression): ExpressionTree {
  const encode = (node: ExpressionNode): ExpressionTree => {
    const parts = Object.entries(shapes[node.kind]).map(([name, part]) => {
      const value = (node as unknown as Record<string, unknown>)[name];
      if (part === 'node') return encode(value as ExpressionNode);
      return part === 'nodes' ? (value as ExpressionNode[]).map(encode) : value;
    });
    return [node.kind, node.place.offset, ...parts];
  };
  return encode(root);
}

/**
 * Reads a tree that `expressionTree` returned, without a parser. The result can always be compiled. The tree is not compared with `source`,
 * and types are not checked again, because they were checked before it was written.
 *
 * @param source the text that was parsed, for the places in messages.
 * @param name the name of the source in messages, as in `parseExpression`.
 * @throws ParseError if it is not such a tree
 */
export function readExpressionTree(tree: unknown, source: string, name: string): Expression {
  const fail = (): never => {
    throw new ParseError('found a damaged tree, expected one as it was compiled; compile the file again', {
      source: name,
      line: 1,
      column: 1,
    });
  };
  const decode = (value: unknown, depth: number): ExpressionNode => {
    if (!Array.isArray(value) || depth > maximumDepth) return fail();
    const [kind, offset, ...parts] = value;
    if (typeof kind !== 'string' || !Object.hasOwn(shapes, kind)) return fail();
    if (!Number.isInteger(offset) || offset < 0 || offset > source.length) return fail();
    const shape = Object.entries(shapes[kind as ExpressionNode['kind']]);
    if (parts.length !== shape.length) return fail();
    const before = source.slice(0, offset).split('\n');
    const node: Record<string, unknown> = {
      kind,
      place: { line: before.length, column: before[before.length - 1].length + 1, offset },
    };
    shape.forEach(([part, type], i) => {
      const found = parts[i];
      if (type === 'node') node[part] = decode(found, depth + 1);
      else if (type === 'nodes') {
        node[part] = Array.isArray(found) ? found.map((one) => decode(one, depth + 1)) : fail();
      } else node[part] = isPart(found, type) ? found : fail();
    });
    return isWhole(node as unknown as ExpressionNode) ? (node as unknown as ExpressionNode) : fail();
  };
  return { name, root: decode(tree, 1) };
}

function isPart(value: unknown, type: 'text' | 'value' | readonly string[]): boolean {
  if (typeof type !== 'string') return type.includes(value as string);
  if (typeof value === 'string') return true;
  return type === 'value' && (value === null || typeof value === 'boolean' || Number.isFinite(value));
}

/** Whether the parts of a node are consistent. */
function isWhole(node: ExpressionNode): boolean {
  switch (node.kind) {
    case 'map':
      return node.keys.length === node.values.length;
    case 'logical':
      return node.operands.length > 1;
    case 'call':
      return node.arguments.length === FUNCTIONS[node.function].arguments.length;
    default:
      return true;
  }
}
