import type { Inputs } from '../../languages/inputs/index.js';
import type { Answer, Claim } from '../../solvers/decide/index.js';
import type { Solver, SolverIdentity } from '../../solvers/smt/index.js';
import { seek } from '../../solvers/symbolic/index.js';

/** Outside solvers for what the built-in decider leaves unknown. */
export interface SolverUse {
  /** Solvers, each with a name of its own: `z3()` of `foreguard/z3`, `solverProcess()` of `foreguard/node`. Default: none. */
  readonly solvers?: readonly Solver[];
  /** How many of them must say that no input exists. Default 1. */
  readonly agree?: number;
  /** Milliseconds for each question. Default 5000. */
  readonly timeoutMs?: number;
  /** Receives each script in SMT-LIB 2.6, with its SHA-256, before it is asked. */
  readonly onScript?: (script: string, hash: string) => void;
}

/** Who answered a question, and what was asked. */
export interface Evidence {
  /** `built-in` without version, or the outside solvers that answered. Empty if none did. */
  readonly by: readonly SolverIdentity[];
  /** SHA-256 of the script that outside solvers were asked, in hexadecimal. */
  readonly script?: string;
}

const BUILT_IN: Evidence = { by: [{ name: 'built-in', version: '' }] };

/**
 * Answers to claims. What reads them runs twice: first with those of the built-in decider; then, once outside solvers were asked what it left open, with all. The
 * questions are the same in the same order both times.
 */
export class Answers {
  readonly #known: { readonly claim: Claim; answer: Answer; evidence: Evidence }[] = [];
  readonly #decide: (claim: Claim) => Answer;
  #next = 0;

  constructor(decide: (claim: Claim) => Answer) {
    this.#decide = decide;
  }

  find(claim: Claim): Answer & { readonly evidence: Evidence } {
    const at = this.#next++;
    this.#known[at] ??= { claim, answer: this.#decide(claim), evidence: BUILT_IN };
    const { answer, evidence } = this.#known[at];
    return { ...answer, evidence };
  }

  /** Asks outside solvers what is open, and begins anew. @throws SolverError (rejects) if two of them contradict each other */
  async settle(inputs: Inputs, { solvers = [], ...options }: SolverUse): Promise<void> {
    this.#next = 0;
    if (solvers.length === 0) return;
    for (const one of this.#known) {
      if (one.answer.kind !== 'unknown') continue;
      const { reason } = one.answer;
      const { answer, by, script } = await seek(one.claim, inputs, { solvers, ...options });
      one.evidence = { by, script };
      one.answer =
        answer.kind === 'unknown' ? { kind: 'unknown', reason: `${reason}; ${answer.reason}` } : answer;
    }
  }
}
