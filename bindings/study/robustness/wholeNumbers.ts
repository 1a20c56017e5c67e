import { type Expression, type ExpressionNode, parseExpression } from '../../languages/expression/index.js';
import { children, type Formula } from '../../languages/logic/index.js';
import type { SignalState, Signals } from './samples.js';

const ORDERS = new Set(['<', '<=', '>', '>=']);

/** How a formula uses a field that it compares by `==` or `!=` with whole numbers, or with another such field. */
interface Use {
  equal: boolean;
  /** Whether the field is compared with a fractional number or used in arithmetic: it is then a quantity, not a code. */
  quantity: boolean;
}

/**
 * Fields that may be whole-number fields according to the formulas: each is compared by `==` or `!=`, only with whole constants or other
 * fields, and no arithmetic uses it. Their values then decide.
 */
export class WholeNumberFields {
  readonly #uses = new Map<string, Use>();
  readonly #fields: Set<string>;
  readonly #unread: Set<string>;

  /** @param predicates expressions of the predicates named in the formulas; default none */
  constructor(
    formulas: readonly Formula[],
    predicates: readonly { readonly name: string; readonly expression: string }[] = [],
  ) {
    for (const formula of formulas)
      for (const { root } of conditionsOf(formula, predicates)) this.#visit(root);
    const candidates = [...this.#uses].filter(([name, use]) => use.equal && !use.quantity && name !== 'time');
    this.#fields = new Set(candidates.map(([name]) => name));
    this.#unread = new Set(this.#fields);
  }

  /** Fields of which no fractional value was seen. */
  get fields(): ReadonlySet<string> {
    return this.#fields;
  }

  /** Those fields in which a number was seen. A field that never holds a number is not a code. */
  get seen(): string[] {
    return [...this.#fields].filter((path) => !this.#unread.has(path));
  }

  /** Removes the fields that have a fractional number somewhere in the signals. */
  observe(signals: Signals): this {
    if (Array.isArray(signals)) {
      for (const { state } of signals as readonly { readonly state: SignalState }[])
        this.#observeState(state);
      return this;
    }
    for (const path of this.#fields) {
      const [column, ...rest] = path.split('.');
      const values = (signals as Readonly<Record<string, ArrayLike<unknown>>>)[column] ?? [];
      for (let i = 0; i < values.length && this.#fields.has(path); i++)
        this.#look(path, rest.reduce(fieldOf, values[i]));
    }
    return this;
  }

  #observeState(state: SignalState): void {
    for (const path of this.#fields) this.#look(path, valueAt(state, path.split('.')));
  }

  #look(path: string, value: unknown): void {
    if (isFraction(value)) this.#fields.delete(path);
    else if (typeof value === 'number' && !Number.isNaN(value)) this.#unread.delete(path);
  }

  #visit(node: ExpressionNode): void {
    if (node.kind === 'logical') for (const operand of node.operands) this.#visit(operand);
    else if (node.kind === 'unary') this.#visit(node.operand);
    else if (node.kind === 'conditional') {
      for (const part of [node.condition, node.whenTrue, node.whenFalse]) this.#visit(part);
    } else if (node.kind === 'binary') {
      const { operator, left, right } = node;
      const isOrder = ORDERS.has(operator);
      if (isOrder || operator === '==' || operator === '!=') {
        this.#side(left, right, isOrder);
        this.#side(right, left, isOrder);
      } else if (operator !== 'in') this.#quantities(node);
    }
  }

  #side(side: ExpressionNode, other: ExpressionNode, isOrder: boolean): void {
    const path = pathOf(side);
    if (path === null) {
      this.#quantities(side);
      return;
    }
    const use = this.#use(path);
    if (!isOrder) use.equal = true;
    const constant = constantOf(other);
    if (constant === null ? pathOf(other) === null : isFraction(constant)) use.quantity = true;
  }

  /** Marks the fields used in arithmetic. */
  #quantities(node: ExpressionNode): void {
    if (node.kind === 'macro' || node.kind === 'call') return;
    const path = pathOf(node);
    if (path !== null) this.#use(path).quantity = true;
    else if (node.kind === 'binary') for (const part of [node.left, node.right]) this.#quantities(part);
    else if (node.kind === 'unary') this.#quantities(node.operand);
    else if (node.kind === 'conditional') {
      this.#visit(node.condition);
      for (const part of [node.whenTrue, node.whenFalse]) this.#quantities(part);
    }
  }

  #use(path: string): Use {
    let use = this.#uses.get(path);
    if (use === undefined) {
      use = { equal: false, quantity: false };
      this.#uses.set(path, use);
    }
    return use;
  }
}

/** Whether `==` or `!=` between two operands is a truth, given the whole-number fields: each operand is such a field, or a constant. */
export function comparesCodes(
  left: ExpressionNode,
  right: ExpressionNode,
  fields: ReadonlySet<string>,
): boolean {
  const isCode = (node: ExpressionNode): boolean => {
    const path = pathOf(node);
    if (path !== null) return fields.has(path);
    const constant = constantOf(node);
    return constant !== null && !isFraction(constant);
  };
  return isCode(left) && isCode(right);
}

/** The value of a field, or of a nested field; undefined if there is none. */
export function valueAt(state: SignalState, path: readonly string[]): unknown {
  return path.reduce<unknown>(fieldOf, state);
}

/** Whether a value is a fractional number; NaN, which stands for no measurement, is not. */
export function isFraction(value: unknown): boolean {
  return typeof value === 'number' && !Number.isInteger(value) && !Number.isNaN(value);
}

/** The conditions that a formula reads: its comparisons, and the expressions of its named predicates. */
function conditionsOf(
  formula: Formula,
  predicates: readonly { readonly name: string; readonly expression: string }[],
): Expression[] {
  const sources = new Map(predicates.map(({ name, expression }) => [name, expression]));
  const found: Expression[] = [];
  const visit = (part: Formula): void => {
    if (part.kind === 'comparison') found.push(part.expression);
    const source = part.kind === 'predicate' ? sources.get(part.name) : undefined;
    if (source !== undefined) found.push(parseExpression(source));
    children(part).forEach(visit);
  };
  visit(formula);
  return found;
}

function fieldOf(value: unknown, field: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[field] : undefined;
}

/** The dotted path of a field of the state; null if the node is not a field. */
function pathOf(node: ExpressionNode): string | null {
  if (node.kind === 'name') return node.name;
  if (node.kind !== 'field') return null;
  const object = pathOf(node.object);
  return object === null ? null : `${object}.${node.field}`;
}

/** The value of a constant, its sign included; null if the node is not a constant. */
function constantOf(node: ExpressionNode): number | string | boolean | null {
  if (node.kind === 'literal') return node.value;
  if (node.kind !== 'unary' || node.operator !== '-') return null;
  const value = constantOf(node.operand);
  return typeof value === 'number' ? -value : null;
}
