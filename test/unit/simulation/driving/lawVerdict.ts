import { compilePredicate } from '../../../../bindings/expression/index.js';
import { type Formula, parseFormula, windowInSteps } from '../../../../bindings/logic/index.js';
import type { Step } from '../../../../bindings/trace/index.js';

const FALSE = 0;
const TRUE = 1;
const OPEN = 2;

/** By definition, over all positions at once: a window that reaches beyond the trace leaves open what it would decide. */
function values(formula: Formula, steps: readonly Step[]): Uint8Array {
  const n = steps.length;
  const result = new Uint8Array(n);
  const of = (part: Formula) => values(part, steps);
  const negated = (value: number) => (value === OPEN ? OPEN : 1 - value);
  const both = (a: number, b: number) =>
    a === FALSE || b === FALSE ? FALSE : a === TRUE && b === TRUE ? TRUE : OPEN;
  switch (formula.kind) {
    case 'comparison': {
      const test = compilePredicate(formula.expression);
      return result.map((_, i) => (test(steps[i].state, steps[i]) ? TRUE : FALSE));
    }
    case 'not': {
      const operand = of(formula.operand);
      return result.map((_, i) => negated(operand[i]));
    }
    case 'and':
    case 'or':
    case 'implies': {
      const left = of(formula.left);
      const right = of(formula.right);
      if (formula.kind === 'and') return result.map((_, i) => both(left[i], right[i]));
      if (formula.kind === 'or')
        return result.map((_, i) => negated(both(negated(left[i]), negated(right[i]))));
      return result.map((_, i) => negated(both(left[i], negated(right[i]))));
    }
    case 'unary': {
      const operand = of(formula.operand);
      const window = windowInSteps(formula.window);
      const sought = formula.operator === 'F' ? TRUE : FALSE;
      if (formula.operator !== 'F' && formula.operator !== 'G')
        throw new Error(`not in a law: ${formula.operator}`);
      return result.map((_, i) => {
        const last = window.to === null ? Number.POSITIVE_INFINITY : i + window.to;
        let open = last >= n;
        for (let j = i + window.from; j <= Math.min(last, n - 1); j++) {
          if (operand[j] === sought) return sought;
          if (operand[j] === OPEN) open = true;
        }
        return open ? OPEN : 1 - sought;
      });
    }
    default:
      throw new Error(`not in a law: ${formula.kind}`);
  }
}

/** Whether every continuation of the observations breaks the law. */
export function breaks(law: string, steps: readonly Step[]): boolean {
  return values(parseFormula(law), steps)[0] === FALSE;
}
