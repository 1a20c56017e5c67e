/** `foreguard/workflow/run`: runs of plans that were proved, each call under the judges, the people and the log of a session. */

export {
  type AskModel,
  askByModel,
  type BeginEntry,
  type PlanJudge,
  type PlanRun,
  type PlanTool,
  planJudge,
  type ResultEntry,
  type ResultStore,
  type RunPlanOptions,
  runPlan,
  type StepEntry,
  type UnknownCall,
} from '../../../proofs/execution/index.js';
export type { Ended, Given, Wanted } from '../../../proofs/workflow/index.js';
