import type { SolverAnswer } from './readAnswer.js';

/** A program that decides scripts in SMT-LIB 2.6. */
export interface Solver {
  /** Its name in reports; of several solvers each has its own. */
  readonly name: string;
  /**
   * Decides a script.
   *
   * @throws SolverError (rejects) if the program fails or answers in no way that can be read
   */
  check(script: string, options: SolverOptions): Promise<CheckedAnswer>;
}

/** Bounds on one question to a solver. */
export interface SolverOptions {
  /** Milliseconds after which the solver is stopped, and the answer is `unknown`. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/** An answer, and the version of the program that gave it. */
export type CheckedAnswer = SolverAnswer & { readonly version: string };
