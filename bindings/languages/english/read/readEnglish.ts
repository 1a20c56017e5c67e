import { InvalidArgumentError } from '../../../base/errors.js';
import { requireText } from '../../../base/suggest.js';
import type { CompareOptions } from '../../automaton/compare/index.js';
import { BudgetError } from '../grammar/budget.js';
import { parse } from '../grammar/chart.js';
import { sentenceGrammar } from '../grammar/sentences.js';
import { tokensOf } from '../grammar/tokens.js';
import { createLexicon } from '../lexicon/index.js';
import { sayFormula } from '../say/index.js';
import { moverOf, tokensOfRobot, wordsOfRobot } from './agent.js';
import { formsOf } from './forms.js';
import { numberOffers, numbersOf } from './numbers.js';
import { type Question, questionFor } from './question.js';
import { type Reading, readingsOf, TooManyReadings } from './readings.js';
import { endlessPlace, type Refusal, refusalOf, refused } from './refusal.js';
import { phrasesOf, spoken, type Vocabulary } from './vocabulary.js';

/** How a sentence is read. */
export interface ReadEnglishOptions {
  /** The predicates that it may speak of. */
  readonly predicates: Vocabulary;
  /** Rules that every run satisfies; readings that are the same on those runs are one. Default: none. */
  readonly constraints?: CompareOptions['constraints'];
  /** The expressions of predicates. One that compares a field with a number, `temperature > 80`, may be said so: "the temperature is above 80". Default: none. */
  readonly definitions?: readonly { readonly name: string; readonly expression: string }[];
  /** Seconds between steps, by which "within 3 seconds" is counted in steps. Default: times are refused. */
  readonly samplingPeriod?: number | string | null;
}

/**
 * What a sentence means: one formula; several, with a question that tells them apart; or none, with the reason. A sentence with more than one reading is never a
 * rule by itself.
 */
export type EnglishReading = ({ readonly kind: 'one' } & Reading) | Asked | Refusal;

/** Several readings, and a question that divides them. */
export interface Asked {
  readonly kind: 'ask';
  /** No two of them are equivalent. */
  readonly readings: readonly Reading[];
  readonly question: Question;
}

const LONGEST = 120;

/**
 * Reads a rule in everyday English. Every word counts: a sentence with a word that is not understood is refused. No model takes part.
 *
 * @param sentence one or a few sentences, such as `Never go to the kitchen before the hall.`
 * @throws InvalidArgumentError if there are no predicates, or as `createLexicon`
 * @source patterns: Dwyer, Avrunin and Corbett (1999); Menghi et al. (2019)
 */
export function readEnglish(sentence: string, options: ReadEnglishOptions): EnglishReading {
  requireText('readEnglish', sentence);
  const words = spoken(options.predicates);
  const mover = moverOf(words);
  if (words.size === 0)
    throw new InvalidArgumentError(
      'readEnglish has no predicates; name those that the sentence may speak of',
    );
  const tokens = mover === null ? tokensOf(sentence) : tokensOfRobot(tokensOf(sentence), mover);
  if (tokens.length === 0)
    return refused('empty', 'the sentence is empty', ['write a sentence such as "Never go to the kitchen."']);
  if (tokens.length > LONGEST)
    return refused('too-long', `the sentence has ${tokens.length} words; at most ${LONGEST} are read`, [
      'write one rule a sentence',
    ]);
  const compare = comparisonOf(options);
  const vocabulary = mover === null ? options.predicates : wordsOfRobot(words, mover);
  const named = [...phrasesOf(vocabulary), ...formsOf(vocabulary, tokens), ...numbersOf(options, tokens)];
  const lexicon = createLexicon(Object.fromEntries(words));
  const told = {
    sentence,
    numbers: numberOffers(options, tokens),
    phrases: [...words.keys()].map((name) => lexicon.phrasesOf(name).holds),
  };
  const stranger = refusalOf.unknownWord(tokens, named, told);
  if (stranger !== null) return stranger;
  try {
    const parsed = parse(sentenceGrammar(), 'Text', tokens, named);
    const texts = tokens.map(({ text }) => text);
    const { readings, endless, dropped } = readingsOf(parsed.trees, texts, compare, (formula) =>
      sayFormula(formula, lexicon),
    );
    if (endless) return refusalOf.endless(endlessPlace(tokens));
    if (readings.length === 1) return { kind: 'one', ...readings[0] };
    if (readings.length > 1) return asked(readings, options);
    if (dropped !== null) return refusalOf.vacuous(dropped);
    return refusalOf.unknown(tokens, parsed, named, told);
  } catch (error) {
    if (error instanceof BudgetError || error instanceof TooManyReadings) return refusalOf.tooMany();
    throw error;
  }
}

const comparisonOf = ({ constraints }: ReadEnglishOptions): CompareOptions =>
  constraints === undefined ? {} : { constraints };

/** At least two readings with the question that divides them. */
export function asked(readings: readonly Reading[], options: ReadEnglishOptions): Asked {
  const lexicon = createLexicon(Object.fromEntries(spoken(options.predicates)));
  return { kind: 'ask', readings, question: questionFor(readings, comparisonOf(options), lexicon) };
}
