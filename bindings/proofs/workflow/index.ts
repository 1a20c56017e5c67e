export { type PlanBuilder, type PlanValue, type Ref, type StepOptions, workflow } from './builder.js';
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
export { planDot, planSvg } from './picture.js';
export type { Action, Json, Plan, PlanExpression, Step, Value } from './plan.js';
export { PlanError, type PlanProblem } from './planError.js';
export { namesGiven, namesOf, namesRead, valuesOf } from './planNames.js';
export { type PlanPromptOptions, planPrompt } from './planPrompt.js';
export { type PlanSchemaOptions, planSchema, type SchemaDialect } from './planSchema.js';
export {
  type PlanAttempt,
  type PlanJudgement,
  type PlanVerified,
  type PlanVerifiedOptions,
  planVerified,
} from './planVerified.js';
export { printPlan, printValue } from './print.js';
export { type ReadPlanOptions, readPlan } from './readPlan.js';
export { eachStep, innerSteps } from './stepIds.js';
export type { ToolType, ToolTypes } from './toolTypes.js';
export { planWords, sentence, valueWords } from './words.js';
export { flatPlan } from './writeFlat.js';
export { planJson, valueJson } from './writePlan.js';
