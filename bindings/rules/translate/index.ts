export {
  type Confirmation,
  type ConfirmationQuestion,
  type ConfirmedRule,
  confirmationFor,
  confirmRule,
} from './confirmation.js';
export type { TranslationExample } from './examples.js';
export type { GroundedMention, GroundingOptions } from './ground.js';
export type { Lock } from './locks.js';
export type { Span } from './mentions.js';
export { answerTranslation, type TranslateOptions, translate } from './translate.js';
export type { Translation, VotedReading } from './translation.js';
export { type VotedClass, voteByEquivalence } from './vote.js';
