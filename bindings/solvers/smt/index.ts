export { evaluateTerm, type Model } from './evaluate.js';
export { askSolvers, type Consensus, type ConsensusOptions, type SolverIdentity } from './portfolio.js';
export { printScript } from './print.js';
export { readAnswer, type SolverAnswer } from './readAnswer.js';
export { type Recording, recordedSolver, scriptHash } from './recordedSolver.js';
export {
  ANY_TEXT,
  ANY_UNIT,
  choiceOf,
  isInRegLan,
  LAST_UNIT,
  type RegLan,
  repeatOf,
  sequenceOf,
  textOf,
  units,
} from './regLan.js';
export type { CheckedAnswer, Solver, SolverOptions } from './solver.js';
export type { Sort, Term, TermValue } from './term.js';
export { Terms } from './terms.js';
