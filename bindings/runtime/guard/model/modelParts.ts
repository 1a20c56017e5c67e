import { checkLearnt, checkModel, checkStates, checkTables } from './checkModel.js';
import { followStates } from './followStates.js';
import { ModelStates } from './modelStates.js';
import { RiskMonitor } from './riskMonitor.js';
import { probabilityInWords, riskInWords, violationInWords } from './riskWords.js';

/** What only a guard of a model needs, which `loadGuard` loads on demand. */
export const modelParts = {
  ModelStates,
  RiskMonitor,
  checkLearnt,
  checkModel,
  checkStates,
  checkTables,
  followStates,
  probabilityInWords,
  riskInWords,
  violationInWords,
};

export type ModelParts = typeof modelParts;
