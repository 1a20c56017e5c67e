import {
  compileCondition,
  compileExpression,
  type ExpressionNode,
  freeNames,
  isTruth,
  printExpression,
} from '../../languages/expression/index.js';
import type { Claim } from './certificate.js';

/** The three values of an expression, as bits. */
export const FALSE = 1;
export const TRUE = 2;
export const NONE = 4;
const VALUES = [FALSE, TRUE, NONE];
export const ANY = 7;

/** The name of an element of a list in predicates. */
export const ELEMENT = '(element)';

/** A claim, or a condition, as connectives over predicates without connectives. */
export type Tree =
  | { readonly kind: 'leaf'; readonly key: string }
  | { readonly kind: 'constant'; readonly value: number }
  | { readonly kind: 'not'; readonly of: Tree }
  | { readonly kind: 'and' | 'or'; readonly of: readonly Tree[] }
  | { readonly kind: 'if'; readonly of: readonly [Tree, Tree, Tree] }
  | { readonly kind: 'is'; readonly mask: number; readonly of: Tree };

/** Predicates by their printed text. */
export type Leaves = Map<string, ExpressionNode>;

type Scalar = string | number | boolean | null;

/** @param given inputs with known values; @param leaves receives the predicates */
export function treeOfClaim(claim: Claim, given: Readonly<Record<string, Scalar>>, leaves: Leaves): Tree {
  switch (claim.kind) {
    case 'is': {
      const bits = { true: TRUE, false: FALSE, none: NONE };
      const mask = claim.values.reduce((sum, value) => sum | bits[value], 0);
      return { kind: 'is', mask, of: treeOf(filledIn(claim.of.root, given), leaves) };
    }
    case 'not':
      return { kind: 'not', of: treeOfClaim(claim.of, given, leaves) };
    default:
      return { kind: claim.kind, of: claim.of.map((one) => treeOfClaim(one, given, leaves)) };
  }
}

export function treeOf(node: ExpressionNode, leaves: Leaves): Tree {
  if (node.kind === 'logical')
    return {
      kind: node.operator === '&&' ? 'and' : 'or',
      of: node.operands.map((one) => treeOf(one, leaves)),
    };
  if (node.kind === 'unary' && node.operator === '!')
    return { kind: 'not', of: treeOf(node.operand, leaves) };
  if (node.kind === 'conditional') {
    const part = (one: ExpressionNode) => treeOf(one, leaves);
    return { kind: 'if', of: [part(node.condition), part(node.whenTrue), part(node.whenFalse)] };
  }
  if (node.kind === 'binary' && isTruth(node.left) && isTruth(node.right)) {
    // Equality of truth values is a connective. It has a value where both sides have one.
    const [left, right] = [treeOf(node.left, leaves), treeOf(node.right, leaves)];
    const other: Tree = { kind: 'not', of: right };
    if (node.operator === '==') return { kind: 'if', of: [left, right, other] };
    if (node.operator === '!=') return { kind: 'if', of: [left, other, right] };
  }
  if (isConstant(node)) return { kind: 'constant', value: valueAt(node, {}) };
  if (node.kind === 'macro' && (node.macro === 'all' || node.macro === 'exists') && isConstant(node.list)) {
    const elements = constantValue(node.list);
    if (Array.isArray(elements) && elements.every((one) => one === null || typeof one !== 'object')) {
      const of = elements.map((one) => treeOf(filledIn(node.body, { [node.variable]: one }), leaves));
      return { kind: node.macro === 'all' ? 'and' : 'or', of };
    }
  }
  const key = printed(node);
  leaves.set(key, node);
  return { kind: 'leaf', key };
}

/** The values that a tree may have, as bits, where each predicate may have some. */
export function valuesOf(tree: Tree, leaf: (key: string) => number): number {
  switch (tree.kind) {
    case 'leaf':
      return leaf(tree.key);
    case 'constant':
      return tree.value;
    case 'not': {
      const of = valuesOf(tree.of, leaf);
      return (of & FALSE ? TRUE : 0) | (of & TRUE ? FALSE : 0) | (of & NONE);
    }
    case 'is': {
      const of = valuesOf(tree.of, leaf);
      return (of & tree.mask ? TRUE : 0) | (of & ~tree.mask ? FALSE : 0);
    }
    case 'if': {
      const condition = valuesOf(tree.of[0], leaf);
      const then = condition & TRUE ? valuesOf(tree.of[1], leaf) : 0;
      const otherwise = condition & FALSE ? valuesOf(tree.of[2], leaf) : 0;
      return then | otherwise | (condition & NONE);
    }
    default: {
      // One part that decides does, whatever the others are; else one without a value makes the whole have none.
      const [zero, one] = tree.kind === 'and' ? [FALSE, TRUE] : [TRUE, FALSE];
      let found = one;
      for (const part of tree.of) {
        const values = valuesOf(part, leaf);
        if (values === zero) return zero;
        let next = 0;
        for (const a of VALUES)
          for (const b of VALUES)
            if (found & a && values & b)
              next |= a === zero || b === zero ? zero : a === NONE || b === NONE ? NONE : one;
        found = next;
      }
      return found;
    }
  }
}

/** The value of a condition. */
export function valueAt(node: ExpressionNode, inputs: Readonly<Record<string, unknown>>): number {
  return evaluator(node)(inputs);
}

/** Evaluates a condition by the functions as they run. */
export function evaluator(node: ExpressionNode): (inputs: Readonly<Record<string, unknown>>) => number {
  try {
    const evaluate = compileCondition({ name: '', root: node });
    return (inputs) => {
      try {
        return evaluate(inputs, {}) ? TRUE : FALSE;
      } catch {
        return NONE;
      }
    };
  } catch {
    // A pattern that is none.
    return () => NONE;
  }
}

export function isConstant(node: ExpressionNode): boolean {
  return freeNames({ name: '', root: node }).length === 0;
}

/** The value of an expression that reads nothing; undefined if it has none. */
export function constantValue(node: ExpressionNode): unknown {
  try {
    return compileExpression({ name: '', root: node })({}, {});
  } catch {
    return undefined;
  }
}

export function printed(node: ExpressionNode): string {
  return printExpression({ name: '', root: node });
}

/** The expression with values, or an element, in place of names that no macro binds. */
export function filledIn(
  node: ExpressionNode,
  values: Readonly<Record<string, Scalar | { readonly name: string }>>,
): ExpressionNode {
  if (node.kind === 'name' && Object.hasOwn(values, node.name)) {
    const value = values[node.name];
    return typeof value === 'object' && value !== null
      ? { ...node, name: value.name }
      : { kind: 'literal', value, place: node.place };
  }
  const copy: Record<string, unknown> = { ...node };
  for (const [key, part] of Object.entries(node)) {
    const { [node.kind === 'macro' && key === 'body' ? node.variable : '']: _, ...inside } = values;
    if (isNode(part)) copy[key] = filledIn(part, inside);
    else if (Array.isArray(part)) copy[key] = part.map((one) => (isNode(one) ? filledIn(one, inside) : one));
  }
  return copy as unknown as ExpressionNode;
}

function isNode(value: unknown): value is ExpressionNode {
  return typeof value === 'object' && value !== null && 'kind' in value && 'place' in value;
}
