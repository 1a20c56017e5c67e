/** `foreguard/translate`: sentences that the reader of English does not understand, translated into rules with a language model, and confirmed by a person. */

export {
  type AiSdkModel,
  type GenerateRequest,
  type GenerateResult,
  type LangChainModel,
  type LanguageModel,
  modelFromAiSdk,
  modelFromFunction,
  modelFromLangChain,
  type OpenAiCompatibleOptions,
  openAiCompatible,
  type PromptName,
  recordedModel,
  recordingModel,
} from '../../base/languageModel/index.js';
export type { ComparedRule, ComparedTrace, CompareOptions } from '../../languages/automaton/compare/index.js';
export type { AtEnd, Automaton } from '../../languages/automaton/index.js';
export type {
  AMBIGUITIES,
  AmbiguityName,
  Choice,
  EmbedTexts,
  Lexicon,
  Phrases,
  PredicateWords,
  Question,
  Reading,
  Refusal,
} from '../../languages/english/index.js';
export { type Formula, parseFormula, printFormula } from '../../languages/logic/index.js';
export type { CheckedRule } from '../../rules/ruleSet/index.js';
export {
  answerTranslation,
  type Confirmation,
  type ConfirmationQuestion,
  type ConfirmedRule,
  confirmRule,
  type GroundedMention,
  type GroundingOptions,
  type Lock,
  type Span,
  type TranslateOptions,
  type Translation,
  type TranslationExample,
  translate,
  type VotedClass,
  type VotedReading,
  voteByEquivalence,
} from '../../rules/translate/index.js';
