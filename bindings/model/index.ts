export { createDtmc, type DtmcParts, ROW_SUM_TOLERANCE } from './createDtmc.js';
export type { Annotation, Dtmc, Rewards, Valuations, VariableValue } from './dtmc.js';
export { dtmcFromRows, type RowsOptions, type Transition } from './dtmcFromRows.js';
export type { IntervalDtmc, IntervalMdp } from './interval.js';
export { labelOf } from './labelOf.js';
export type { ActionNames, Mdp } from './mdp.js';
export type { Model, StateVariables } from './model.js';
