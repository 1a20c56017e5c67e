export {
  type CheckOptions,
  type CheckResult,
  checkProperty,
  type ProbabilityResult,
  type TruthResult,
} from './checkProperty.js';
export { statesOf } from './pathEvent.js';
export { buildProduct, type ChainView, type Product } from './product.js';
export { type Directions, normaliseDirections, openQuantities, type Quantities } from './quantities/index.js';
export { stateRisk } from './stateRisk.js';
export { type RiskProblem, type RiskSolution, requireViolable, violationRisk } from './violationRisk.js';
