import {
  compileExpression,
  type Expression,
  type ExpressionNode,
  freeNames,
} from '../../languages/expression/index.js';

/** The value of an expression that reads nothing; undefined if it reads something, or has no value. */
export function constantOf(node: ExpressionNode): { readonly value: unknown } | undefined {
  if (node.kind === 'literal') return { value: node.value };
  if (freeNames({ name: '', root: node }).length > 0) return undefined;
  try {
    return { value: compileExpression({ name: '', root: node })({}, {}) };
  } catch {
    return undefined;
  }
}

type Scalar = string | number | boolean | null;
/** A value that can stand in place of a name. */
export type Substitute = Scalar | readonly Scalar[];

/** An expression with a value in place of a name. */
export function substituted({ name, root }: Expression, of: string, value: Substitute): Expression {
  return { name, root: substitute(root, of, value) };
}

/** The expression with a value in place of a name, where no macro binds the name. */
export function substitute(node: ExpressionNode, name: string, value: Substitute): ExpressionNode {
  const visit = (at: ExpressionNode): ExpressionNode => {
    switch (at.kind) {
      case 'literal':
        return at;
      case 'name':
        return at.name === name ? literalOf(value, at.place) : at;
      case 'list':
        return { ...at, elements: at.elements.map(visit) };
      case 'map':
        return { ...at, keys: at.keys.map(visit), values: at.values.map(visit) };
      case 'field':
      case 'has':
        return { ...at, object: visit(at.object) };
      case 'index':
        return { ...at, object: visit(at.object), index: visit(at.index) };
      case 'unary':
        return { ...at, operand: visit(at.operand) };
      case 'binary':
        return { ...at, left: visit(at.left), right: visit(at.right) };
      case 'logical':
        return { ...at, operands: at.operands.map(visit) };
      case 'conditional':
        return {
          ...at,
          condition: visit(at.condition),
          whenTrue: visit(at.whenTrue),
          whenFalse: visit(at.whenFalse),
        };
      case 'call':
        return { ...at, arguments: at.arguments.map(visit) };
      case 'macro':
        return { ...at, list: visit(at.list), body: at.variable === name ? at.body : visit(at.body) };
    }
  };
  return visit(node);
}

function literalOf(value: Substitute, place: ExpressionNode['place']): ExpressionNode {
  if (typeof value !== 'object' || value === null) return { kind: 'literal', value, place };
  return { kind: 'list', elements: value.map((one) => ({ kind: 'literal', value: one, place })), place };
}

/** The body of a macro with its variable under another name. */
export function rename(body: ExpressionNode, from: string, to: string): ExpressionNode {
  const visit = (at: ExpressionNode): ExpressionNode => {
    if (at.kind === 'name') return at.name === from ? { ...at, name: to } : at;
    if (at.kind === 'macro')
      return { ...at, list: visit(at.list), body: at.variable === from ? at.body : visit(at.body) };
    const copy = { ...at } as Record<string, unknown>;
    for (const [key, part] of Object.entries(at)) {
      if (Array.isArray(part)) copy[key] = part.map((one) => (isNode(one) ? visit(one) : one));
      else if (isNode(part)) copy[key] = visit(part);
    }
    return copy as unknown as ExpressionNode;
  };
  return visit(body);
}

function isNode(value: unknown): value is ExpressionNode {
  return typeof value === 'object' && value !== null && 'kind' in value && 'place' in value;
}
