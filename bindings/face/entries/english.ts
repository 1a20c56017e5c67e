/** `foreguard/english`: rules written in English, and said in English. */

export type { ComparedRule, ComparedTrace } from '../../languages/automaton/compare/index.js';
export {
  type AMBIGUITIES,
  type AmbiguityName,
  type Choice,
  createLexicon,
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
  type Lexicon,
  type Phrases,
  type PredicateWords,
  type Question,
  type ReadEnglishOptions,
  type Reading,
  type ReadRuleOptions,
  type Refusal,
  readEnglish,
  readFretish,
  readRule,
  sayFormula,
  type Vocabulary,
} from '../../languages/english/index.js';
export { type Formula, parseFormula, printFormula } from '../../languages/logic/index.js';
