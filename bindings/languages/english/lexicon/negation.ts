/** A sentence up to its verb, when a word may stand behind the verb, and the rest. */
const VERB = /^(.+?) (is|are|was|were|can|will|(?:has|have)(?= (?:been|gone|done|\S+ed)\b)) (.+)$/;
/** Words with which "not" or "never" behind the first verb would mean something else than about the whole sentence. */
const TANGLED =
  /\b(?:not|no|none|nothing|nobody|never|always|all|every|everything|each|any|both|either|some|something|only|that|which|who|and|or|if|when|while|until|because|unless)\b|n't\b/i;
const BARE = /^(`[^`]*`) holds$/;

/** The opposite of a sentence: "the stove is not on"; "it is false that all doors are closed". */
export function oppositeSentence(sentence: string): string {
  const bare = BARE.exec(sentence);
  if (bare !== null) return `${bare[1]} does not hold`;
  return behindVerb(sentence, 'not') ?? `it is false that ${sentence}`;
}

/** A sentence with "never" or "always" behind its verb; null if it has no place for it. */
export function behindVerb(sentence: string, word: 'not' | 'never' | 'always'): string | null {
  const bare = BARE.exec(sentence);
  if (bare !== null) return `${bare[1]} ${word} holds`;
  const parts = TANGLED.test(sentence) ? null : VERB.exec(sentence);
  return parts && `${parts[1]} ${parts[2]} ${word} ${parts[3]}`;
}
