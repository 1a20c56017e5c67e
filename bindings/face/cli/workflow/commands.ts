/** Commands about plans and contracts, loaded when one of them runs. */
export { workflowContracts } from './contracts.js';
