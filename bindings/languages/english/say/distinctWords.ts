import { createLexicon, type Lexicon } from '../lexicon/index.js';

/** The lexicon for formulas of these predicates: those whose names make the same words, such as `stoveOn` and `stove_on`, are said by their names. */
export function distinctWords(lexicon: Lexicon, names: readonly string[]): Lexicon {
  const owners = new Map<string, string>();
  let words: Lexicon | null = null;
  for (const name of names) {
    const { holds, not } = lexicon.phrasesOf(name);
    for (const phrase of [holds, not].map((said) => said.toLowerCase())) {
      if ((owners.get(phrase) ?? name) !== name)
        words = createLexicon(Object.fromEntries(names.map((all) => [all, {}])));
      owners.set(phrase, name);
    }
  }
  return words ?? lexicon;
}
