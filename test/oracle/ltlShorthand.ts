import type { LtlFormula } from '../../bindings/languages/automaton/index.js';

/** Formulas as they are written on paper. */
export const atom = (number: number): LtlFormula => ({ kind: 'atom', atom: number });
export const yes: LtlFormula = { kind: 'boolean', value: true };
export const no: LtlFormula = { kind: 'boolean', value: false };
export const not = (operand: LtlFormula): LtlFormula => ({ kind: 'not', operand });
export const and = (left: LtlFormula, right: LtlFormula): LtlFormula => ({ kind: 'and', left, right });
export const or = (left: LtlFormula, right: LtlFormula): LtlFormula => ({ kind: 'or', left, right });
export const implies = (left: LtlFormula, right: LtlFormula): LtlFormula => or(not(left), right);
export const X = (operand: LtlFormula): LtlFormula => ({ kind: 'next', operand });
export const F = (operand: LtlFormula): LtlFormula => ({ kind: 'finally', operand });
export const G = (operand: LtlFormula): LtlFormula => ({ kind: 'globally', operand });
export const U = (left: LtlFormula, right: LtlFormula): LtlFormula => ({ kind: 'until', left, right });
/** `F` or `G` within positions `from` to `to`. */
export const within = (
  kind: 'finally' | 'globally',
  from: number,
  to: number | null,
  operand: LtlFormula,
): LtlFormula => ({ kind, operand, window: { from, to } });
