import { InvalidArgumentError } from '../../../base/errors.js';
import { splitName } from './splitName.js';

/** How people say a predicate. */
export interface PredicateWords {
  /** A sentence without capital and full stop that says that it holds, such as "the stove is on". Default: made from the name. */
  readonly say?: string;
  /** The sentence that says that it does not hold. Default: made from `say`. */
  readonly not?: string;
  /** Other sentences that say that it holds, for readers of English. */
  readonly also?: readonly string[];
}

/** The sentences for one predicate. */
export interface Phrases {
  readonly holds: string;
  readonly not: string;
  readonly also: readonly string[];
}

/** The sentences for predicates: of each its own, and of no two the same. */
export interface Lexicon {
  /** The sentences for a predicate; for one that was not given, those that its name makes. */
  phrasesOf(name: string): Phrases;
}

/** Words that a name ends with, which say in which state its thing is. */
const STATES: ReadonlySet<string> = new Set(
  'on off open closed shut locked unlocked full empty ready busy active idle broken dirty clean hot cold running stopped approved confirmed done safe visible held'.split(
    ' ',
  ),
);
/** Words that a name begins with, which say where the agent is. */
const PLACES: ReadonlySet<string> = new Set('in at near inside outside behind under above below'.split(' '));
/** After the first of these, "not" makes the opposite of a sentence. */
const AUXILIARY = /^(.*? )?(is|are|was|were|has|have|may|must|can|will)( .*)$/;

/**
 * Makes a lexicon.
 *
 * @param words by the names of predicates
 * @param subject who is meant by a name such as `inKitchen`; default: "the agent"
 * @throws InvalidArgumentError if a sentence is empty or has a parenthesis or a line break, or if two predicates would be said in the same words
 */
export function createLexicon(
  words: Readonly<Record<string, PredicateWords>> = {},
  { subject = 'the agent' }: { readonly subject?: string } = {},
): Lexicon {
  const known = new Map<string, Phrases>();
  const owner = new Map<string, string>();
  for (const [name, given] of Object.entries(words)) {
    const phrases = phrasesFrom(name, given, subject);
    known.set(name, phrases);
    for (const phrase of new Set([phrases.holds, phrases.not, ...phrases.also])) {
      const key = phrase.toLowerCase();
      const other = owner.get(key);
      if (other !== undefined || phrases.holds === phrases.not)
        throw new InvalidArgumentError(
          other === undefined
            ? `predicate ${name}: "${phrase}" says that it holds and that it does not; write another \`not\``
            : `predicates ${other} and ${name} are both said as "${phrase}"; give one of them another \`say\``,
        );
      owner.set(key, name);
    }
  }
  return { phrasesOf: (name) => known.get(name) ?? phrasesFrom(name, {}, subject) };
}

function phrasesFrom(name: string, { say, not, also = [] }: PredicateWords, subject: string): Phrases {
  for (const phrase of [say, not, ...also]) if (phrase !== undefined) requirePhrase(phrase, name);
  const holds = say ?? fromName(name, subject);
  return { holds, not: not ?? opposite(holds), also };
}

function requirePhrase(phrase: string, name: string): void {
  const found =
    phrase.trim() === '' ? 'it is empty' : /[()\p{Cc}]/u.test(phrase) ? 'it has a parenthesis or a control character' : null;
  if (found !== null)
    throw new InvalidArgumentError(
      `predicate ${name} is said as ${JSON.stringify(phrase)}, but ${found}; write a sentence such as "the stove is on"`,
    );
}

function fromName(name: string, subject: string): string {
  const words = splitName(name);
  const [first] = words;
  const last = words.at(-1);
  if (words.length > 1 && last !== undefined) {
    if (PLACES.has(first)) return `${subject} is ${first} the ${words.slice(1).join(' ')}`;
    if (STATES.has(last)) return `the ${words.slice(0, -1).join(' ')} is ${last}`;
  }
  return `\`${name}\` holds`;
}

function opposite(holds: string): string {
  if (/^`[^`]*` holds$/.test(holds)) return holds.replace(/ holds$/, ' does not hold');
  const parts = AUXILIARY.exec(holds);
  return parts === null ? `it is false that ${holds}` : `${parts[1] ?? ''}${parts[2]} not${parts[3]}`;
}
