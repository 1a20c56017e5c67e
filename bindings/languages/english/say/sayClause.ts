import { type Formula, predicatesOf } from '../../logic/index.js';
import type { Lexicon } from '../lexicon/index.js';
import { Clauses } from './clauses.js';
import { distinctWords } from './distinctWords.js';

/** Says a formula as a clause within a sentence, by its structure; see `sayFormula`. */
export function sayClause(formula: Formula, lexicon: Lexicon): string {
  return new Clauses(distinctWords(lexicon, predicatesOf(formula))).clause(formula);
}
