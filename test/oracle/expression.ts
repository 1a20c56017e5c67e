import type { ExpressionNode } from '../../bindings/languages/expression/index.js';

/** Says that an expression has no value. */
export class None extends Error {}

type Names = Readonly<Record<string, unknown>>;

/**
 * The value of an expression by the words of docs/expressions.md, one node after another: an oracle for closures, which shares no code with them. Covers what
 * conditions of policies are mostly made of.
 *
 * @throws None if it has none
 */
export function valueOfExpression(node: ExpressionNode, names: Names): unknown {
  const value = (one: ExpressionNode, more: Names = {}): unknown =>
    valueOfExpression(one, { ...names, ...more });
  switch (node.kind) {
    case 'literal':
      return node.value;
    case 'list':
      return node.elements.map((one) => value(one));
    case 'name':
      if (names[node.name] === undefined) throw new None(node.name);
      return names[node.name];
    case 'unary': {
      const operand = value(node.operand);
      if (node.operator === '!') return !ofKind(operand, 'boolean');
      return -ofKind(operand, 'number');
    }
    case 'logical':
      return junction(
        node.operands.map((one) => () => value(one)),
        node.operator === '||',
      );
    case 'conditional':
      return ofKind(value(node.condition), 'boolean') ? value(node.whenTrue) : value(node.whenFalse);
    case 'binary':
      return binary(node.operator, value(node.left), value(node.right));
    case 'call':
      return call(
        node.function,
        node.arguments.map((one) => value(one)),
      );
    case 'macro': {
      const list = value(node.list);
      if (!Array.isArray(list)) throw new None('no list');
      const bodies = list.map((one) => () => value(node.body, { [node.variable]: one }));
      if (node.macro === 'all') return junction(bodies, false);
      if (node.macro === 'exists') return junction(bodies, true);
      const isTrue = bodies.map((body) => ofKind(body(), 'boolean'));
      if (node.macro === 'exists_one') return isTrue.filter((one) => one).length === 1;
      if (node.macro === 'filter') return list.filter((_, i) => isTrue[i]);
      throw new None(node.macro);
    }
    default:
      throw new Error(`the oracle does not know ${node.kind}`);
  }
}

/** One part that decides does, whatever the others are. */
function junction(parts: readonly (() => unknown)[], zero: boolean): boolean {
  let isNone = false;
  for (const part of parts) {
    try {
      if (ofKind(part(), 'boolean') === zero) return zero;
    } catch (error) {
      if (!(error instanceof None)) throw error;
      isNone = true;
    }
  }
  if (isNone) throw new None('a part has none');
  return !zero;
}

interface Kinds {
  boolean: boolean;
  number: number;
  string: string;
}

function ofKind<K extends keyof Kinds>(value: unknown, kind: K): Kinds[K] {
  if (typeof value !== kind) throw new None(`no ${kind}`);
  return value as Kinds[K];
}

function binary(operator: string, left: unknown, right: unknown): unknown {
  switch (operator) {
    case '==':
      return isEqual(left, right);
    case '!=':
      return !isEqual(left, right);
    case 'in':
      if (!Array.isArray(right)) throw new None('no list');
      // What is in a list is compared quietly.
      return right.some((one) => one === left);
    case '+':
      if (typeof left === 'string') return left + ofKind(right, 'string');
      return ofKind(left, 'number') + ofKind(right, 'number');
    case '-':
      return ofKind(left, 'number') - ofKind(right, 'number');
    case '*':
      return ofKind(left, 'number') * ofKind(right, 'number');
  }
  const kind = typeof left === 'string' ? 'string' : typeof left === 'boolean' ? 'boolean' : 'number';
  const [a, b] = [left, right].map((one) => inOrder(ofKind(one, kind)));
  refuseNaN(a, b);
  return { '<': a < b, '<=': a <= b, '>': a > b, '>=': a >= b }[operator];
}

/** A text as one that JavaScript orders by code points: each as seven digits. */
function inOrder(value: unknown): never {
  if (typeof value !== 'string') return value as never;
  return [...value].map((one) => String(one.codePointAt(0)).padStart(7, '0')).join('') as never;
}

/** What is no number, such as 0 times infinity, is compared with nothing. */
function refuseNaN(...values: readonly unknown[]): void {
  if (values.some(Number.isNaN)) throw new None('NaN');
}

/** Values of two kinds are not compared; nothing is equal to nothing alone. */
function isEqual(left: unknown, right: unknown): boolean {
  refuseNaN(left, right);
  if (left !== null && right !== null && typeof left !== typeof right) throw new None('two kinds');
  return left === right;
}

function call(name: string, values: readonly unknown[]): unknown {
  if (name === 'size' && Array.isArray(values[0])) return values[0].length;
  const [text, other = ''] = values.map((one) => ofKind(one, 'string'));
  switch (name) {
    case 'size':
      return [...text].length;
    case 'startsWith':
      return text.slice(0, other.length) === other;
    case 'endsWith':
      return other === '' || text.slice(-other.length) === other;
    case 'contains':
      return text.split(other).length > 1 || other === '';
    case 'lowerAscii':
      return Array.from(text, (one) => (/^[A-Z]$/.test(one) ? one.toLowerCase() : one)).join('');
    default:
      throw new Error(`the oracle does not know ${name}`);
  }
}
