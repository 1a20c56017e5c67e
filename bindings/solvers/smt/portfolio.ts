import { InvalidArgumentError, SolverError } from '../../base/errors.js';
import { wordsOf } from '../../base/words.js';
import type { SolverAnswer } from './readAnswer.js';
import { scriptHash } from './recordedSolver.js';
import type { Solver, SolverOptions } from './solver.js';

/** A solver that gave an answer. */
export interface SolverIdentity {
  readonly name: string;
  readonly version: string;
}

/** What several solvers say of one script, and who says so. */
export type Consensus = SolverAnswer & { readonly by: readonly SolverIdentity[] };

/** Bounds on one question, and how many must agree. */
export interface ConsensusOptions extends SolverOptions {
  /** How many solvers must say `unsat`. From 2 on, all are waited for. Default 1: the first answer counts. */
  readonly agree?: number;
}

/**
 * Asks several solvers at once. `sat` counts from one solver alone, since whoever asks runs what was found; `unsat` from `agree` of them.
 * A solver that fails says nothing; the reason of `unknown` has why.
 *
 * @throws SolverError (rejects) if one solver says `sat` and another `unsat`; InvalidArgumentError if `agree` is more than there are solvers
 */
export async function askSolvers(
  solvers: readonly Solver[],
  script: string,
  { agree = 1, timeoutMs, signal }: ConsensusOptions,
): Promise<Consensus> {
  if (!Number.isInteger(agree) || agree < 1 || agree > solvers.length)
    throw new InvalidArgumentError(
      `found agree ${agree} with ${solvers.length} solvers, expected a whole number from 1 to that of solvers`,
    );
  const stop = new AbortController();
  const all = AbortSignal.any([stop.signal, ...(signal === undefined ? [] : [signal])]);
  const opinions = solvers.map((solver) => opinionOf(solver, script, { timeoutMs, signal: all }));
  if (agree === 1) await firstDecisive(opinions);
  else await Promise.all(opinions);
  stop.abort();
  return settled(await Promise.all(opinions), script, agree);
}

interface Opinion {
  readonly name: string;
  readonly version: string;
  readonly answer: SolverAnswer;
}

async function opinionOf(solver: Solver, script: string, options: SolverOptions): Promise<Opinion> {
  const { name } = solver;
  try {
    const { version, ...answer } = await solver.check(script, options);
    return { name, version, answer };
  } catch (error) {
    return { name, version: '', answer: { kind: 'unknown', reason: wordsOf(error) } };
  }
}

/** Resolves once one opinion says `sat` or `unsat`, or none does. */
function firstDecisive(opinions: readonly Promise<Opinion>[]): Promise<void> {
  return new Promise((resolve) => {
    let open = opinions.length;
    for (const opinion of opinions)
      void opinion.then(({ answer }) => {
        if (answer.kind !== 'unknown' || --open === 0) resolve();
      });
  });
}

function settled(opinions: readonly Opinion[], script: string, agree: number): Consensus {
  const saying = (kind: SolverAnswer['kind']) => opinions.filter(({ answer }) => answer.kind === kind);
  const [found, refused] = [saying('sat'), saying('unsat')];
  if (found.length > 0 && refused.length > 0) {
    const [a, b] = [found[0].name, refused[0].name];
    throw new SolverError(
      `${a} says that an input exists, and ${b} that none does: one of them is wrong, so neither counts; the script is ${scriptHash(script)}`,
      { solver: `${a}, ${b}`, script },
    );
  }
  if (found.length > 0) return { ...found[0].answer, by: found.slice(0, 1).map(identityOf) };
  if (refused.length >= agree) return { kind: 'unsat', by: refused.map(identityOf) };
  const reasons = opinions.map(({ name, answer }) =>
    answer.kind === 'unknown' ? `${name}: ${answer.reason}` : `${name} alone says that there is none`,
  );
  return { kind: 'unknown', reason: reasons.join('; '), by: [] };
}

function identityOf({ name, version }: Opinion): SolverIdentity {
  return { name, version };
}
