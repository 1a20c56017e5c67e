/** `foreguard/agentspec`: AgentSpec rules beside a guard. */

export type { Fields } from '../../languages/expression/index.js';
export {
  type AgentSpecDocument,
  type AgentSpecRule,
  type Argument,
  type BindAgentSpecOptions,
  bindAgentSpec,
  type Condition,
  type EnforcedStrategy,
  type Enforcement,
  type EnforcementBinding,
  type PredicateBinding,
  type PredicateContext,
  type ProposedAction,
  parseAgentSpec,
  printAgentSpec,
  type ReactiveDecision,
  type ReactiveRules,
  type RulePlace,
  type SkippedText,
} from '../../runtime/agentspec/index.js';
