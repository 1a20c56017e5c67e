import { InvalidArgumentError } from '../../../base/errors.js';
import { oppositeSentence } from './negation.js';
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

/**
 * Makes a lexicon.
 *
 * @param words by the names of predicates; one without words of its own is said by its name
 * @param options.subject who is meant by a name such as `inKitchen`; default: "the agent"
 * @throws InvalidArgumentError if a sentence is empty or has a parenthesis, a backtick or a line break, or if two predicates are given the same words
 */
export function createLexicon(
  words: Readonly<Record<string, PredicateWords>> = {},
  options: { readonly subject?: string } = {},
): Lexicon {
  const { subject = 'the agent' } = options;
  const owners = new Map<string, string>();
  const known = new Map<string, Phrases>();
  const declared = Object.entries(words).filter(
    ([, { say, not, also }]) => (say ?? not ?? also) !== undefined,
  );
  for (const [name, given] of declared) {
    const phrases = phrasesFrom(name, given, subject);
    for (const phrase of sentencesOf(phrases, name)) claim(owners, phrase, name);
    known.set(name, phrases);
  }
  // Words that a name makes give way to those that were written, and to those of another name: then the name itself is said.
  const undeclared = Object.keys(words).filter((name) => !known.has(name));
  const made = undeclared.map((name) => keyOf(fromName(name, subject)));
  for (const name of undeclared) {
    const key = keyOf(fromName(name, subject));
    if (made.indexOf(key) !== made.lastIndexOf(key))
      known.set(name, phrasesFrom(name, { say: bare(name) }, subject));
    else if (!owners.has(key)) owners.set(key, name);
  }
  return {
    phrasesOf: (name) => {
      const phrases = known.get(name) ?? phrasesFrom(name, {}, subject);
      const isTaken = [phrases.holds, phrases.not].some(
        (phrase) => (owners.get(keyOf(phrase)) ?? name) !== name,
      );
      return isTaken ? phrasesFrom(name, { say: bare(name) }, subject) : phrases;
    },
  };
}

/** All sentences for a predicate. @throws InvalidArgumentError if one says both that it holds and that it does not */
function sentencesOf({ holds, not, also }: Phrases, name: string): readonly string[] {
  for (const phrase of [holds, ...also])
    if (keyOf(phrase) === keyOf(not))
      throw new InvalidArgumentError(
        `predicate ${name}: "${phrase}" says that it holds and that it does not; write another \`not\``,
      );
  return [holds, not, ...also];
}

function claim(owners: Map<string, string>, phrase: string, name: string): void {
  const other = owners.get(keyOf(phrase)) ?? name;
  if (other !== name)
    throw new InvalidArgumentError(
      `predicates ${other} and ${name} are both said as "${phrase}"; give one of them another sentence`,
    );
  owners.set(keyOf(phrase), name);
}

const keyOf = (phrase: string): string => phrase.toLowerCase();

function phrasesFrom(name: string, { say, not, also = [] }: PredicateWords, subject: string): Phrases {
  // What a lexicon makes of the name, another is given back.
  const made = [bare(name), oppositeSentence(bare(name))];
  for (const phrase of [say, not, ...also])
    if (phrase !== undefined && !made.includes(phrase)) requirePhrase(phrase, name);
  const holds = say ?? fromName(name, subject);
  return { holds, not: not ?? oppositeSentence(holds), also };
}

function requirePhrase(phrase: string, name: string): void {
  const found =
    phrase.trim() !== phrase || phrase === ''
      ? 'it is empty or begins or ends with a space'
      : /[()`\p{Cc}]/u.test(phrase)
        ? 'it has a parenthesis, a backtick or a line break'
        : /[.!?]$/.test(phrase)
          ? 'it ends like a sentence of its own'
          : null;
  if (found !== null)
    throw new InvalidArgumentError(
      `predicate ${name} is said as ${JSON.stringify(phrase)}, but ${found}; write words such as "the stove is on"`,
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
  return bare(name);
}

/** The name as code. A backtick in a name is written as an escape, so that the name ends where it seems to. */
function bare(name: string): string {
  return `\`${name.replaceAll('`', '\\u0060')}\` holds`;
}
