export {
  FRET_CONDITIONS,
  FRET_SCOPES,
  FRET_TIMINGS,
  type FretCell,
  type FretCondition,
  type FretScope,
  type FretTiming,
} from './cell.js';
export { type Endpoints, endpointsOf } from './endpoints.js';
export { fretFutureForm } from './futureForm.js';
export { fretPastForm } from './pastForm.js';
export * from './trees.js';
