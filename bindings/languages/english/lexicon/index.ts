export { createLexicon, type Lexicon, type Phrases, type PredicateWords } from './lexicon.js';
export { splitName } from './splitName.js';
