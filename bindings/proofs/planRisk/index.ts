export { type PlanGap, type PlanRisk, type PlanRuleRisk, planRisk } from './planRisk.js';
export type { GapReason } from './recordedSteps.js';
