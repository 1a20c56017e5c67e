export {
  FRET_CONDITIONS,
  FRET_SCOPES,
  FRET_TIMINGS,
  type FretCell,
  type FretCondition,
  type FretScope,
  type FretTiming,
  fretFutureForm,
  fretPastForm,
} from './core/index.js';
export { type FretishRequirement, readFretish } from './fretish/index.js';
