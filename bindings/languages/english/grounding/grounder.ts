import { InvalidArgumentError } from '../../../base/errors.js';
import { requireText } from '../../../base/suggest.js';
import { type PredicateWords, splitName } from '../lexicon/index.js';
import { likeness, wordsOf } from './wordLikeness.js';

/** A predicate, or another thing that can be meant, and what is known about it. */
export interface GroundedThing extends Pick<PredicateWords, 'say' | 'also'> {
  /** What it is, such as `{ shop: 'art', street: 'Bannock Street' }`. */
  readonly about?: Readonly<Record<string, string>>;
}

/** A thing that may be meant. */
export interface GroundingCandidate {
  readonly name: string;
  /** How well it fits, from 0; only to be compared within one answer. */
  readonly score: number;
}

/** What an expression refers to: one thing; several, of which a person must choose; or none that is known. */
export type Grounding =
  | { readonly kind: 'one'; readonly name: string; readonly candidates: readonly GroundingCandidate[] }
  | { readonly kind: 'ask' | 'none'; readonly candidates: readonly GroundingCandidate[] };

/** Makes a vector of each text, all of one length: a model of embeddings, of which none is part of Foreguard. */
export type EmbedTexts = (texts: readonly string[]) => Promise<readonly (readonly number[])[]>;

/** Finds the thing that an expression refers to. */
export interface Grounder {
  /**
   * By words alone. It is `one` if the expression has the words of one thing's name or sentence, and no other thing's name has them all, or if the second best fits at most
   * 0.4 times as well as the best.
   *
   * @param expression such as "the art shop on Bannock Street"
   */
  ground(expression: string): Grounding;
  /**
   * By words, and where these leave a question, by vectors: the ten that fit best are ordered by the cosine with the expression.
   *
   * @param margin by how much the best cosine must be above the second for an answer without a question; it depends on the model
   * @throws InvalidArgumentError if the vectors are not one for each text, or not of one length
   */
  groundWith(expression: string, embed: EmbedTexts, margin: number): Promise<Grounding>;
}

/** Weights of words: of names 1, of what is known, and of the kind of what is known. Fitted on 630 expressions of Lang2LTL. */
const ABOUT = 0.7;
const KIND = 0.3;
/** The best fit must be as much above the second. */
const MARGIN = 0.6;

interface Document {
  readonly name: string;
  /** The names, each as its words in the order of the alphabet. */
  readonly keys: ReadonlySet<string>;
  readonly weights: ReadonlyMap<string, number>;
  readonly text: string;
}

/**
 * Makes a grounder. What an expression and a thing have in common counts by how rare it is among the things (tf-idf); words that are nearly the same count in part.
 *
 * @param things by name: predicates, places or other things
 * @throws InvalidArgumentError if there are none
 * @source Salton and Buckley (1988), doi 10.1016/0306-4573(88)90021-0; Cohen, Ravikumar and Fienberg (2003), soft tf-idf
 */
