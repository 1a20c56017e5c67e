export { answerQuestion } from './answerQuestion.js';
export type { AMBIGUITIES, AmbiguityName, Choice } from './choices.js';
export { inWords, type Question, questionFor } from './question.js';
export {
  type Asked,
  asked,
  type EnglishReading,
  type ReadEnglishOptions,
  readEnglish,
} from './readEnglish.js';
export type { Reading } from './readings.js';
export { describeQuestion, type ReadRuleOptions, readRule } from './readRule.js';
export { describeReading, describeReadings, isFretish, numbered, readSentence } from './readSentence.js';
export type { Refusal } from './refusal.js';
export { phrasesOf, type Vocabulary } from './vocabulary.js';
