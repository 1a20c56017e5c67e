import {
  createGrounder,
  type EmbedTexts,
  type GroundingCandidate,
  type PredicateWords,
  phrasesOf,
} from '../../languages/english/index.js';
import type { Formula } from '../../languages/logic/index.js';
import type { Span } from './mentions.js';
import { wordsOf } from './tree.js';

/** What an expression of a sentence was taken for. */
export interface GroundedMention extends Span {
  readonly predicate: string;
  /** Whether it says that the predicate holds, or that it does not. */
  readonly holds: boolean;
  /** Whether the words are those of the predicate; else it is the one that fits best by far. */
  readonly isExact: boolean;
}

/** An expression of which a person must say what it refers to. */
export interface OpenMention extends Span {
  /** The predicates that fit best; none if nothing fits. */
  readonly candidates: readonly GroundingCandidate[];
}

/** How expressions are grounded, beside by words. */
export interface GroundingOptions {
  readonly embed?: EmbedTexts;
  /** By how much the best vector must be above the second; it depends on the model of embeddings. Default 0.1. */
  readonly margin?: number;
}

/** Words by which an expression may mean the contrary of the predicate that has its other words. */
const CONTRARY =
  /^(?:not|no|never|none|without|off|closed|shut|unlocked|empty|out|outside|gone|absent|un\w{3,}|non-?\w+|\w+n[’']t)$/;

/** Finds the predicates that expressions refer to. */
export class MentionGrounder {
  readonly #options: GroundingOptions;
  readonly #exact = new Map<string, readonly { readonly predicate: string; readonly holds: boolean }[]>();
  readonly #grounder: ReturnType<typeof createGrounder>;

  constructor(predicates: Readonly<Record<string, PredicateWords>>, options: GroundingOptions) {
    this.#options = options;
    this.#grounder = createGrounder(predicates);
    for (const { words, tree } of phrasesOf(predicates)) {
      const key = words.join(' ');
      const found = { predicate: String(Array.isArray(tree) ? tree[1] : tree), holds: !Array.isArray(tree) };
      const known = this.#exact.get(key) ?? [];
      const isKnown = known.some((one) => one.predicate === found.predicate && one.holds === found.holds);
      if (!isKnown) this.#exact.set(key, [...known, found]);
    }
  }

  /** One predicate, or what is open. What could mean the contrary of a predicate is open unless it is said in the predicate's own words. */
  async ground({ text, start }: Span): Promise<GroundedMention | OpenMention> {
    const words = wordsOf(text);
    const key = (words[0] === 'the' ? words.slice(1) : words).join(' ');
    const exact = this.#exact.get(key) ?? [];
    if (exact.length === 1) return { text, start, ...exact[0], isExact: true };
    if (exact.length > 1)
      return { text, start, candidates: exact.map(({ predicate }) => ({ name: predicate, score: 1 })) };
    const { embed, margin = 0.1 } = this.#options;
    const found =
      embed === undefined
        ? this.#grounder.ground(text)
        : await this.#grounder.groundWith(text, embed, margin);
    if (found.kind === 'one' && !words.some((word) => CONTRARY.test(word)))
      return { text, start, predicate: found.name, holds: true, isExact: false };
    return { text, start, candidates: found.candidates.slice(0, 3) };
  }
}

/** What a grounded mention says, as a formula. */
export function literalOf({ predicate, holds }: GroundedMention): Formula {
  const place = { offset: 0, line: 1, column: 1 };
  const positive: Formula = { kind: 'predicate', name: predicate, place };
  return holds ? positive : { kind: 'not', operand: positive, place };
}
