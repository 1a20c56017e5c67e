/** Commands about plans and contracts, loaded when one of them runs. */
export { workflowContracts } from './contracts.js';
export { workflowExplain } from './explain.js';
export { workflowLower } from './lower.js';
export { workflowRun } from './run.js';
export { workflowSchema } from './schema.js';
export { workflowVerify } from './verify.js';
