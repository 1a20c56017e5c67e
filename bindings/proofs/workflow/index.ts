export {
  expressionOf,
  listOf,
  literal,
  parsed,
  readExpression,
  recordOf,
  reference,
  textOf,
  valueOfExpression,
} from './canonical.js';
export { checkPlan, type Narrowing, type PlanCheck } from './checkPlan.js';
export { type Fitness, fitness } from './fitness.js';
export { type Ended, type Given, interpret, type Wanted } from './interpret.js';
export { isPlanName, NAME_EXPECTED } from './names.js';
export type { Action, Json, Plan, PlanExpression, Step, Value } from './plan.js';
export { PlanError, type PlanProblem } from './planError.js';
export { namesGiven, namesOf } from './planNames.js';
export { print, printValue } from './print.js';
export { type ReadPlanOptions, readPlan } from './readPlan.js';
export { eachStep, innerSteps } from './stepIds.js';
export type { ToolType, ToolTypes } from './toolTypes.js';
export { flatPlan } from './writeFlat.js';
export { planJson, valueJson } from './writePlan.js';
