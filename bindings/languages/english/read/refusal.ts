import { nearestName } from '../../../base/suggest.js';
import { parseFormula } from '../../logic/index.js';
import type { NamedPhrase, Parsed } from '../grammar/chart.js';
import { PHRASES } from '../grammar/phrases.js';
import { grammarWords } from '../grammar/sentences.js';
import { numberOf, type Token } from '../grammar/tokens.js';

/** Why a sentence is no rule, and what to write instead. */
export interface Refusal {
  readonly kind: 'refused';
  readonly code:
    | 'empty'
    | 'too-long'
    | 'too-many-readings'
    | 'unknown-word'
    | 'unknown-form'
    | 'formula'
    | 'no-finite-meaning'
    | 'contradiction'
    | 'says-nothing';
  readonly message: string;
  /** Where in the sentence, from its first character, from 0; null if it is the whole. */
  readonly place: { readonly start: number; readonly end: number } | null;
  readonly offers: readonly string[];
}

/** A sentence, and how its predicates are said. */
interface Told {
  readonly sentence: string;
  readonly phrases: readonly string[];
  /** What to do about its numbers. */
  readonly numbers: readonly string[];
}

export function refused(
  code: Refusal['code'],
  message: string,
  offers: readonly string[],
  place: Refusal['place'] = null,
): Refusal {
  return { kind: 'refused', code, message, offers, place };
}

export const refusalOf = {
  endless: (place: Refusal['place'] = null): Refusal =>
    refused(
      'no-finite-meaning',
      'a run ends, so nothing can happen again and again without end',
      [
        'say how often: "at least 3 times"',
        'say how soon again: a rule such as G (F<=10 p), "within 10 steps" of every step',
        'say what holds at the end of the run',
      ],
      place,
    ),
  vacuous: (which: 'always' | 'never'): Refusal =>
    which === 'never'
      ? refused('contradiction', 'no run can satisfy the sentence', [
          'take out one of the parts that exclude each other',
        ])
      : refused('says-nothing', 'every run satisfies the sentence', [
          'say what must not happen, or what must',
        ]),
  tooMany: (): Refusal =>
    refused('too-many-readings', 'the sentence can be meant in too many ways', [
      'write one rule a sentence',
      'write "whenever" for "when", and name each place again',
    ]),
  /** Of a sentence with a word that nothing knows, which no parse can use; null if there is none. */
  unknownWord(tokens: readonly Token[], named: readonly NamedPhrase[], told: Told): Refusal | null {
    const stranger = unknownWord(tokens, named, told);
    return stranger && (formulaRefusal(told) ?? stranger);
  },
  /** Of a sentence that has no parse: its first fault. */
  unknown(tokens: readonly Token[], parsed: Parsed, named: readonly NamedPhrase[], told: Told): Refusal {
    const formula = formulaRefusal(told);
    if (formula !== null) return formula;
    const endless = endlessPlace(tokens);
    return endless === null ? unknownForm(tokens, parsed, named, told) : refusalOf.endless(endless);
  },
};

function formulaRefusal({ sentence }: Told): Refusal | null {
  if (!isFormula(sentence)) return null;
  return refused('formula', 'this is a formula, not a sentence', [
    `write it as a formula: "formula: ${sentence.trim()}" in a specification`,
    'foreguard english --say says formulas in English',
  ]);
}

function isFormula(sentence: string): boolean {
  try {
    const { kind } = parseFormula(sentence);
    return kind !== 'predicate';
  } catch {
    return false;
  }
}

function unknownWord(
  tokens: readonly Token[],
  named: readonly NamedPhrase[],
  { sentence, phrases, numbers }: Told,
): Refusal | null {
  const ofPredicates = new Set(named.flatMap(({ words }) => words));
  const strangers = tokens.filter(
    ({ text }) =>
      !grammarWords().has(text) &&
      !ofPredicates.has(text) &&
      numberOf(text) === null &&
      /[\p{L}\p{N}]/u.test(text),
  );
  if (strangers.length === 0) return null;
  const [{ text, start, end }] = strangers;
  const written = [...new Set(strangers.map((token) => `"${sentence.slice(token.start, token.end)}"`))];
  // Words of predicates that the grammar has too, such as "has", are no names of things.
  const ofThings = [...ofPredicates].filter((word) => !grammarWords().has(word));
  const near = nearestName(text, ofThings) ?? nearestName(text, grammarWords());
  return refused(
    'unknown-word',
    written.length === 1
      ? `the word ${written[0]} is not known`
      : `the words ${written.slice(0, 8).join(', ')}${written.length > 8 ? ' and others' : ''} are not known`,
    [...numbers, ...(near === undefined ? [] : [`did you mean "${near}"?`]), ...saidSo(phrases)],
    { start, end },
  );
}

function saidSo(phrases: readonly string[]): string[] {
  const shown = phrases.slice(0, 8).map((phrase) => `"${phrase}"`);
  if (phrases.length > shown.length) shown.push(`${phrases.length - shown.length} more`);
  return [`predicates are said so: ${shown.join(', ')}`];
}

const ENDLESS = ['always eventually', 'always sometime', 'from some point on', 'from some point in time on'];

/** Where a sentence says "again and again"; null if it does not. */
export function endlessPlace(tokens: readonly Token[]): Refusal['place'] {
  for (const phrase of [...PHRASES.endless, ...ENDLESS])
    for (let at = 0; at < tokens.length; at++) {
      const words = phrase.split(' ');
      if (words.every((word, i) => tokens[at + i]?.text === word))
        return { start: tokens[at].start, end: tokens[at + words.length - 1].end };
    }
  return null;
}

function unknownForm(
  tokens: readonly Token[],
  { reached, expected }: Parsed,
  named: readonly NamedPhrase[],
  { sentence, phrases, numbers }: Told,
): Refusal {
  const token = tokens[reached];
  const begun = named.find(({ words }) => words[0] === tokens[reached - 1]?.text);
  const words = [...new Set(expected.filter((text) => !/^[%@]/.test(text)))]
    .slice(0, 5)
    .map((text) => `"${text}"`);
  const offers = [
    ...numbers,
    ...(words.length === 0 ? [] : [`understood there: ${words.join(', ')}`]),
    ...(begun === undefined ? [] : saidSo(phrases)),
    'write one rule a sentence, such as "Never go to a before b." or "Whenever a holds, b eventually holds."',
  ];
  return token === undefined
    ? refused(
        'unknown-form',
        'the sentence ends too early, or each of its words is known and the whole is not',
        offers,
      )
    : refused(
        'unknown-form',
        `no form of sentence goes on with "${sentence.slice(token.start, token.end)}" here`,
        offers,
        {
          start: token.start,
          end: token.end,
        },
      );
}
