import { NotSupportedError } from '../errors.js';
import type { Formula } from './formula.js';
import { printFormula } from './printFormula.js';
import { isBoolean } from './walk.js';
import { type StepWindow, windowInSteps } from './window.js';

/** `left U[from, to] right` over Boolean formulas, or with `negated` its negation. */
export interface UntilForm {
  readonly left: Formula;
  readonly right: Formula;
  readonly window: StepWindow;
  readonly negated: boolean;
}

/**
 * One temporal operator over Boolean formulas, as an until or the negation of one; what the checker asks of a chain
 * has this form.
 *
 * `F p` is `true U p`; `X p` is `true U[1,1] p`; a Boolean formula is `true U[0,0]` of it; `G p` is not `F !p`;
 * `p W q` is not `(p & !q) U (!p & !q)`; `p R q` is not `!p U !q`, windows carried along.
 *
 * @param samplingPeriod Seconds between steps, for windows in time.
 * @throws NotSupportedError where temporal operators are nested or combined; InvalidArgumentError as `windowInSteps`.
 */
export function untilForm(formula: Formula, samplingPeriod?: number | string): UntilForm {
  if (isBoolean(formula)) {
    return { left: constant(true, formula), right: formula, window: { from: 0, to: 0 }, negated: false };
  }
  if (formula.kind === 'not') {
    const form = untilForm(formula.operand, samplingPeriod);
    return { ...form, negated: !form.negated };
  }
  if (formula.kind === 'unary' && isBoolean(formula.operand)) {
    const { operator, operand } = formula;
    const left = constant(true, formula);
    if (operator === 'X') {
      if (formula.window !== null)
        throw new NotSupportedError('X takes no window; write F[k,k] for the k-th step from here');
      return { left, right: operand, window: { from: 1, to: 1 }, negated: false };
    }
    if (operator === 'F' || operator === 'G') {
      const window = windowInSteps(formula.window, samplingPeriod);
      return operator === 'F'
        ? { left, right: operand, window, negated: false }
        : { left, right: not(operand), window, negated: true };
    }
  }
  if (
    formula.kind === 'binary' &&
    formula.operator !== 'S' &&
    isBoolean(formula.left) &&
    isBoolean(formula.right)
  ) {
    const { left, right } = formula;
    const window = windowInSteps(formula.window, samplingPeriod);
    switch (formula.operator) {
      case 'U':
        return { left, right, window, negated: false };
      case 'W':
        return { left: and(left, not(right)), right: and(not(left), not(right)), window, negated: true };
      case 'R':
        return { left: not(left), right: not(right), window, negated: true };
    }
  }
  throw new NotSupportedError(
    `${printFormula(formula)} nests or combines temporal operators; supported is one of X F G U W R over Boolean combinations of predicates`,
  );
}

function not(operand: Formula): Formula {
  return { kind: 'not', operand, place: operand.place };
}

function and(left: Formula, right: Formula): Formula {
  return { kind: 'and', left, right, place: left.place };
}

function constant(value: boolean, at: Formula): Formula {
  return { kind: 'constant', value, place: at.place };
}
