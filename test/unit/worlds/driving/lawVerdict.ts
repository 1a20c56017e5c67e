import { compilePredicate } from '../../../../bindings/languages/expression/index.js';
import { type Formula, parseFormula, windowInSteps } from '../../../../bindings/languages/logic/index.js';
import type { DrivingState } from '../../../../worlds/src/index.js';

const FALSE = 0;
const TRUE = 1;
const OPEN = 2;

interface Comparison {
  readonly holds: (state: Readonly<Record<string, unknown>>, context: object) => boolean;
  readonly values: number[];
}

/** A traffic law, judged by definition over all observations at once. */
export class LawVerdict {
  readonly #formula: Formula;
  readonly #comparisons = new Map<string, Comparison>();

  /** @param samplingPeriod seconds between observations */
  constructor(
    law: string,
    private readonly samplingPeriod: number,
  ) {
    this.#formula = parseFormula(law);
    this.#collect(this.#formula);
  }

  #collect(formula: Formula): void {
    if (formula.kind === 'comparison') {
      const holds = compilePredicate(formula.expression);
      this.#comparisons.set(formula.source, { holds, values: [] });
    }
    for (const part of Object.values(formula)) {
      if (typeof part === 'object' && part !== null && 'kind' in part && formula.kind !== 'comparison') {
        this.#collect(part as Formula);
      }
    }
  }

  /** Forgets all observations. */
  reset(): void {
    for (const { values } of this.#comparisons.values()) values.length = 0;
  }

  observe(state: DrivingState): void {
    for (const { holds, values } of this.#comparisons.values()) values.push(holds(state, {}) ? TRUE : FALSE);
  }

  /** Whether every continuation of the observations breaks the law. */
  get broken(): boolean {
    return this.#values(this.#formula)[0] === FALSE;
  }

  /** At every position; a window that reaches beyond the observations leaves open what it would decide. */
  #values(formula: Formula): readonly number[] {
    switch (formula.kind) {
      case 'comparison':
        return this.#comparisons.get(formula.source)!.values;
      case 'not':
        return this.#values(formula.operand).map(negated);
      case 'and':
      case 'or':
      case 'implies': {
        const left = this.#values(formula.left);
        const right = this.#values(formula.right);
        if (formula.kind === 'and') return left.map((value, i) => both(value, right[i]));
        if (formula.kind === 'or')
          return left.map((value, i) => negated(both(negated(value), negated(right[i]))));
        return left.map((value, i) => negated(both(value, negated(right[i]))));
      }
      case 'unary': {
        if (formula.operator === 'F')
          return within(this.#values(formula.operand), windowInSteps(formula.window, this.samplingPeriod));
        if (formula.operator === 'G') {
          const opposite = this.#values(formula.operand).map(negated);
          return within(opposite, windowInSteps(formula.window, this.samplingPeriod)).map(negated);
        }
        break;
      }
    }
    throw new Error(`no traffic law has this: ${formula.kind}`);
  }
}

function negated(value: number): number {
  return value === OPEN ? OPEN : 1 - value;
}

function both(a: number, b: number): number {
  if (a === FALSE || b === FALSE) return FALSE;
  return a === TRUE && b === TRUE ? TRUE : OPEN;
}

/** Whether there is a true position in the window of each position. */
function within(values: readonly number[], { from, to }: { from: number; to: number | null }): number[] {
  const n = values.length;
  const next = (sought: number): number[] => {
    const found = new Array<number>(n + 1).fill(n);
    for (let i = n - 1; i >= 0; i--) found[i] = values[i] === sought ? i : found[i + 1];
    return found;
  };
  const nextTrue = next(TRUE);
  const nextOpen = next(OPEN);
  return values.map((_, i) => {
    const first = Math.min(n, i + from);
    const last = to === null ? Number.POSITIVE_INFINITY : i + to;
    if (nextTrue[first] <= Math.min(last, n - 1)) return TRUE;
    return last >= n || nextOpen[first] <= last ? OPEN : FALSE;
  });
}
