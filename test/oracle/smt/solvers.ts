import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { readAnswer, type Solver } from '../../../bindings/solvers/smt/index.js';

/** A python that has the packages cvc5 and z3-solver: `pip install cvc5 z3-solver` into an environment of its own. */
export const solverPython = process.env.FOREGUARD_SMT_PYTHON;

/** Why tests against cvc5 and z3 are skipped; undefined if they are not. */
export const withoutOracles =
  solverPython === undefined || !existsSync(solverPython)
    ? 'FOREGUARD_SMT_PYTHON names no python with cvc5 and z3-solver'
    : undefined;

/** A solver that also gives what it wrote. */
export interface Oracle extends Solver {
  readonly written: (script: string, timeoutMs: number) => Promise<string>;
  readonly close: () => void;
}

/** A solver in a process that answers one question after another. */
export function openOracle(name: 'cvc5' | 'z3'): Oracle {
  const child = spawn(solverPython!, [fileURLToPath(new URL('session.py', import.meta.url)), name], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const written = async (script: string, timeoutMs: number): Promise<string> => {
    child.stdin.write(`${JSON.stringify([script, timeoutMs])}\n`);
    const { value, done } = await lines.next();
    if (done) throw new Error(`${name} ended`);
    return JSON.parse(value);
  };
  return {
    name,
    written,
    check: async (script, { timeoutMs }) => readAnswer(await written(script, timeoutMs)),
    close: () => child.stdin.end(),
  };
}
