import type { Formula, Window } from '../../bindings/languages/logic/index.js';

/** One position of a trace: the value of each predicate. */
export type Position = Readonly<Record<string, boolean>>;

/** The value of a formula at a position of some trace. */
type Values = (formula: Formula, i: number) => boolean;

/** Whether `trace` satisfies `formula` at position i. What was found of a temporal formula at a position is kept, since those around it ask at many. */
export function holds(formula: Formula, trace: readonly Position[], i = 0): boolean {
  const found = new Map<Formula, boolean[]>();
  const at: Values = (part, j) => {
    if (part.kind !== 'unary' && part.kind !== 'binary') return meaning(part, trace, j, at);
    let values = found.get(part);
    if (values === undefined) found.set(part, (values = []));
    values[j] ??= meaning(part, trace, j, at);
    return values[j];
  };
  return at(formula, i);
}

/**
 * The definition on finite traces, read word by word, for windows in steps. An existential operator needs a position that exists; a universal one speaks of those that
 * do.
 */
function meaning(formula: Formula, trace: readonly Position[], i: number, at: Values): boolean {
  switch (formula.kind) {
    case 'constant':
      return formula.value;
    case 'predicate':
      return trace[i]?.[formula.name];
    case 'not':
      return !at(formula.operand, i);
    case 'and':
      return at(formula.left, i) && at(formula.right, i);
    case 'or':
      return at(formula.left, i) || at(formula.right, i);
    case 'implies':
      return !at(formula.left, i) || at(formula.right, i);
    case 'iff':
      return at(formula.left, i) === at(formula.right, i);
    case 'unary': {
      const { operand, operator } = formula;
      if (operator === 'X') return i + 1 < trace.length && at(operand, i + 1);
      if (operator === 'WX') return i + 1 >= trace.length || at(operand, i + 1);
      if (operator === 'Y') return i > 0 && at(operand, i - 1);
      if (operator === 'WY') return i === 0 || at(operand, i - 1);
      const past = operator === 'O' || operator === 'H';
      const positions = past ? inPast(formula.window, i) : inWindow(formula.window, i, trace.length);
      const some = (): boolean => positions.some((j) => at(operand, j));
      const every = (): boolean => positions.every((j) => at(operand, j));
      return { F: some, O: some, G: every, H: every }[operator]();
    }
    case 'count': {
      const { operand, operator, times, window } = formula;
      const count = inPast(window, i).filter((j) => at(operand, j)).length;
      if (operator === '=') return count === times;
      return { '<': count < times, '<=': count <= times, '>=': count >= times, '>': count > times }[operator];
    }
    case 'binary': {
      const { left, right, operator } = formula;
      const l = (j: number): boolean => at(left, j);
      const r = (j: number): boolean => at(right, j);
      if (operator === 'S') {
        return inPast(formula.window, i).some((j) => {
          for (let after = j + 1; after <= i; after++) if (!l(after)) return false;
          return r(j);
        });
      }
      const until = (p: (j: number) => boolean, q: (j: number) => boolean): boolean =>
        inWindow(formula.window, i, trace.length).some((j) => {
          for (let before = i; before < j; before++) if (!p(before)) return false;
          return q(j);
        });
      const neither = (j: number): boolean => !l(j) && !r(j);
      return {
        U: () => until(l, r),
        W: () => !until((j) => l(j) && !r(j), neither),
        R: () =>
          !until(
            (j) => !l(j),
            (j) => !r(j),
          ),
      }[operator]();
    }
    default:
      throw new Error(`no meaning on a finite trace: ${formula.kind}`);
  }
}

function inWindow(window: Window | null, i: number, length: number): number[] {
  const from = i + Number(window?.from ?? 0);
  const to = window?.to == null ? length - 1 : i + Number(window.to);
  const positions: number[] = [];
  for (let j = from; j <= to && j < length; j++) positions.push(j);
  return positions;
}

function inPast(window: Window | null, i: number): number[] {
  const to = i - Number(window?.from ?? 0);
  const from = window?.to == null ? 0 : Math.max(i - Number(window.to), 0);
  const positions: number[] = [];
  for (let j = from; j <= to; j++) positions.push(j);
  return positions;
}
