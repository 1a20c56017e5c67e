export { createLexicon, type Lexicon, type Phrases, type PredicateWords } from './lexicon/index.js';
export { sayFormula } from './say/index.js';
