/** `foreguard/study`: evaluates abstractions, forecasts, margins and certificates. */

export type { HistoryCounts } from '../../../estimation/learning/index.js';
export {
  type Amplification,
  agentRows,
  amplification,
  amplificationBounds,
  type CertificateOptions,
  type CertificateProblem,
  type ConfidenceRows,
  confidenceRows,
  type DrawnRows,
  eventProblem,
  intervalBounds,
  type PapersCriteria,
  type PosteriorBounds,
  type PosteriorOptions,
  papersCriteria,
  policyAmplification,
  posteriorIntervals,
  type RuleProblem,
  ruleProblem,
  secondCriterionEpsilon,
} from '../../../estimation/pac/index.js';
export type { AtEnd, Automaton } from '../../../languages/automaton/index.js';
export type { EvaluationContext } from '../../../languages/expression/index.js';
export type { Formula } from '../../../languages/logic/index.js';
export type { Trace } from '../../../observations/trace/index.js';
export type { Certificate, RuleRiskTable } from '../../../rules/risk/index.js';
export type { RuleSpecification, Specification } from '../../../rules/specification/index.js';
export type { Guard, GuardFile } from '../../../runtime/guard/index.js';
export type { Bounds, ChainView, PathEvent, WindowedUntil } from '../../../solvers/checker/index.js';
export type { SolveOptions } from '../../../solvers/kernel/index.js';
export type { Dtmc } from '../../../solvers/model/index.js';
export {
  type AbstractionDiagnosis,
  type AbstractRun,
  type AbstractRuns,
  type AbstractRunsOptions,
  abstractRuns,
  diagnoseAbstraction,
  type FailedCandidate,
  type ForecastGain,
  type HistoryEffect,
  historyRisk,
  type ObservedRate,
  type OrderDependence,
  type OrderOptions,
  observedRates,
  orderDependence,
  type PredicateRole,
  type PredicateSuggestions,
  type RedundancyOptions,
  type RiskShift,
  type RuleHistory,
  redundantPredicates,
  type StateOrder,
  type StateSplit,
  type SuggestedPredicate,
  type SuggestOptions,
  suggestPredicates,
  type TargetSuggestions,
} from '../../../study/diagnosis/index.js';
export {
  type AreaUnderRoc,
  areaUnderCurve,
  areaUnderRoc,
  type BrierScore,
  brierScore,
  clopperPearsonInterval,
  type Detection,
  detection,
  forecastRuns,
  type MeanInterval,
  meanOf,
  type RateInterval,
  type ReliabilityBin,
  type RunForecast,
  reliability,
  type Scored,
  wilsonInterval,
} from '../../../study/evaluation/index.js';
export {
  describeChain,
  type ReportAxis,
  type ReportChain,
  type ReportData,
  type ReportPlot,
  type ReportPoint,
  type ReportRate,
  type ReportSetting,
  type ReportState,
  type ReportTable,
  type ReportTransition,
  renderReport,
} from '../../../study/report/index.js';
export {
  type BaselineStep,
  createRobustnessBaseline,
  type Equality,
  RobustnessBaseline,
  type RobustnessBaselineOptions,
  RobustnessMonitor,
  type RobustnessOptions,
  robustness,
  type SignalRange,
  type SignalState,
  type Signals,
} from '../../../study/robustness/index.js';
