export { explainRule, explainStep } from './explainRule.js';
export { type ExplainOptions, explainVerdict } from './explainVerdict.js';
export type { Explanation, Fact, Obligation } from './explanation.js';
export {
  breachesAhead,
  type CallProspect,
  createPlanner,
  type ForeseenRule,
  type ForeseenSpecification,
  foresightJudge,
  type Landmark,
  type PlannedCall,
  type PlannedRule,
  type Planner,
  type PlannerOptions,
  type PlanStep,
  type Position,
  type Prerequisites,
} from './planning/index.js';
export type {
  ActionFilter,
  FilteredActions,
  PlanViolation,
  Proposal,
  Refusal,
} from './pruning/actionFilter.js';
export { constraintFormula } from './pruning/constraintFormula.js';
export { createPruner, type Pruner, type PrunerOptions, prunerFromGuard } from './pruning/pruner.js';
