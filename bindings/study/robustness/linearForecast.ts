import type { Expression, ExpressionNode } from '../../languages/expression/index.js';
import type { Range } from './margin.js';
import type { SignalState } from './samples.js';

const ORDERS = new Set(['<', '<=', '>', '>=']);

/**
 * Fields of the state that expressions compare only by order: moving quantities. A field compared by `==` or `!=`, or used as a condition
 * by itself, is a code or a flag.
 */
export function movingNames(expressions: readonly Expression[]): string[] {
  const moving = new Set<string>();
  const still = new Set<string>();
  const visit = (node: ExpressionNode, into: Set<string>): void => {
    switch (node.kind) {
      case 'name':
        into.add(node.name);
        break;
      case 'unary':
        visit(node.operand, into);
        break;
      case 'binary': {
        const arithmetic = ['+', '-', '*', '/'].includes(node.operator);
        const within = ORDERS.has(node.operator) ? moving : arithmetic ? into : still;
        visit(node.left, within);
        visit(node.right, within);
        break;
      }
      case 'logical':
        for (const operand of node.operands) visit(operand, still);
        break;
      case 'conditional':
        for (const part of [node.condition, node.whenTrue, node.whenFalse]) visit(part, still);
        break;
    }
  };
  for (const { root } of expressions) visit(root, still);
  return [...moving].filter((name) => !still.has(name) && name !== 'time' && name !== 'action');
}

/** Extrapolates fields of the state by their last change. */
export class LinearForecast {
  readonly #names: readonly string[];
  readonly #ranges: readonly (Range | undefined)[];
  readonly #values: Float64Array;
  /** The last change of each field, and its extrapolated change per step. */
  readonly #changes: Float64Array;
  readonly #slopes: Float64Array;
  #predicted: Record<string, unknown> = {};
  #observed = 0;

  constructor(names: readonly string[], ranges: ReadonlyMap<string, Range>) {
    this.#names = names;
    this.#ranges = names.map((name) => ranges.get(name));
    this.#values = new Float64Array(names.length);
    this.#changes = new Float64Array(names.length);
    this.#slopes = new Float64Array(names.length);
  }

  reset(): void {
    this.#observed = 0;
  }

  observe(state: SignalState): void {
    for (const [i, name] of this.#names.entries()) {
      const value = state[name];
      const number = typeof value === 'number' ? value : Number.NaN;
      const change = this.#observed > 0 ? number - this.#values[i] : 0;
      const before = this.#observed > 1 ? this.#changes[i] : 0;
      const agree = change * before > 0;
      this.#slopes[i] = agree ? Math.sign(change) * Math.min(Math.abs(change), Math.abs(before)) : 0;
      this.#changes[i] = change;
      this.#values[i] = number;
    }
    this.#observed++;
    this.#predicted = { ...state };
  }

  /** The state `steps` after the one observed last; the returned object is reused. */
  predict(steps: number): SignalState {
    const predicted = this.#predicted;
    for (const [i, name] of this.#names.entries()) {
      const value = this.#values[i] + steps * this.#slopes[i];
      if (Number.isNaN(value)) continue;
      const range = this.#ranges[i];
      predicted[name] = range === undefined ? value : Math.min(Math.max(value, range[0]), range[1]);
    }
    return predicted;
  }
}
