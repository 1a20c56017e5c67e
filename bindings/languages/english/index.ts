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
export {
  createGrounder,
  type EmbedTexts,
  type GroundedThing,
  type Grounder,
  type Grounding,
  type GroundingCandidate,
} from './grounding/index.js';
export {
  createLexicon,
  type Lexicon,
  type Phrases,
  type PredicateWords,
  splitName,
} from './lexicon/index.js';
export {
  type AMBIGUITIES,
  type AmbiguityName,
  type Asked,
  answerQuestion,
  type Choice,
  type EnglishReading,
  inWords,
  phrasesOf,
  type Question,
  questionFor,
  type ReadEnglishOptions,
  type Reading,
  type ReadRuleOptions,
  type Refusal,
  readEnglish,
  readRule,
  type Vocabulary,
} from './read/index.js';
export { sayClause, sayFormula } from './say/index.js';
