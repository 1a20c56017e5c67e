/** `foreguard/workflow/risk`: how likely it is that a proved plan breaks rules, by a learnt model, before it runs. */

export {
  type GapReason,
  type PlanGap,
  type PlanRisk,
  type PlanRuleRisk,
  planRisk,
} from '../../../proofs/planRisk/index.js';
