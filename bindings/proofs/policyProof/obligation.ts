import type { Assignment } from '../../solvers/decide/index.js';
import type { Certificate } from '../../solvers/recheck/index.js';
import type { SolverIdentity } from '../../solvers/smt/index.js';
import type { SessionCall } from './sessionRuns.js';

/** What is to be shown of a policy. */
export type ObligationKind =
  /** Whatever is permitted or denied has this property. */
  | 'ensures'
  /** Some input has what is taken for granted. */
  | 'requires'
  /** The policy permits something. */
  | 'permitsSomething'
  /** Some input makes the condition decide. */
  | 'reachable'
  /** A policy that permits everything, or one that denies everything, breaks the property. */
  | 'bites'
  /** An example is decided as expected. */
  | 'example'
  /** Without the condition the policy would decide otherwise. */
  | 'needed'
  /** A condition has a value of every input; where it has none, the call is denied. */
  | 'readable'
  /** An untrusted input makes no difference to what is permitted. */
  | 'untrusted'
  /** All policies together ensure it of every session: a formula over its calls. */
  | 'session'
  /** A property or an example notices a change of the policy; only changes that none notices are listed. */
  | 'mutant';

/**
 * `proved`; `refuted`, with an input that was evaluated; or `unproved`, with what stood in the way. Of obligations that ask for an input, `proved` has it.
 */
export type Verdict = 'proved' | 'refuted' | 'unproved';

/** Something that is to be shown of a policy, and what became of it. */
export interface Obligation {
  /** Of what all policies together must ensure: `session`. */
  readonly policy: string;
  readonly kind: ObligationKind;
  /** The property, condition or example that it is about. */
  readonly name: string;
  readonly line: number;
  /** The file of the line, if it is a script. */
  readonly source?: string;
  readonly verdict: Verdict;
  /** Whether a refutation is a remark rather than a fault: the policy does what it should. */
  readonly isRemark: boolean;
  /** What was found, in a sentence. */
  readonly says: string;
  /** The input that refutes or shows it. */
  readonly input?: Assignment;
  /** The calls that refute what is asked of sessions, in their order: as few as were found. Each was permitted when they were run. */
  readonly calls?: readonly SessionCall[];
  /** Why no input refutes it, if it was asked for. */
  readonly certificate?: Certificate;
  /** Who decided it: `built-in` with an empty version, or outside solvers with theirs; of examples, which are run, nobody. */
  readonly by: readonly SolverIdentity[];
  /** SHA-256 of the script that outside solvers were asked, in hexadecimal, if they were. */
  readonly script?: string;
}
