/** `foreguard/english`: rules written in English, and said in English. */

export {
  createLexicon,
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
  type Lexicon,
  type Phrases,
  type PredicateWords,
  readFretish,
  sayFormula,
} from '../../languages/english/index.js';
export { type Formula, parseFormula, printFormula } from '../../languages/logic/index.js';
