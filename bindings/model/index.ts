export { ROW_SUM_TOLERANCE } from './checkRows.js';
export { createDtmc, type DtmcParts } from './createDtmc.js';
export {
  createIntervalDtmc,
  createIntervalMdp,
  type IntervalDtmcParts,
  type IntervalMdpParts,
} from './createInterval.js';
export { createMdp, type MdpParts } from './createMdp.js';
export type { Annotation, Dtmc, Rewards, Valuations, VariableValue } from './dtmc.js';
export { dtmcFromRows, type RowsOptions, type Transition } from './dtmcFromRows.js';
export type { ExactRewards } from './exactRewards.js';
export type { IntervalDtmc, IntervalMdp } from './interval.js';
export { labelOf } from './labelOf.js';
export { type ActionNames, type Mdp, NO_ACTION } from './mdp.js';
export type { Model, StateVariables } from './model.js';
export { requireDtmc } from './requireDtmc.js';
export { valuationsOf } from './valuationsOf.js';
