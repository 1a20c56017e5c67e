/** `foreguard/english`: rules written in English. */

export {
  type FRET_CONDITIONS,
  type FRET_SCOPES,
  type FRET_TIMINGS,
  type FretCell,
  type FretCondition,
  type FretishRequirement,
  type FretScope,
  type FretTiming,
  fretFutureForm,
  fretPastForm,
  readFretish,
} from '../../languages/english/index.js';
export { type Formula, printFormula } from '../../languages/logic/index.js';
