import type { Question, Reading, Refusal } from '../../languages/english/index.js';
import type { Confirmation } from './confirmation.js';
import type { GroundedMention } from './ground.js';
import type { Span } from './mentions.js';

/** A reading, and how much speaks for it. */
export interface VotedReading extends Reading {
  /** Of the answers that are trees, from 0 to 1; 0 for a reading that the reader of English found and the model did not. */
  readonly share: number;
}

/**
 * What a sentence was translated into. Nothing that a model said is a rule before a person has confirmed it.
 *
 * - `read`: the reader of English found one meaning. No model was asked.
 * - `offer`: the answers of the model are equivalent. A person looks at it in words, and answers the questions of its confirmation.
 * - `ask`: there are several readings, with a run that divides them. What is left after the answers is an offer.
 * - `refused`: why there is none, and what to try.
 */
export type Translation = Span &
  (
    | ({ readonly kind: 'read' } & Reading)
    | ({
        readonly kind: 'offer';
        readonly mentions: readonly GroundedMention[];
        readonly confirmation: Confirmation;
        /** What speaks against it, each as a sentence; empty if nothing does. */
        readonly doubts: readonly string[];
      } & VotedReading)
    | {
        readonly kind: 'ask';
        readonly mentions: readonly GroundedMention[];
        /** Those with the most votes first; no two are equivalent. */
        readonly readings: readonly VotedReading[];
        readonly question: Question;
        readonly doubts: readonly string[];
      }
    | {
        readonly kind: 'refused';
        readonly code: Refusal['code'] | 'unknown-predicate' | 'unsupported' | 'model-failed';
        readonly message: string;
        /** Where in the whole sentence, from 0; null if it is all of it. */
        readonly place: { readonly start: number; readonly end: number } | null;
        readonly offers: readonly string[];
      }
  );
