export { askByModel } from './askByModel.js';
export type { AskModel } from './asked.js';
export { type Broken, brokenEnsures, brokenRequires } from './conditions.js';
export { type PlanJudge, planJudge } from './planJudge.js';
export type { BeginEntry, ResultEntry, ResultStore, StepEntry } from './resultStore.js';
export { type PlanRun, type PlanTool, type RunPlanOptions, runPlan, type UnknownCall } from './run.js';
