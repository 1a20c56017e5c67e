import type { Formula, Window } from '../../bindings/languages/logic/index.js';

/** One position of a trace: a number for each signal. */
export type Sample = Readonly<Record<string, number>>;

/** The number that a comparison comes to at one position. */
export type ReadMargin = (formula: Formula, sample: Sample) => number;

/**
 * The robustness of `formula` at position i: the definition, read word by word, for windows in steps. What is largest over no
 * position is -∞, what is smallest ∞.
 */
export function robustnessAt(formula: Formula, trace: readonly Sample[], margin: ReadMargin, i = 0): number {
  const at = (part: Formula, j: number): number => robustnessAt(part, trace, margin, j);
  switch (formula.kind) {
    case 'constant':
      return formula.value ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
    case 'predicate':
    case 'comparison':
      return margin(formula, trace[i]);
    case 'not':
      return -at(formula.operand, i);
    case 'and':
      return Math.min(at(formula.left, i), at(formula.right, i));
    case 'or':
      return Math.max(at(formula.left, i), at(formula.right, i));
    case 'implies':
      return Math.max(-at(formula.left, i), at(formula.right, i));
    case 'iff': {
      const left = at(formula.left, i);
      const right = at(formula.right, i);
      return Math.min(Math.max(-left, right), Math.max(left, -right));
    }
    case 'unary': {
      const { operand, operator, window } = formula;
      const values = (positions: number[]): number[] => positions.map((j) => at(operand, j));
      const ahead = (w: Window | null): number[] => values(inFuture(w, i, trace.length));
      const behind = (w: Window | null): number[] => values(inPast(w, i));
      const next: Window = { from: '1', to: '1', unit: 'steps' };
      const largest = (of: number[]): number => Math.max(...of);
      const smallest = (of: number[]): number => Math.min(...of);
      return {
        X: () => largest(ahead(next)),
        WX: () => smallest(ahead(next)),
        Y: () => largest(behind(next)),
        WY: () => smallest(behind(next)),
        F: () => largest(ahead(window)),
        G: () => smallest(ahead(window)),
        O: () => largest(behind(window)),
        H: () => smallest(behind(window)),
      }[operator]();
    }
    case 'binary': {
      const { left, right, operator, window } = formula;
      const between = (p: (j: number) => number, from: number, to: number): number => {
        let least = Number.POSITIVE_INFINITY;
        for (let j = from; j < to; j++) least = Math.min(least, p(j));
        return least;
      };
      const l = (j: number): number => at(left, j);
      const r = (j: number): number => at(right, j);
      if (operator === 'S')
        return Math.max(...inPast(window, i).map((j) => Math.min(r(j), between(l, j + 1, i + 1))));
      const until = (p: (j: number) => number, q: (j: number) => number): number =>
        Math.max(...inFuture(window, i, trace.length).map((j) => Math.min(q(j), between(p, i, j))));
      return {
        U: () => until(l, r),
        R: () =>
          -until(
            (j) => -l(j),
            (j) => -r(j),
          ),
        W: () =>
          -until(
            (j) => Math.min(l(j), -r(j)),
            (j) => Math.min(-l(j), -r(j)),
          ),
      }[operator]();
    }
    default:
      throw new Error(`no meaning on a finite trace: ${formula.kind}`);
  }
}

function inFuture(window: Window | null, i: number, length: number): number[] {
  const from = i + Number(window?.from ?? 0);
  const to = Math.min(length - 1, window?.to == null ? length - 1 : i + Number(window.to));
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, k) => from + k);
}

function inPast(window: Window | null, i: number): number[] {
  const from = window?.to == null ? 0 : Math.max(0, i - Number(window.to));
  const to = i - Number(window?.from ?? 0);
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, k) => from + k);
}
