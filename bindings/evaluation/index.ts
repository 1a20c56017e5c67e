export { type BrierScore, brierScore, type ReliabilityBin, reliability } from './calibration.js';
export { type Detection, detection } from './detection.js';
export type { DriftReplay } from './driftReplay.js';
export { forecastRuns, type RunForecast } from './forecast.js';
export { clopperPearsonInterval, type RateInterval, wilsonInterval } from './intervals.js';
export { type MeanInterval, meanOf } from './mean.js';
export { type Replay, type RuleReplay, type RuleTotals, replay, type TraceReplay } from './replay.js';
export { type AreaUnderRoc, areaUnderCurve, areaUnderRoc, type Scored } from './roc.js';
