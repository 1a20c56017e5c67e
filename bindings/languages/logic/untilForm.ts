import { NotSupportedError } from '../../base/errors.js';
import type { Formula } from './formula.js';
import { printFormula } from './printFormula.js';
import { strongForm } from './strongForm.js';
import { children, isBoolean } from './walk.js';
import { type StepWindow, windowInSteps } from './window.js';

/** `left U[from, to] right` over Boolean formulas, or its negation if `negated`. */
export interface UntilForm {
  readonly left: Formula;
  readonly right: Formula;
  readonly window: StepWindow;
  readonly negated: boolean;
}

/**
 * Converts a temporal operator over Boolean formulas to an until or the negation of one, the form in which the checker analyses chains.
 *
 * Operators are defined by `strongForm`; `X p` is `true U[1,1] p`, and a Boolean formula p is `true U[0,0] p`.
 *
 * @param samplingPeriod Seconds between steps, for windows in time.
 * @throws NotSupportedError if temporal operators are nested or combined; InvalidArgumentError as `windowInSteps`.
 */
export function untilForm(formula: Formula, samplingPeriod?: number | string): UntilForm {
  if (isBoolean(formula)) {
    return { left: constant(true, formula), right: formula, window: { from: 0, to: 0 }, negated: false };
  }
  if (formula.kind === 'not') {
    const form = untilForm(formula.operand, samplingPeriod);
    return { ...form, negated: !form.negated };
  }
  if ((formula.kind === 'unary' || formula.kind === 'binary') && children(formula).every(isBoolean)) {
    const { kind, left, right, window, negated } = strongForm(formula);
    // A chain has no last step, so WX is not supported.
    if (kind === 'until' || (kind === 'next' && !negated)) {
      const steps = kind === 'next' ? { from: 1, to: 1 } : windowInSteps(window, samplingPeriod);
      return { left: left ?? constant(true, formula), right, window: steps, negated };
    }
  }
  throw new NotSupportedError(
    `${printFormula(formula)} nests or combines temporal operators; supported is one of X F G U W R over Boolean combinations of predicates`,
  );
}

function constant(value: boolean, at: Formula): Formula {
  return { kind: 'constant', value, place: at.place };
}
