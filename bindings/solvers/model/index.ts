export type { ChainView } from './chainView.js';
export { ROW_SUM_TOLERANCE } from './checkRows.js';
export { createDtmc, type DtmcParts } from './createDtmc.js';
export {
  createIntervalDtmc,
  createIntervalMdp,
  type IntervalDtmcParts,
  type IntervalMdpParts,
} from './createInterval.js';
export { createMdp, type MdpParts } from './createMdp.js';
export {
  type ActionNames,
  type Annotation,
  type Descriptions,
  NO_ACTION,
  type Rewards,
  type Valuations,
  type VariableValue,
} from './descriptions.js';
export type { Dtmc } from './dtmc.js';
export { dtmcFromRows, type RowsOptions, type Transition } from './dtmcFromRows.js';
export type { ExactRewards } from './exactRewards.js';
export type { IntervalDtmc, IntervalMdp } from './interval.js';
export { labelOf } from './labelOf.js';
export type { Mdp } from './mdp.js';
export type { Model, StateVariables } from './model.js';
export { requireDtmc } from './requireDtmc.js';
export type { Rounding } from './rounding.js';
export { valuationsOf } from './valuationsOf.js';
export { virtualStart } from './virtualStart.js';
