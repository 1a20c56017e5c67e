export { createDtmc, type DtmcParts, ROW_SUM_TOLERANCE } from './createDtmc.js';
export type { Annotation, Dtmc, Rewards, Valuations, VariableValue } from './dtmc.js';
export { dtmcFromRows, type RowsOptions, type Transition } from './dtmcFromRows.js';
export { labelOf } from './labelOf.js';
