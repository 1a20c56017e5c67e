import { ParseError } from '../../base/errors.js';
import {
  type Expression,
  type ExpressionNode,
  parseExpression,
  printExpression,
} from '../../languages/expression/index.js';
import type { Json, PlanExpression, Value } from './plan.js';

/*
 * One way to say each value, so that equal plans have equal hashes, and a plan as code reads back as the same plan.
 */

type Literal = Extract<Value, { kind: 'literal' }>;

function isLiteral(value: Value): value is Literal {
  return value.kind === 'literal';
}

export function literal(value: Json): Value {
  return { kind: 'literal', value: Object.is(value, -0) ? 0 : value };
}

export function reference(name: string, path: readonly (string | number)[] = []): Value {
  return { kind: 'reference', name, path };
}

/** A list; of literals alone a literal. */
export function listOf(of: readonly Value[]): Value {
  return of.every(isLiteral) ? literal(of.map(({ value }) => value)) : { kind: 'list', of };
}

/** A record; of literals alone a literal. */
export function recordOf(fields: readonly (readonly [string, Value])[]): Value {
  const literals: [string, Json][] = [];
  for (const [name, value] of fields) if (isLiteral(value)) literals.push([name, value.value]);
  return literals.length === fields.length
    ? literal(Object.fromEntries(literals))
    : { kind: 'record', fields: Object.fromEntries(fields) };
}

/** Texts one behind another: inner ones are opened, neighbouring literals joined, and empty ones dropped. */
export function textOf(of: readonly Value[]): Value {
  const parts: Value[] = [];
  const add = (part: Value): void => {
    if (part.kind === 'text') {
      part.of.forEach(add);
      return;
    }
    const words = isLiteral(part) ? wordsOfScalar(part.value) : null;
    if (words === null) parts.push(part);
    else if (words !== '') {
      const last = parts.at(-1);
      const before = last !== undefined && isLiteral(last) ? wordsOfScalar(last.value) : null;
      if (before === null) parts.push(literal(words));
      else parts[parts.length - 1] = literal(before + words);
    }
  };
  of.forEach(add);
  if (parts.length === 0) return literal('');
  const [only] = parts;
  return parts.length === 1 && isLiteral(only) && typeof only.value === 'string'
    ? only
    : { kind: 'text', of: parts };
}

/** A text, number or truth value as a text; null for other values, which no text has a place for. */
export function wordsOfScalar(value: unknown): string | null {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}

/** What an expression says, said as a value: literals, paths, lists and maps as such. */
export function valueOfExpression(root: ExpressionNode): Value {
  const constant = constantOf(root);
  if (constant !== undefined) return literal(constant);
  const path = pathOf(root);
  if (path !== null) return reference(path.name, path.path);
  if (root.kind === 'list') return listOf(root.elements.map(valueOfExpression));
  if (root.kind === 'map') {
    const keys = root.keys.map(constantOf);
    if (keys.every((key) => typeof key === 'string') && new Set(keys).size === keys.length)
      return recordOf(keys.map((key, i) => [key, valueOfExpression(root.values[i])]));
  }
  return { kind: 'expression', expression: expressionOf(root) };
}

function constantOf(node: ExpressionNode): number | string | boolean | null | undefined {
  if (node.kind === 'literal') return node.value;
  if (node.kind !== 'unary' || node.operator !== '-') return undefined;
  const value = constantOf(node.operand);
  return typeof value === 'number' ? -value : undefined;
}

/** A name with fields and constant indices; null for other nodes. */
export function pathOf(
  root: ExpressionNode,
): { readonly name: string; readonly path: readonly (string | number)[] } | null {
  const path: (string | number)[] = [];
  let node = root;
  for (;;) {
    if (node.kind === 'name') return { name: node.name, path: path.reverse() };
    if (node.kind === 'field') {
      path.push(node.field);
      node = node.object;
    } else if (node.kind === 'index' && node.index.kind === 'literal') {
      const { value } = node.index;
      if (typeof value !== 'string' && !(Number.isSafeInteger(value) && (value as number) >= 0)) return null;
      path.push(value as string | number);
      node = node.object;
    } else return null;
  }
}

const trees = new WeakMap<PlanExpression, Expression>();

/** An expression of a plan, from its tree. @throws ParseError if it is nested too deep */
export function expressionOf(root: ExpressionNode): PlanExpression {
  return readExpression(printExpression({ name: '', root }));
}

/** An expression of a plan, from its source. @throws ParseError if it is none */
export function readExpression(source: string): PlanExpression {
  const tree = parseExpression(source);
  const expression = { source: printExpression({ name: '', root: normalised(tree.root) }) };
  // Places in messages are those in the text that the plan keeps. What is printed as it was written had nothing to be normalised.
  trees.set(expression, expression.source === source ? tree : parseExpression(expression.source));
  return expression;
}

/** One tree for expressions that differ in spelling alone: chains of `&&` and of `||` are flat, and `x["a"]` is `x.a`. */
function normalised(node: ExpressionNode): ExpressionNode {
  const inner = mapChildren(node, normalised);
  if (inner.kind === 'logical') {
    const operands = inner.operands.flatMap((operand) =>
      operand.kind === 'logical' && operand.operator === inner.operator ? operand.operands : [operand],
    );
    return { ...inner, operands };
  }
  if (inner.kind !== 'index' || inner.index.kind !== 'literal') return inner;
  const { value } = inner.index;
  const { object, place } = inner;
  return typeof value === 'string' && FIELD.test(value)
    ? { kind: 'field', object, field: value, place }
    : inner;
}

/** What may stand behind a dot. */
const FIELD = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** A node with other parts. */
export function mapChildren(
  node: ExpressionNode,
  map: (node: ExpressionNode) => ExpressionNode,
): ExpressionNode {
  switch (node.kind) {
    case 'literal':
    case 'name':
      return node;
    case 'list':
      return { ...node, elements: node.elements.map(map) };
    case 'map':
      return { ...node, keys: node.keys.map(map), values: node.values.map(map) };
    case 'field':
    case 'has':
      return { ...node, object: map(node.object) };
    case 'index':
      return { ...node, object: map(node.object), index: map(node.index) };
    case 'unary':
      return { ...node, operand: map(node.operand) };
    case 'binary':
      return { ...node, left: map(node.left), right: map(node.right) };
    case 'logical':
      return { ...node, operands: node.operands.map(map) };
    case 'conditional':
      return {
        ...node,
        condition: map(node.condition),
        whenTrue: map(node.whenTrue),
        whenFalse: map(node.whenFalse),
      };
    case 'call':
      return { ...node, arguments: node.arguments.map(map) };
    case 'macro':
      return { ...node, list: map(node.list), body: map(node.body) };
  }
}

/** The tree of an expression of a plan. It is parsed once. @throws ParseError if a plan that was made by hand holds none */
export function parsed(expression: PlanExpression): Expression {
  let tree = trees.get(expression);
  if (tree === undefined) {
    tree = parseExpression(expression.source);
    trees.set(expression, tree);
  }
  return tree;
}

/** What a parser of expressions found, without the place; null if the error is not its own. */
export function faultOfExpression(
  error: unknown,
): { readonly found: string; readonly expected: string } | null {
  if (!(error instanceof ParseError)) return null;
  const { message, source, line, column, expected = 'an expression' } = error;
  const words = message.slice(`${source}:${line}:${column}: `.length);
  const found = words.replace(/^found /, '').replace(`, expected ${expected}`, '');
  return { found: `${found} at ${line}:${column} of the expression`, expected };
}