export function createGrounder(things: Readonly<Record<string, GroundedThing>>): Grounder {
  const documents = Object.entries(things).map(([name, thing]) => documentOf(name, thing));
  if (documents.length === 0)
    throw new InvalidArgumentError('createGrounder has no things; name those that can be meant');
  const rarity = (count: number): number => Math.log((documents.length + 1) / (count + 0.5));
  const counts = new Map<string, number>();
  for (const { weights } of documents)
    for (const word of weights.keys()) counts.set(word, (counts.get(word) ?? 0) + 1);
  const lengths = documents.map(
    ({ weights }) =>
      norm([...weights].map(([word, weight]) => weight * rarity(counts.get(word) as number))) || 1,
  );
  const ranked = (words: readonly string[]): GroundingCandidate[] => {
    const scores = documents.map(() => ({ fits: 0, covers: 0 }));
    let all = 0;
    for (const word of words) {
      const like = new Map([...counts.keys()].map((other) => [other, likeness(word, other)]));
      const found = documents.map(({ weights }) => best(like, weights));
      const count = found.reduce((sum, { like }) => sum + like, 0);
      if (count === 0) continue;
      const rare = rarity(count) ** 2;
      all += rare;
      found.forEach(({ like, weight }, i) => {
        scores[i].fits += rare * weight;
        scores[i].covers += rare * like;
      });
    }
    return documents
      .map(({ name }, i) => ({
        name,
        score: all === 0 ? 0 : (scores[i].fits / lengths[i] ** 0.7) * Math.sqrt(scores[i].covers / all),
      }))
      .filter(({ score }) => score > 0)
      .sort((one, other) => other.score - one.score || (one.name < other.name ? -1 : 1));
  };
  const ground = (expression: string): Grounding => {
    requireText('ground', expression);
    const words = [...new Set(wordsOf(expression))];
    const candidates = ranked(words).slice(0, 10);
    const named = documents.filter(({ keys }) => keys.has(keyOf(words)));
    const isPart = (one: Document): boolean =>
      one !== named[0] && words.every((word) => one.weights.get(word) === 1);
    if (named.length === 1 && !documents.some(isPart))
      return { kind: 'one', name: named[0].name, candidates };
    if (candidates.length === 0) return { kind: 'none', candidates };
    const [{ name, score }, second] = candidates;
    const isSure = named.length < 2 && (second === undefined || score - second.score >= MARGIN * score);
    return isSure ? { kind: 'one', name, candidates } : { kind: 'ask', candidates };
  };
  const groundWith: Grounder['groundWith'] = async (expression, embed, margin) => {
    const found = ground(expression);
    if (found.kind !== 'ask') return found;
    const texts = found.candidates.map(
      ({ name }) => documents.find((one) => one.name === name)?.text ?? name,
    );
    const vectors = await embed([expression, ...texts]);
    const [asked, ...others] = vectors;
    if (others.length !== texts.length || others.some(({ length }) => length !== asked.length))
      throw new InvalidArgumentError(
        `embed was given ${texts.length + 1} texts and gave ${vectors.length} vectors of ${[...new Set(vectors.map(({ length }) => length))].join(', ')} numbers; give one vector a text, all of one length`,
      );
    const candidates = found.candidates
      .map(({ name }, i) => ({ name, score: cosine(asked, others[i]) }))
      .sort((one, other) => other.score - one.score);
    const isSure = candidates.length === 1 || candidates[0].score - candidates[1].score >= margin;
    return isSure ? { kind: 'one', name: candidates[0].name, candidates } : { kind: 'ask', candidates };
  };
  return { ground, groundWith };
}

function documentOf(name: string, { say, also = [], about = {} }: GroundedThing): Document {
  const called = [
    /^\w+$/.test(name) ? splitName(name).join(' ') : name,
    ...(say === undefined ? [] : [say]),
    ...also,
  ];
  const weights = new Map<string, number>();
  const add = (text: string, weight: number): void => {
    for (const word of wordsOf(text)) weights.set(word, Math.max(weight, weights.get(word) ?? 0));
  };
  for (const text of called) add(text, 1);
  for (const [kind, value] of Object.entries(about)) {
    add(value, ABOUT);
    add(kind, KIND);
  }
  return {
    name,
    keys: new Set(called.map((text) => keyOf(wordsOf(text)))),
    weights,
    text: [...called, ...Object.entries(about).map((entry) => entry.join(' '))].join(', '),
  };
}

const keyOf = (words: readonly string[]): string =>
  [...new Set(words.filter((word) => word !== 'the'))].sort().join(' ');

/** How alike the word of a document is that is most like a given one, and that times its weight. */
function best(
  likes: ReadonlyMap<string, number>,
  weights: ReadonlyMap<string, number>,
): { readonly like: number; readonly weight: number } {
  let [like, weight] = [0, 0];
  for (const [other, of] of weights) {
    const found = likes.get(other) as number;
    like = Math.max(like, found);
    weight = Math.max(weight, found * of);
  }
  return { like, weight };
}

const norm = (numbers: readonly number[]): number => Math.sqrt(numbers.reduce((sum, x) => sum + x * x, 0));

function cosine(one: readonly number[], other: readonly number[]): number {
  const dot = one.reduce((sum, x, i) => sum + x * other[i], 0);
  return dot / (norm(one) * norm(other) || 1);
}
