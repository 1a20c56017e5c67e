export { agentRows } from './agentRows.js';
export { type Amplification, amplification, amplificationBounds } from './amplification.js';
export { type ConfidenceRows, confidenceRows, requireDelta } from './confidenceRows.js';
export {
  drawsForEveryTransition,
  type PapersCriteria,
  papersCriteria,
  papersDraws,
  requireEpsilon,
  secondCriterionEpsilon,
} from './criteria.js';
export { checkDraws, type DrawnRows, drawnDecisions, drawnRows } from './drawnRows.js';
export { ErrorForecast, Forecaster, type ForecastOptions } from './errorForecast.js';
export { eventProblem } from './eventProblem.js';
export { agentPolicy, extremePolicy, type FollowedPolicy } from './followedPolicy.js';
export { GrownRows } from './grownRows.js';
export { type CertificateOptions, intervalBounds } from './intervalBounds.js';
export { logGamma } from './logMixture.js';
export { neverLeft } from './neverLeft.js';
export { policyAmplification } from './policyAmplification.js';
export { type PosteriorBounds, type PosteriorOptions, posteriorIntervals } from './posterior.js';
export { type CertificateProblem, RowBuilder, type RuleProblem, ruleProblem, UNSEEN } from './problem.js';
export {
  binomialSet,
  discoveredRadius,
  divergenceRadius,
  type Interval,
  totalVariation,
  unseenMass,
} from './rowSet.js';
export { type Beginning, RunVisits } from './runVisits.js';
export { type ErrorGoal, type PlannedRuns, planRuns, type RowPlan, type RunPlan } from './samplingPlan.js';
