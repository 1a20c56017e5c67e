import type { Formula, TemporalBinary, TemporalUnary, Window } from '../../logic/index.js';

// Formulas as trees. Constants are folded and double negations removed, so that a formula reads as one would write it by hand.

const place = { offset: 0, line: 1, column: 1 };

export const constant = (value: boolean): Formula => ({ kind: 'constant', value, place });
export const predicate = (name: string): Formula => ({ kind: 'predicate', name, place });

const isConstant = (formula: Formula, value: boolean): boolean =>
  formula.kind === 'constant' && formula.value === value;

export function not(operand: Formula): Formula {
  if (operand.kind === 'constant') return constant(!operand.value);
  return operand.kind === 'not' ? operand.operand : { kind: 'not', operand, place };
}

export function and(left: Formula, right: Formula): Formula {
  if (isConstant(left, false) || isConstant(right, true)) return left;
  if (isConstant(left, true) || isConstant(right, false)) return right;
  return { kind: 'and', left, right, place };
}

export function or(left: Formula, right: Formula): Formula {
  if (isConstant(left, true) || isConstant(right, false)) return left;
  if (isConstant(left, false) || isConstant(right, true)) return right;
  return { kind: 'or', left, right, place };
}

export function implies(left: Formula, right: Formula): Formula {
  if (left.kind === 'constant') return left.value ? right : constant(true);
  return { kind: 'implies', left, right, place };
}

export function iff(left: Formula, right: Formula): Formula {
  return { kind: 'iff', left, right, place };
}

/** A window `[from, to]` in steps. */
export function steps(from: number, to: number): Window {
  return { from: String(from), to: String(to), unit: 'steps' };
}

export function unary(operator: TemporalUnary, operand: Formula, window: Window | null = null): Formula {
  return { kind: 'unary', operator, operand, window, place };
}

export function binary(
  operator: TemporalBinary,
  left: Formula,
  right: Formula,
  window: Window | null = null,
): Formula {
  return { kind: 'binary', operator, left, right, window, place };
}

/** The last step of a run. */
export const lastStep = (): Formula => not(unary('X', constant(true)));

/** The first step of a run. */
export const firstStep = (): Formula => not(unary('Y', constant(true)));
