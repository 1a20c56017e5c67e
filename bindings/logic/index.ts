export type { Place } from '../expression/index.js';
export { type DerivedAbstraction, deriveAbstraction } from './deriveAbstraction.js';
export type { ComparisonOperator, Formula, TemporalBinary, TemporalUnary, Window } from './formula.js';
export { parseFormula } from './parseFormula.js';
export { printFormula } from './printFormula.js';
export * from './prism/index.js';
export { type UntilForm, untilForm } from './untilForm.js';
export { children, isBoolean, mapChildren, predicatesOf } from './walk.js';
export { printWindow, type StepWindow, windowInSteps } from './window.js';
