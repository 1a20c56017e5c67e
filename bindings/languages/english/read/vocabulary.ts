import type { NamedPhrase } from '../grammar/chart.js';
import { tokensOf } from '../grammar/tokens.js';
import { behindVerb, clauseOf, isEvent, type PredicateWords, splitName } from '../lexicon/index.js';

/** The predicates that a sentence may speak of: their names, or how each is said by its name. */
export type Vocabulary = readonly string[] | Readonly<Record<string, PredicateWords>>;

const OPPOSITES: Readonly<Record<string, string>> = {
  on: 'off',
  open: 'closed',
  locked: 'unlocked',
  full: 'empty',
  off: 'on',
  closed: 'open',
};
const VISIT =
  /^(?:(?:you|the robot|the agent|it) (?:are|is) (?:in|at|inside)|go to|enter|visit) (?:the )?(.+)$/;

const IS = /^(.+?) (?:is|are) (?!not\b)(.+)$/;

/** "the gate must be closed", of "the gate is closed"; none where "not" could not stand behind the verb, because then neither can "must" stand before it. */
function demandsOf(phrase: string): string[] {
  return moods(phrase, ['must be', 'should be', 'shall be', 'has to be', 'have to be']);
}

/** "the gate must not be open". "Must never be" is not among them: beside a condition it may mean from then on. */
function bansOf(phrase: string): string[] {
  return moods(phrase, ['must not be', 'should not be', 'shall not be']);
}

function moods(phrase: string, verbs: readonly string[]): string[] {
  const parts = behindVerb(phrase, 'not') === null ? null : IS.exec(phrase);
  return parts === null ? [] : verbs.map((verb) => `${parts[1]} ${verb} ${parts[2]}`);
}

/** The predicates of a vocabulary with how each is said. */
export function spoken(vocabulary: Vocabulary): ReadonlyMap<string, PredicateWords> {
  return new Map(
    Array.isArray(vocabulary)
      ? (vocabulary as readonly string[]).map((name) => [name, {}])
      : Object.entries(vocabulary as Readonly<Record<string, PredicateWords>>),
  );
}

/** The phrases that stand for predicates: of things that are visited or happen, and of states. */
export function phrasesOf(vocabulary: Vocabulary): NamedPhrase[] {
  const found = new Map<string, NamedPhrase>();
  const add = (kind: NamedPhrase['kind'], text: string, tree: NamedPhrase['tree']): void => {
    const words = tokensOf(text.replace(/[.]$/, '')).map((token) => token.text);
    if (words[0] === 'the') words.shift();
    const key = JSON.stringify([kind, words, tree]);
    if (words.length > 0 && !found.has(key)) found.set(key, { kind, words, tree });
  };
  for (const [name, { say, not, also = [] }] of spoken(vocabulary)) {
    add('place', name, name);
    const split = splitName(name);
    const words = split.length === 0 ? [name] : split;
    if (!/^(in|at)$/.test(words[0]) || words.length === 1) add('place', words.join(' '), name);
    if (words.length > 1 && /^(in|at)$/.test(words[0])) add('place', words.slice(1).join(' '), name);
    const last = words.at(-1) as string;
    if (
      words.length > 1 &&
      (OPPOSITES[last] !== undefined || /^(busy|ready|running|active|held|dirty|clean)$/.test(last))
    ) {
      const thing = words.slice(0, -1).join(' ');
      for (const is of ['is', 'are', '']) add('state', `${thing} ${is} ${last}`, name);
      for (const is of ['is', 'are']) add('state', `${thing} ${is} not ${last}`, ['not', name]);
      if (OPPOSITES[last] !== undefined) add('state', `${thing} is ${OPPOSITES[last]}`, ['not', name]);
    }
    for (const phrase of say === undefined ? also : [say, ...also]) {
      const place = VISIT.exec(phrase.toLowerCase());
      if (place !== null) add('place', place[1], name);
      else if (/^the \w+( \w+)?$/.test(phrase)) add('place', phrase, name);
      const clause = clauseOf(phrase);
      const kind = clause !== null && isEvent(clause) ? 'event' : 'state';
      add(kind, phrase, name);
      const opposite = behindVerb(phrase, 'not');
      if (opposite !== null) add('state', opposite, ['not', name]);
      for (const demand of demandsOf(phrase)) add(kind, demand, name);
      for (const ban of bansOf(phrase)) add('state', ban, ['not', name]);
    }
    if (not !== undefined) {
      add('state', not, ['not', name]);
      for (const demand of demandsOf(not)) add('state', demand, ['not', name]);
    }
  }
  return [...found.values()];
}
