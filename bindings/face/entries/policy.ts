/** `foreguard/policy`: conditions under which single calls are permitted, proved before they guard, as a judge of sessions. */

export {
  type AiSdkModel,
  budgetedModel,
  type GenerateRequest,
  type GenerateResult,
  type LangChainModel,
  type LanguageModel,
  type ModelBudget,
  modelFromAiSdk,
  modelFromFunction,
  modelFromLangChain,
  type OpenAiCompatibleOptions,
  openAiCompatible,
  type PromptName,
  recordedModel,
  recordingModel,
} from '../../base/languageModel/index.js';
export type { ElementType, Field, Input, InputType, RecordType } from '../../languages/inputs/index.js';
export {
  type Decision,
  deny,
  domainOf,
  emails,
  extension,
  glob,
  hostOf,
  isUnder,
  localPart,
  lowerAscii,
  permit,
  size,
  trim,
} from '../../languages/policyScript/index.js';
export {
  type CaseCertificate,
  type Certificate,
  comparePolicies,
  type InputCertificate,
  type MachineCertificate,
  type Obligation,
  type ObligationKind,
  type ObligationOptions,
  type PolicyComparison,
  type PolicyReport,
  type ProofOptions,
  policyEffect,
  type SessionCall,
  type SolverUse,
  type SpecificationScore,
  type TextCertificate,
  type Verdict as PolicyVerdict,
  type VerifyPoliciesOptions,
  verifyPolicies,
} from '../../proofs/policyProof/index.js';
export {
  type Candidate,
  type Clarification,
  DraftFile,
  type Example,
  inductiveModel,
  type PolicyDraft,
  type ReadingQuestion,
  type ReadingReply,
  type Specified,
  type SpecifyOptions,
  type SynthesisOptions,
  type SynthesisResult,
  type SynthesisStep,
  specifyPolicy,
  synthesizePolicy,
} from '../../proofs/synthesis/index.js';
export type { PolicyEffect } from '../../rules/risk/index.js';
export {
  type PolicyExample,
  type PolicyProperty,
  type PolicyScript,
  type PolicySpecification,
  parsePolicies,
  type SessionProperty,
} from '../../rules/specification/index.js';
export type { Detector, DetectorSubject, DetectorValue } from '../../runtime/enforcement/index.js';
export { type ExtractorOptions, policyExtractors } from '../../runtime/extraction/index.js';
export { type Judge, policyJudge } from '../../runtime/guard/index.js';
export type {
  DenialStrategy,
  OnDeny,
  Policy,
  PolicyInput,
  PolicyRule,
  PolicySet,
} from '../../runtime/policy/index.js';
export type { Assignment } from '../../solvers/decide/index.js';
export type {
  CheckedAnswer,
  Model as SolverModel,
  Solver,
  SolverAnswer,
  SolverIdentity,
  SolverOptions,
  TermValue,
} from '../../solvers/smt/index.js';
