export type { CertificateOf, CertificateOfRule, CertifiedRisk, StateSupport } from './certificate.js';
export {
  type Certificate,
  type CertifiedEntry,
  type CertifyOptions,
  certify,
  type RuleCertificate,
} from './certify.js';
export {
  type ActionSupport,
  type CertifiedChoice,
  type CertifiedDecision,
  certifyMdp,
  type MdpCertificate,
  type MdpRuleCertificate,
  type MdpSamplingPlan,
  type PlannedDecision,
} from './certifyMdp.js';
export { type CompileOptions, compileGuard } from './compileGuard.js';
export { complement } from './complement.js';
export { durationInSteps } from './duration.js';
export type { NamedState } from './fileNumbers.js';
export { horizonInWords } from './horizonInWords.js';
export { JointRisk, type JointRiskEntry, type JointRuleOptions, jointRisk } from './jointRisk.js';
export { openLearnt } from './learntChain.js';
export {
  type LearntUntil,
  type LearnUntilOptions,
  type Look,
  learnUntil,
  type SampleRequest,
  type Sampler,
} from './learnUntil.js';
export { createLiveRisk, LiveRisk, type LiveRiskUpdate } from './liveRisk.js';
export { modelUnder, type PolicyEffect, type TakenAway, takenAway, withoutRules } from './policyEffect.js';
export { type ConditionalProbability, formulaProbability, probabilityGiven } from './probabilityGiven.js';
export {
  type RiskBounds,
  type RiskEntry,
  type RiskTable,
  type RuleRiskTable,
  riskTable,
} from './riskTable.js';
export type { PosteriorInterval } from './ruleCertificate.js';
export type { RiskOptions } from './ruleRisk.js';
export { type RuleShape, type RuleWindow, ruleShapes } from './ruleShapes.js';
export type { FirstState, PlannedState, PlanScope, SamplingPlan } from './samplingPlan.js';
export {
  type RuleTime,
  type RuleTimeEntry,
  type RuleTimes,
  type TimeOptions,
  timeToViolation,
} from './timeToViolation.js';
