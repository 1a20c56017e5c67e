/** `foreguard/english`: rules written in English. */

export type { ComparedRule, ComparedTrace } from '../../languages/automaton/compare/index.js';
export {
  type AmbiguityName,
  type Choice,
  type EnglishReading,
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
  type Question,
  type ReadEnglishOptions,
  type Reading,
  type Refusal,
  readEnglish,
  readFretish,
  type SpokenPredicate,
  type Vocabulary,
} from '../../languages/english/index.js';
export { type Formula, printFormula } from '../../languages/logic/index.js';
