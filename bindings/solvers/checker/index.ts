export type { Bounds } from '../../base/bounds.js';
export type { ChainView } from '../model/index.js';
export {
  type CheckOptions,
  type CheckResult,
  checkProperty,
  type ProbabilityResult,
} from './checkProperty.js';
export {
  type ExactOptions,
  type ExactQuantities,
  type ExactSubject,
  type ExactValue,
  exactText,
  openExact,
} from './exact/index.js';
export type { JointOptions, ProductRule } from './jointProduct.js';
export {
  type JointRiskOptions,
  type JointRiskProblem,
  type JointRiskSolution,
  jointViolationRisk,
} from './jointRisk.js';
export { type LiveOptions, type LiveRows, type LiveUpdate, LiveViolationRisk } from './liveViolationRisk.js';
export * from './ltl/index.js';
export { type PathEvent, pathEvent, statesOf, type WindowedUntil } from './pathEvent.js';
export {
  check,
  checkAll,
  checkNumber,
  checkTruth,
  type NumberResult,
  openChecker,
  type PropertyChecker,
  type PropertyOptions,
  type PropertyOutcome,
  type PropertyResult,
  type RangeResult,
  type StatesResult,
  type Subject,
  statesInOrder,
  type TruthResult,
} from './properties/index.js';
export { type Directions, normaliseDirections, openQuantities, type Quantities } from './quantities/index.js';
export { stateRisk } from './stateRisk.js';
export {
  type RiskProblem,
  type RiskSolution,
  requireJudged,
  requireViolable,
  violationRisk,
} from './violationRisk.js';
export { type TimeProblem, type TimeSolution, type ViolationTime, violationTime } from './violationTime.js';
