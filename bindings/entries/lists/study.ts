/** `foreguard/study`: how good an abstraction, a forecast, a margin or a certificate is. */
export type { AtEnd, Automaton } from '../../automaton/index.js';
export type { Bounds, ChainView, PathEvent, WindowedUntil } from '../../checker/index.js';
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
} from '../../diagnosis/index.js';
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
} from '../../evaluation/index.js';
export type { EvaluationContext } from '../../expression/index.js';
export type { Guard, GuardFile } from '../../guard/index.js';
export type { SolveOptions } from '../../kernel/index.js';
export type { HistoryCounts } from '../../learning/index.js';
export type { Formula } from '../../logic/index.js';
export type { Dtmc } from '../../model/index.js';
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
} from '../../pac/index.js';
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
} from '../../report/index.js';
export type { Certificate, RuleRiskTable } from '../../risk/index.js';
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
} from '../../robustness/index.js';
export type { RuleSpecification, Specification } from '../../specification/index.js';
export type { Trace } from '../../trace/index.js';
