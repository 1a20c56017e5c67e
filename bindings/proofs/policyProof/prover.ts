import { InvalidArgumentError } from '../../base/errors.js';
import type { Inputs } from '../../languages/inputs/index.js';
import { type Answer, type Claim, DEFAULT_STEPS, Decider } from '../../solvers/decide/index.js';
import { type Certificate, Rechecker, sizeOfCertificate } from '../../solvers/recheck/index.js';
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

/** How proofs about all inputs are sought and looked through. */
export interface ProofOptions extends SolverUse {
  /**
   * Most steps of the decider for one question; default 20,000,000. Beyond, it is unproved. A step is a move of an automaton, an element added to a list, or a
   * part of a formula that is evaluated; steps are counted, not time, so that verdicts are the same on every machine.
   */
  readonly steps?: number;
  /**
   * Whether each proof that holds for every input is looked through again by a checker that shares no code with the decider; what it does not confirm is
   * unproved, and so is what outside solvers prove, who give no certificate. Default false.
   */
  readonly recheck?: boolean;
}

/** Who answered a question, and what was asked. */
export interface Evidence {
  /** `built-in` without version, or the outside solvers that answered. Empty if none did. */
  readonly by: readonly SolverIdentity[];
  /** SHA-256 of the script that outside solvers were asked, in hexadecimal. */
  readonly script?: string;
}

/** An answer, with who gave it. */
export type Answered = Answer & { readonly evidence: Evidence };

/** Most numbers of a certificate. */
const MOST_NUMBERS = 2_000_000;

const BUILT_IN: Evidence = { by: [{ name: 'built-in', version: '' }] };

/** Answers questions about the inputs: by the built-in decider, and what this leaves open by outside solvers; and looks through what holds for every input. */
export class Prover {
  readonly #inputs: Inputs;
  readonly #options: ProofOptions;
  readonly #decider: Decider;
  readonly #rechecker: Rechecker;

  /**
   * @param foreseen claims that will be asked about
   * @throws InvalidArgumentError for a number of steps that is none
   */
  constructor(inputs: Inputs, foreseen: readonly Claim[], options: ProofOptions) {
    const { steps = DEFAULT_STEPS } = options;
    if (!Number.isSafeInteger(steps) || steps < 1)
      throw new InvalidArgumentError(`steps must be a whole number from 1, found ${steps}`);
    this.#inputs = inputs;
    this.#options = options;
    this.#decider = new Decider(inputs, { steps });
    this.#decider.foresee(...foreseen);
    this.#rechecker = new Rechecker(inputs);
  }

  /** Whether some input fulfils a claim. @throws SolverError (rejects) if two outside solvers contradict each other */
  async ask(claim: Claim): Promise<Answered> {
    const { solvers = [], ...options } = this.#options;
    const own = this.#decider.find(claim);
    if (own.kind !== 'unknown' || solvers.length === 0) return { ...own, evidence: BUILT_IN };
    const { answer, by, script } = await seek(claim, this.#inputs, { solvers, ...options });
    const evidence = { by, script };
    if (answer.kind !== 'unknown') return { ...answer, evidence };
    return { kind: 'unknown', reason: `${own.reason}; ${answer.reason}`, evidence };
  }

  /** As `ask`, where no input is expected: with `recheck`, that there is none counts only if the checker confirms it. */
  async prove(claim: Claim): Promise<Answered> {
    const answer = await this.ask(claim);
    if (answer.kind !== 'none' || this.#options.recheck !== true) return answer;
    const doubt = this.#doubtOf(claim, answer);
    if (doubt === null) return answer;
    const reason = `it is proved, but the checker does not confirm it: ${doubt}`;
    return { kind: 'unknown', reason, evidence: answer.evidence };
  }

  /** Why no input fulfils a claim, of which that is known; undefined if the certificate would be too large, or outside solvers said so. */
  certificate(claim: Claim, { evidence }: Answered): Certificate | undefined {
    if (evidence.script !== undefined) return undefined;
    const certificate = this.#decider.certificate(claim);
    return sizeOfCertificate(certificate) > MOST_NUMBERS ? undefined : certificate;
  }

  /** Why the checker does not confirm that no input fulfils a claim; null if it does. */
  #doubtOf(claim: Claim, answer: Answered): string | null {
    if (answer.evidence.script !== undefined) return 'outside solvers give no certificate';
    const certificate = this.certificate(claim, answer);
    if (certificate === undefined) return `its certificate has more than ${MOST_NUMBERS} numbers`;
    return this.#rechecker.check(claim, certificate);
  }
}
