export {
  check,
  checkAll,
  openChecker,
  type PropertyChecker,
  type PropertyOptions,
  type PropertyOutcome,
} from './check.js';
export { checkNumber, checkTruth } from './checkTyped.js';
export type { Subject } from './context.js';
export type {
  NumberResult,
  PropertyResult,
  RangeResult,
  StatesResult,
  TruthResult,
} from './propertyResult.js';
export { statesInOrder } from './stateOrder.js';
