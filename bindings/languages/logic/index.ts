export type { Place } from '../expression/index.js';
export { allowedCounts, type Count, oppositeOf } from './count.js';
export { type DerivedAbstraction, deriveAbstraction } from './deriveAbstraction.js';
export type {
  ComparisonOperator,
  CountOperator,
  Formula,
  TemporalBinary,
  TemporalUnary,
  Window,
} from './formula.js';
export { parseFormula } from './parseFormula.js';
export { pastSteps } from './pastSteps.js';
export { printFormula } from './printFormula.js';
export * from './prism/index.js';
export { exactPeriod, periodInSeconds } from './samplingPeriod.js';
export { type StrongForm, strongForm, type Temporal } from './strongForm.js';
export { type UntilForm, untilForm } from './untilForm.js';
export { children, isBoolean, isOfPast, mapChildren, predicatesOf } from './walk.js';
export { printWindow, type StepWindow, windowInSteps } from './window.js';
