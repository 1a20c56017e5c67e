/** `foreguard/ask`: questions about rules: may I, why not, what instead, what first, what is owed, will it ever, what are the rules. */

export type { ComparedTrace } from '../../languages/automaton/compare/index.js';
export type { AtEnd } from '../../languages/automaton/index.js';
export type { Formula } from '../../languages/logic/index.js';
export type { Step } from '../../observations/trace/index.js';
export {
  type Answer,
  type Ask,
  type AskedCall,
  type AskedSession,
  type AskOptions,
  type AskSessionOptions,
  askSession,
  askToolDefinitions,
  askTools,
  type BeforeAnswer,
  type Change,
  createAsk,
  type GuardAnswer,
  type Instead,
  type InsteadAnswer,
  type Landmark,
  type LiveAsk,
  type MayAnswer,
  type NotAnswered,
  type Outcome,
  type Owed,
  type OwedAnswer,
  type ProbabilityBounds,
  type Questions,
  type RulesAnswer,
  type SaidRule,
  type SearchLimits,
  type WhyNotAnswer,
  type WhyNotReason,
  type WillAnswer,
} from '../../rules/questions/index.js';
export { parseSpecification, type Specification } from '../../rules/specification/index.js';
export type {
  Asked,
  AskedContent,
  AskedReading,
  AskedRecord,
  AskedToolCall,
  AskTool,
  AskToolDefinition,
  ForeseenDecision,
  RunRecord,
  RunView,
  Standing,
} from '../../runtime/enforcement/index.js';
export type { Decision, Guard } from '../../runtime/guard/index.js';
