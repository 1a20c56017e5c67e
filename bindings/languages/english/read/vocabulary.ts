import type { NamedPhrase } from '../grammar/chart.js';
import { tokensOf } from '../grammar/tokens.js';
import { behindVerb, type PredicateWords, splitName } from '../lexicon/index.js';

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
      add('state', phrase, name);
      const opposite = behindVerb(phrase, 'not');
      if (opposite !== null) add('state', opposite, ['not', name]);
    }
    if (not !== undefined) add('state', not, ['not', name]);
  }
  return [...found.values()];
}
