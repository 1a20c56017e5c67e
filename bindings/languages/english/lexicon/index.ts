export { createLexicon, type Lexicon, type Phrases, type PredicateWords } from './lexicon.js';
export { behindVerb, oppositeSentence } from './negation.js';
export { splitName } from './splitName.js';
export { type Clause, causes, clauseOf, isEvent, moving, passives, progressive } from './verbs.js';
