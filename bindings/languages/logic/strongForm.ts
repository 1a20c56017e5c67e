import { NotSupportedError } from '../../base/errors.js';
import type { Formula, Window } from './formula.js';

/** A formula whose outermost operator is temporal. */
export type Temporal = Extract<Formula, { kind: 'unary' | 'binary' }>;

/** A temporal operator expressed as a strong one or as the negation of one. */
export interface StrongForm {
  /** `left U right`, `left S right`, or a next or previous step that satisfies `right`. */
  readonly kind: 'until' | 'since' | 'next' | 'previous';
  /** Null means true; `next` and `previous` have null. */
  readonly left: Formula | null;
  readonly right: Formula;
  readonly window: Window | null;
  /** Whether the formula is the negation of this form. */
  readonly negated: boolean;
}

/**
 * Defines every temporal operator by a strong one: `F p` is `true U p`, `G p` is the negation of `F !p`, `WX p` of `X !p`, `p R q` of
 * `!p U !q`, and `p W q` of `(p & !q) U (!p & !q)`; likewise for the past. Windows are kept. Strong operators are false if the trace ends
 * or begins too early. This is the only definition of the operators.
 *
 * @throws NotSupportedError for a window on X, WX, Y or WY
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
