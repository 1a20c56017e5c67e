export { type Guess as LtlGuess, guesses as ltlGuesses } from './guesses.js';
export { LimitAutomaton as LtlLimitAutomaton } from './limitAutomaton.js';
export { type Letters as LtlLetters, LtlAutomaton } from './ltlAutomaton.js';
export type { LtlFormula, LtlWindow } from './ltlFormula.js';
export {
  LtlTerms,
  type Term as LtlTerm,
  type TermNode as LtlTermNode,
  type Traits as LtlTraits,
} from './terms.js';
