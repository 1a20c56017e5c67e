export { breachesAhead, type PlannedRule } from './foresight.js';
export { type ForeseenRule, type ForeseenSpecification, foresightJudge } from './foresightJudge.js';
export type { Landmark } from './landmarks.js';
export {
  type CallProspect,
  createPlanner,
  type PlannedCall,
  type Planner,
  type PlannerOptions,
  type PlanStep,
  type Position,
  type Prerequisites,
} from './planner.js';
