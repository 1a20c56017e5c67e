import { nearestName } from '../../../base/suggest.js';
import type { NamedPhrase, Parsed } from '../grammar/chart.js';
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
    | 'no-finite-meaning'
    | 'contradiction'
    | 'says-nothing';
  readonly message: string;
  /** Where in the sentence, from its first character, from 0; null if it is the whole. */
  readonly place: { readonly start: number; readonly end: number } | null;
  readonly offers: readonly string[];
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
  endless: (): Refusal =>
    refused('no-finite-meaning', 'a run ends, so nothing can happen again and again without end', [
      'say how often: "at least 3 times"',
      'say how soon again: a rule such as G (F<=10 p), "within 10 steps" of every step',
      'say what holds at the end of the run',
    ]),
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
  unknown(tokens: readonly Token[], { reached, expected }: Parsed, named: readonly NamedPhrase[]): Refusal {
    const known = new Set([...grammarWords(), ...named.flatMap(({ words }) => words)]);
    const stranger = tokens.find(
      ({ text }) => !known.has(text) && numberOf(text) === null && /[\p{L}\p{N}]/u.test(text),
    );
    if (stranger !== undefined) {
      const near = [nearestName(stranger.text, known)].flatMap((word) =>
        word === undefined ? [] : [`did you mean "${word}"?`],
      );
      const phrases = named.slice(0, 6).map(({ words }) => `"${words.join(' ')}"`);
      return refused(
        'unknown-word',
        `the word "${stranger.text}" is not known`,
        [...near, `predicates are said so: ${phrases.join(', ')}`],
        { start: stranger.start, end: stranger.end },
      );
    }
    const token = tokens[reached];
    const words = [...new Set(expected.filter((text) => !/^[%@]/.test(text)))]
      .slice(0, 5)
      .map((text) => `"${text}"`);
    const offers = [
      ...(words.length === 0 ? [] : [`understood there: ${words.join(', ')}`]),
      'write one rule a sentence, such as "Never go to a before b." or "Whenever a holds, b eventually holds."',
    ];
    return token === undefined
      ? refused(
          'unknown-form',
          'the sentence ends too early, or each of its words is known and the whole is not',
          offers,
        )
      : refused('unknown-form', `no form of sentence goes on with "${token.text}" here`, offers, {
          start: token.start,
          end: token.end,
        });
  },
};
