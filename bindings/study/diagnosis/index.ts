export {
  type AbstractRun,
  type AbstractRuns,
  type AbstractRunsOptions,
  abstractRuns,
} from './abstractRuns.js';
export { type AbstractionDiagnosis, diagnoseAbstraction } from './diagnoseAbstraction.js';
export type { ForecastGain } from './forecastGain.js';
export { historyRisk, type RiskShift, type RuleHistory } from './historyRisk.js';
export { type ObservedRate, observedRates } from './observedRates.js';
export {
  type HistoryEffect,
  type OrderDependence,
  type OrderOptions,
  orderDependence,
  type StateOrder,
} from './orderDependence.js';
export type { FailedCandidate } from './pool.js';
export { type PredicateRole, type RedundancyOptions, redundantPredicates } from './redundantPredicates.js';
export {
  type PredicateSuggestions,
  type StateSplit,
  type SuggestedPredicate,
  type SuggestOptions,
  suggestPredicates,
  type TargetSuggestions,
} from './suggestPredicates.js';
