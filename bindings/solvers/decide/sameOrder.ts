import {
  type Expression,
  type ExpressionNode,
  FUNCTIONS,
  freeNames,
  type NodeOf,
  printExpression,
} from '../../languages/expression/index.js';
import type { Inputs } from '../../languages/inputs/index.js';
import { constantOf } from './constants.js';
import { isRelation, MIRRORED, type Relation } from './relations.js';

/**
 * Writes comparisons that no decider follows with as few predicates as can be, so that what they say of each other is not lost: `a != b` as `!(a == b)`,
 * `a >= b` as `!(a < b)`, and `t < 3`, where `t < 5` is asked as well, as `t < 3 && t < 5`. Each expression has the same value of every input, or none, as before.
 *
 * @param expressions all that will be asked together
 */
export class SameOrder {
  readonly #inputs: Inputs;
  /** Names that macros give to elements: not those of inputs. */
  readonly #bound = new Set<string>();
  /** For each term that is compared with numbers: the predicates, each of which implies the next. */
  readonly #chains = new Map<string, Cut[]>();

  constructor(inputs: Inputs, expressions: readonly Expression[]) {
    this.#inputs = inputs;
    const bind = (node: ExpressionNode): ExpressionNode => {
      if (node.kind === 'macro') this.#bound.add(node.variable);
      return node;
    };
    for (const { root } of expressions) this.#visit(root, bind);
    for (const { root } of expressions) this.#visit(root, (node) => this.#collect(node));
    for (const chain of this.#chains.values())
      chain.sort(
        (a, b) => a.bound - b.bound || (a.operator === b.operator ? 0 : a.operator === '<' ? -1 : 1),
      );
  }

  of({ name, root }: Expression): Expression {
    return { name, root: this.#visit(root, (node) => this.#rewritten(node)) };
  }

  #visit(node: ExpressionNode, change: (node: ExpressionNode) => ExpressionNode): ExpressionNode {
    const copy = { ...node } as Record<string, unknown>;
    for (const [key, part] of Object.entries(node)) {
      if (Array.isArray(part)) copy[key] = part.map((one) => (isNode(one) ? this.#visit(one, change) : one));
      else if (isNode(part)) copy[key] = this.#visit(part, change);
    }
    return change(copy as unknown as ExpressionNode);
  }

  #collect(node: ExpressionNode): ExpressionNode {
    const found = this.#againstNumber(node);
    if (found === undefined) return node;
    const { term, operator, bound } = found;
    const key = printed(term);
    const chain = this.#chains.get(key) ?? [];
    this.#chains.set(key, chain);
    for (const one of cutsOf(operator))
      if (!chain.some((cut) => cut.operator === one && cut.bound === bound))
        chain.push({ operator: one, bound });
    return node;
  }

  /** A comparison of a computed number with a known one. */
  #againstNumber(
    node: ExpressionNode,
  ): { readonly term: ExpressionNode; readonly operator: Relation; readonly bound: number } | undefined {
    if (node.kind !== 'binary' || !isRelation(node.operator)) return undefined;
    const [left, right] = [constantOf(node.left), constantOf(node.right)];
    if ((left === undefined) === (right === undefined)) return undefined;
    const term = left === undefined ? node.left : node.right;
    const bound = (left ?? right)?.value;
    if (typeof bound !== 'number' || !Number.isFinite(bound) || !this.#isComputed(term)) return undefined;
    return { term, operator: left === undefined ? node.operator : MIRRORED[node.operator], bound };
  }

  #rewritten(node: ExpressionNode): ExpressionNode {
    const found = this.#againstNumber(node);
    if (found !== undefined) return this.#inChain(node as NodeOf<'binary'>, found);
    if (node.kind !== 'binary' || !isRelation(node.operator)) return node;
    if (constantOf(node.left) !== undefined || constantOf(node.right) !== undefined) return node;
    if (freeNames({ name: '', root: node }).length < 2) return node;
    return this.#isNumber(node.left) && this.#isNumber(node.right) ? ordered(node) : turned(node);
  }

  #inChain(
    { place }: NodeOf<'binary'>,
    { term, operator, bound }: { term: ExpressionNode; operator: Relation; bound: number },
  ): ExpressionNode {
    const chain = this.#chains.get(printed(term))!;
    const value: ExpressionNode = { kind: 'literal', value: bound, place };
    const from = (cut: Cut['operator']): ExpressionNode => {
      const start = chain.findIndex((one) => one.operator === cut && one.bound === bound);
      const parts = chain.slice(start).map((one): ExpressionNode => {
        const right: ExpressionNode =
          one.bound === bound ? value : { kind: 'literal', value: one.bound, place };
        return { kind: 'binary', operator: one.operator, left: term, right, place };
      });
      return and(...parts);
    };
    switch (operator) {
      case '<':
      case '<=':
        return from(operator);
      case '>':
        return not(from('<='));
      case '>=':
        return not(from('<'));
      case '==':
        return and(from('<='), not(from('<')));
      case '!=':
        return not(and(from('<='), not(from('<'))));
    }
  }

