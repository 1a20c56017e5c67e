import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { solverProcess } from '../../../bindings/face/node/index.js';
import type { Solver } from '../../../bindings/solvers/smt/index.js';

/** A python that has the packages cvc5 and z3-solver: `pip install cvc5 z3-solver` into an environment of its own. */
const python = process.env.FOREGUARD_SMT_PYTHON;

/** Why tests against cvc5 and z3 are skipped; undefined if they are not. */
export const withoutOracles =
  python === undefined || !existsSync(python)
    ? 'FOREGUARD_SMT_PYTHON names no python with cvc5 and z3-solver'
    : undefined;

/** cvc5 and z3 as their authors build them. */
export function oracles(): { readonly cvc5: Solver; readonly z3: Solver } {
  const script = fileURLToPath(new URL('cvc5Process.py', import.meta.url));
  return {
    cvc5: solverProcess({ name: 'cvc5', command: python!, args: [script] }),
    z3: solverProcess({ name: 'z3', command: join(dirname(python!), 'z3') }),
  };
}
