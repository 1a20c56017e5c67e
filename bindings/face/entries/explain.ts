/** `foreguard/explain`: explains the state of rules, and finds the actions that keep them. */

export type { PredicateWords } from '../../languages/english/index.js';
export type { Trilean } from '../../languages/expression/index.js';
export type { Formula } from '../../languages/logic/index.js';
export {
  type ActionModel,
  type ActionModelOptions,
  type ArgumentValue,
  createActionModel,
  type DeclaredAction,
  type DeclaredActions,
  type DeclaredCall,
  type EffectTargets,
  type GivenArguments,
  type Outcomes,
  type Possible,
  type PredicateRole,
} from '../../observations/effects/index.js';
export { judgesBeside } from '../../rules/specification/index.js';
export {
  type ActionFilter,
  type CallProspect,
  createPlanner,
  createPruner,
  type ExplainOptions,
  type Explanation,
  explainRule,
  explainStep,
  explainVerdict,
  type Fact,
  type FilteredActions,
  type ForeseenRule,
  type ForeseenSpecification,
  foresightJudge,
  type Landmark,
  type Obligation,
  type PlannedCall,
  type PlannedRule,
  type Planner,
  type PlannerOptions,
  type PlanStep,
  type PlanViolation,
  type Position,
  type Prerequisites,
  type Proposal,
  type Pruner,
  type PrunerOptions,
  prunerFromGuard,
  type Refusal,
} from '../../runtime/explanation/index.js';
export type { Guard, GuardStep } from '../../runtime/guard/index.js';
