/** `foreguard/z3`: Z3 as an outside solver of policies, by the package `z3-solver`. */

export type {
  CheckedAnswer,
  Model as SolverModel,
  Solver,
  SolverAnswer,
  SolverOptions,
  TermValue,
} from '../../solvers/smt/index.js';
export { type Z3Options, z3 } from '../../solvers/z3/index.js';
