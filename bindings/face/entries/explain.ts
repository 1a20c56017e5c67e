/** `foreguard/explain`: explains the state of rules, and finds the actions that keep them. */

export type { PredicateWords } from '../../languages/english/index.js';
export type { Formula } from '../../languages/logic/index.js';
export {
  type ActionFilter,
  createPruner,
  type ExplainOptions,
  type Explanation,
  explainRule,
  explainStep,
  explainVerdict,
  type Fact,
  type FilteredActions,
  type Obligation,
  type PlanViolation,
  type Proposal,
  type Pruner,
  type PrunerOptions,
  prunerFromGuard,
  type Refusal,
} from '../../runtime/explanation/index.js';
export type { Guard, GuardStep } from '../../runtime/guard/index.js';
