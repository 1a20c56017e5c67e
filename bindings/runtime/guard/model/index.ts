// What only a guard of a model needs, which `loadGuard` loads on demand.
export { checkModel, checkStates, checkTables } from './checkModel.js';
export { followStates } from './followStates.js';
export { ModelStates } from './modelStates.js';
export { RiskMonitor } from './riskMonitor.js';
export { probabilityInWords, riskInWords, violationInWords } from './riskWords.js';
