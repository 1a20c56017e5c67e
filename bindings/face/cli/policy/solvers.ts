import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { InvalidArgumentError } from '../../../base/errors.js';
import type { ProofOptions, SolverUse } from '../../../proofs/policyProof/index.js';
import type { Solver } from '../../../solvers/smt/index.js';
import { nodeStorage, solverProcess } from '../../node/index.js';

/** The options about outside solvers, as they are written. */
export interface SolverChoices {
  readonly solver?: readonly string[];
  readonly agree?: number;
  readonly timeout?: number;
  readonly emitSmt?: string;
}

/** The options about proofs, as they are written. */
export interface ProofChoices extends SolverChoices {
  readonly steps?: number;
  readonly recheck?: boolean;
}

/** Does something with what the options say, and waits for the scripts that are written. */
export async function withProofOptions<T>(
  { steps, recheck = false, ...choices }: ProofChoices,
  work: (options: ProofOptions) => Promise<T>,
): Promise<T> {
  const { written, ...use } = await chosenSolvers(choices);
  try {
    return await work({ ...use, ...(steps !== undefined && { steps }), recheck });
  } finally {
    await written();
  }
}

/** The outside solvers that options name, and where their scripts are written; `written` waits for these. */
async function chosenSolvers({
  solver = [],
  agree,
  timeout,
  emitSmt,
}: SolverChoices): Promise<SolverUse & { readonly written: () => Promise<void> }> {
  requireWhole('--agree', agree, solver.length, `the number of solvers, ${solver.length}`);
  requireWhole('--timeout', timeout, 2 ** 31 - 1, '2147483647 milliseconds');
  const solvers: Solver[] = [];
  for (const one of solver) solvers.push(await solverOf(one));
  const twice = solvers.find(({ name }, i) => solvers.findIndex((other) => other.name === name) < i);
  if (twice !== undefined)
    throw new InvalidArgumentError(
      `two solvers have the name ${twice.name}; give one another name: NAME=PATH`,
    );
  if (emitSmt !== undefined) await mkdir(emitSmt, { recursive: true });
  const files = new Map<string, Promise<void>>();
  const onScript = (script: string, hash: string) => {
    if (!files.has(hash)) files.set(hash, nodeStorage.write(join(emitSmt!, `${hash}.smt2`), script));
  };
  return {
    solvers,
    ...(agree !== undefined && { agree }),
    ...(timeout !== undefined && { timeoutMs: timeout }),
    ...(emitSmt !== undefined && { onScript }),
    written: async () => {
      await Promise.all(files.values());
    },
  };
}

function requireWhole(option: string, value: number | undefined, most: number, words: string): void {
  if (value === undefined || (Number.isInteger(value) && value >= 1 && value <= most)) return;
  throw new InvalidArgumentError(`found ${option} ${value}, expected a whole number from 1 to ${words}`);
}

/** @throws InvalidArgumentError for what names no solver */
async function solverOf(text: string): Promise<Solver> {
  if (text === 'z3') return (await import('../../../solvers/z3/index.js')).z3();
  const [, name, command] = /^([A-Za-z][\w.-]*)=(.+)$/.exec(text) ?? [];
  if (command === undefined)
    throw new InvalidArgumentError(
      `found --solver ${JSON.stringify(text)}, expected z3, or NAME=PATH of a program that reads SMT-LIB 2.6 from standard input, such as cvc5=/usr/bin/cvc5`,
    );
  return solverProcess({ name, command });
}
