export { type BindAgentSpecOptions, bindAgentSpec } from './bindAgentSpec.js';
export type { EnforcedStrategy, EnforcementBinding } from './enforcements.js';
export { type AgentSpecDocument, parseAgentSpec, type SkippedText } from './parseAgentSpec.js';
export type { PredicateBinding, PredicateContext } from './predicates.js';
export { printAgentSpec } from './printAgentSpec.js';
export type { ProposedAction, ReactiveDecision, ReactiveRules } from './reactiveRules.js';
export type { AgentSpecRule, Argument, Condition, Enforcement, RulePlace } from './rule.js';
