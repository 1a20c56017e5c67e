export { type ReadApolloOptions, readApollo } from './apollo.js';
export {
  DRIVING_VARIABLES,
  type DrivingVariable,
  type DrivingVariableName,
  NOTHING_AHEAD,
} from './drivingVariables.js';
export {
  addSampled,
  describeSampled,
  NO_STEPS,
  type SampledSteps,
  sampledSteps,
  withMessages,
  withOnTime,
  withUntimed,
} from './heldSteps.js';
export type { HouseholdObject } from './household.js';
export { readJsonLines } from './jsonLines.js';
export { type ReadMcapOptions, readMcap } from './mcap.js';
export { type ReadOpenTelemetryOptions, readOpenTelemetry } from './openTelemetry.js';
export { DECISION_SPAN, USER_ATTRIBUTES } from './openTelemetryRoles.js';
export type { SpanRunOptions } from './openTelemetryRuns.js';
export { misspeltField, misspeltStepField, OWN_FIELDS, type OwnFieldName, STEP_FIELDS } from './ownFields.js';
export { callArguments, plainData } from './plainData.js';
export type { ReadOptions, SkippedTrace, TraceNote } from './reader.js';
export { type ReadTracesOptions, readTraceBatches, readTraces } from './readTraces.js';
export { describeMissingTime, describeOffset, describeTimeLike, RecordedClock } from './recordedClock.js';
export { GAP_ROUNDING, type GapSum, RegularGaps } from './regularGaps.js';
export { describeGap, heldSteps, type Resampled, refusalOfHold, resample } from './resample.js';
export { RESAMPLE_POLICIES, type ResamplePolicy } from './resamplePolicy.js';
export { readSafeAgentBench, readSafeAgentBenchTasks } from './safeAgentBench.js';
export {
  type ObjectCondition,
  objectConditions,
  type PlannedAction,
  type SafeAgentBenchTask,
  safeAgentBenchTask,
} from './safeAgentBenchTask.js';
export {
  GapCheck,
  MAX_MISSING_STEPS,
  SamplingGrid,
  type SamplingPeriod,
} from './samplingPeriod.js';
export {
  describeSpacing,
  describeWrongPeriod,
  periodIsWrong,
  Spacing,
  type SpacingSummary,
} from './spacing.js';
export {
  type ReadTauBenchOptions,
  readTauBench,
  readTauBenchResults,
  type TauBenchResult,
} from './tauBench.js';
export {
  beside,
  type PastCall,
  pastCall,
  type RecordedCall,
  ToolHistory,
  type ToolState,
} from './toolHistory.js';
export type { Action, Step, Trace } from './trace.js';
export { detectTraceFormat, TRACE_FORMATS, type TraceFormat } from './traceFormat.js';