  /** Whether a term is a number of every input of which it has a value. */
  #isNumber(node: ExpressionNode): boolean {
    if (node.kind !== 'name')
      return this.#isComputed(node) || (node.kind === 'call' && node.function === 'size');
    if (this.#bound.has(node.name) || !Object.hasOwn(this.#inputs, node.name)) return false;
    const { type, optional = false } = this.#inputs[node.name];
    return !optional && (type.kind === 'number' || type.kind === 'integer');
  }

  /** Whether a term is computed, so that it is a number or has no value: sums and the like, and functions other than `size`. */
  #isComputed(node: ExpressionNode): boolean {
    if (node.kind === 'call')
      return node.function !== 'size' && FUNCTIONS[node.function].returns === 'number';
    if (node.kind !== 'binary') return false;
    // Of a sum one part shows that it is one of numbers and not of texts.
    const isNumber = (part: ExpressionNode): boolean =>
      typeof constantOf(part)?.value === 'number' || this.#isNumber(part);
    if (node.operator === '+') return isNumber(node.left) || isNumber(node.right);
    return ['-', '*', '/', '%'].includes(node.operator);
  }
}

/** A predicate of a number, with what it is compared. */
interface Cut {
  readonly operator: '<' | '<=';
  readonly bound: number;
}

function cutsOf(operator: Relation): Cut['operator'][] {
  if (operator === '==' || operator === '!=') return ['<', '<='];
  return operator === '<' || operator === '>=' ? ['<'] : ['<='];
}

/** A comparison of two numbers by whether one is less than the other, the one that is printed first before. */
function ordered(node: NodeOf<'binary'>): ExpressionNode {
  const { place } = node;
  const isSorted = printed(node.left) <= printed(node.right);
  const [a, b] = isSorted ? [node.left, node.right] : [node.right, node.left];
  const operator = isSorted ? (node.operator as Relation) : MIRRORED[node.operator as Relation];
  const less: ExpressionNode = { kind: 'binary', operator: '<', left: a, right: b, place };
  // Only where it is not less, so that never both hold.
  const greater = and(not(less), { kind: 'binary', operator: '<', left: b, right: a, place });
  switch (operator) {
    case '<':
      return less;
    case '>':
      return greater;
    case '>=':
      return not(less);
    case '<=':
      return not(greater);
    case '==':
      return and(not(less), not(greater));
    case '!=':
      return not(and(not(less), not(greater)));
  }
}

/** A comparison of two values of any kind by `==` and `<` alone. */
function turned(node: NodeOf<'binary'>): ExpressionNode {
  const { left, right, place } = node;
  const compare = (operator: '==' | '<', a: ExpressionNode, b: ExpressionNode): ExpressionNode => ({
    kind: 'binary',
    operator,
    left: a,
    right: b,
    place,
  });
  const equal = printed(left) <= printed(right) ? compare('==', left, right) : compare('==', right, left);
  switch (node.operator as Relation) {
    case '==':
      return equal;
    case '!=':
      return not(equal);
    case '<':
      return compare('<', left, right);
    case '>':
      return compare('<', right, left);
    case '<=':
      return not(compare('<', right, left));
    case '>=':
      return not(compare('<', left, right));
  }
}

const printed = (root: ExpressionNode): string => printExpression({ name: '', root });

function not(operand: ExpressionNode): ExpressionNode {
  if (operand.kind === 'unary' && operand.operator === '!') return operand.operand;
  return { kind: 'unary', operator: '!', operand, place: operand.place };
}

function and(...operands: ExpressionNode[]): ExpressionNode {
  return operands.length === 1
    ? operands[0]
    : { kind: 'logical', operator: '&&', operands, place: operands[0].place };
}

function isNode(value: unknown): value is ExpressionNode {
  return typeof value === 'object' && value !== null && 'kind' in value && 'place' in value;
}
