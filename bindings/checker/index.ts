export {
  type CheckOptions,
  type CheckResult,
  checkProperty,
  type ProbabilityResult,
  type TruthResult,
} from './checkProperty.js';
export { statesOf } from './pathEvent.js';
export { buildProduct, type ChainView, type Product } from './product.js';
export { stateRisk } from './stateRisk.js';
export { type RiskProblem, type RiskSolution, requireViolable, violationRisk } from './violationRisk.js';
