export { type AllowedValuations, allowedValuations } from './allowedValuations.js';
export { type ComparisonGroup, comparisonGroups } from './comparisonGroups.js';
export { compileRules } from './compileRules.js';
export {
  describeNode,
  type Entry,
  type Problem,
  SpecificationDocument,
  SpecificationError,
} from './document.js';
export { enforcedRule } from './enforcedRule.js';
export { allPredicates, predictedRules, requirePredicted } from './exactRules.js';
export { guardedFaults } from './guardedFaults.js';
export { guardedPolicies } from './guardedPolicies.js';
export { guardedRule } from './guardedRule.js';
export {
  guardedEnglish,
  guardedWords,
  lexiconOf,
  saidRule,
  shownPredicate,
  vocabularyOf,
} from './guardedWords.js';
export { schemaOf } from './inputSchema.js';
export { judgesBeside } from './judgesBeside.js';
export { lockFormulas } from './lockFormulas.js';
export { parseSpecification, readSpecification } from './parse.js';
export { PERMITTED } from './parsePolicies.js';
export { parsePool } from './parsePool.js';
export type {
  PolicyExample,
  PolicyProperty,
  PolicyScript,
  PolicySpecification,
  SessionProperty,
} from './policies.js';
export { parsePolicies } from './policyFile.js';
export type { ScriptSource } from './policyScripts.js';
export { type PredictionNote, predictionNotes } from './predictionNotes.js';
export type { RuleReader } from './ruleFormula.js';
export type {
  LearningSpecification,
  RuleSpecification,
  RuleTest,
  Specification,
  TestCall,
  ToolSpecification,
} from './specification.js';
export { misspeltTools, unlistedTools } from './unlistedTools.js';
export { type Remainder, withoutPredicates } from './withoutPredicates.js';
