import { NotSupportedError } from '../../base/errors.js';
import type { Formula, Window } from './formula.js';

/** A formula whose outermost operator is temporal. */
export type Temporal = Extract<Formula, { kind: 'unary' | 'binary' }>;

/** A temporal operator by the strong one that it is made of, or that it negates. */
export interface StrongForm {
  /** `left U right`, `left S right`, or that there is a next or previous step with `right`. */
  readonly kind: 'until' | 'since' | 'next' | 'previous';
  /** Null is true, and so it is of `next` and `previous`. */
  readonly left: Formula | null;
  readonly right: Formula;
  readonly window: Window | null;
  /** The formula is the negation of this. */
  readonly negated: boolean;
}

/**
 * The one place that says what each temporal operator means. `F p` is `true U p`, `G p` is not `F !p`, `WX p` is not `X !p`, `p R q` is not
 * `!p U !q`, and `p W q` is not `(p & !q) U (!p & !q)`; so for the past, and windows are carried along. Strong operators are false where the
 * trace ends or begins too early.
 *
 * @throws NotSupportedError on a window behind X, WX, Y or WY
 */
export function strongForm(formula: Temporal): StrongForm {
  const { window } = formula;
  if (formula.kind === 'binary') {
    const { left, right } = formula;
    switch (formula.operator) {
      case 'U':
        return { kind: 'until', left, right, window, negated: false };
      case 'S':
        return { kind: 'since', left, right, window, negated: false };
      case 'R':
        return { kind: 'until', left: not(left), right: not(right), window, negated: true };
      case 'W': {
        const notRight = not(right);
        const neither = and(not(left), notRight);
        return { kind: 'until', left: and(left, notRight), right: neither, window, negated: true };
      }
    }
  }
  const { operator, operand } = formula;
  switch (operator) {
    case 'F':
    case 'O':
      return {
        kind: operator === 'F' ? 'until' : 'since',
        left: null,
        right: operand,
        window,
        negated: false,
      };
    case 'G':
    case 'H':
      return {
        kind: operator === 'G' ? 'until' : 'since',
        left: null,
        right: not(operand),
        window,
        negated: true,
      };
    case 'X':
    case 'WX':
    case 'Y':
    case 'WY': {
      refuseWindow(formula);
      const negated = operator === 'WX' || operator === 'WY';
      const kind = operator === 'X' || operator === 'WX' ? 'next' : 'previous';
      return { kind, left: null, right: negated ? not(operand) : operand, window: null, negated };
    }
  }
}

function refuseWindow({ operator, window }: Extract<Formula, { kind: 'unary' }>): void {
  if (window === null) return;
  const windowed = operator.endsWith('X')
    ? 'F[k,k] for the k-th step from here'
    : 'O[k,k] for the k-th step before';
  throw new NotSupportedError(`${operator} takes no window; write ${windowed}`);
}

function not(operand: Formula): Formula {
  return { kind: 'not', operand, place: operand.place };
}

function and(left: Formula, right: Formula): Formula {
  return { kind: 'and', left, right, place: left.place };
}
