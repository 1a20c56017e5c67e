import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { SolverError } from '../../../bindings/base/errors.js';
import { solverProcess } from '../../../bindings/face/node/index.js';
import { askSolvers, printScript, type Solver, Terms } from '../../../bindings/solvers/smt/index.js';

const script = fileURLToPath(new URL('fakeSolver.sh', import.meta.url));
const fake = (mode: string, name = mode): Solver =>
  solverProcess({ command: '/bin/sh', args: [script, mode], name });
const terms = new Terms();
const n = terms.variable('Int', 'n');
const question = printScript([terms.of('<', terms.int(3), n)]);
// Long enough that no machine is too busy: what hangs on purpose is given up otherwise.
const patient = { timeoutMs: 300_000 };

describe('a solver as a process', () => {
  it.each([
    ['unsat', { kind: 'unsat', version: 'fake 1' }],
    ['unsatThenError', { kind: 'unsat', version: 'fake 1' }],
    ['echo', { kind: 'unsat', version: 'fake 1' }],
    ['sat', { kind: 'sat', model: new Map([['n', 7n]]), version: 'fake 1' }],
    ['unknown', { kind: 'unknown', reason: 'it answered unknown', version: 'fake 1' }],
  ])('that answers %s', async (mode, expected) => {
    expect(await fake(mode).check(question, patient)).toEqual(expected);
  });

  it.each([
    ['crash', /ended with 3 and without an answer/],
    ['crashAfterUnsat', /ended with 134/],
    ['killed', /ended with SIGSEGV/],
    ['garbage', /gave no answer/],
    ['error', /gave no answer/],
    ['twoMinds', /gave no answer.*expected nothing but errors after unsat/],
    ['tail', /gave no answer.*expected sat and the values/],
    ['silence', /gave no answer/],
    ['brackets', /gave no answer.*brackets/],
    ['model', /gave no answer.*maybe.*in a model/],
    ['complains', /ended with 2.*cannot open the licence/],
    ['flood', /wrote more than 4000000 characters/],
  ])('that fails: %s', async (mode, message) => {
    const failed = await fake(mode)
      .check(question, patient)
      .catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(SolverError);
    expect((failed as SolverError).message).toMatch(message);
    expect(failed).toMatchObject({ solver: mode, script: question, code: 'solver-error' });
  });

  it('that hangs is killed', async () => {
    expect(await fake('hang').check(question, { timeoutMs: 300 })).toMatchObject({
      kind: 'unknown',
      reason: 'no answer in 300 ms',
    });
    const stop = new AbortController();
    const answer = fake('hang').check(question, { timeoutMs: 60_000, signal: stop.signal });
    stop.abort();
    expect(await answer).toMatchObject({ kind: 'unknown' });
    expect(await fake('hang').check(question, { timeoutMs: 60_000, signal: stop.signal })).toMatchObject({
      kind: 'unknown',
    });
  });

  it('that is absent', async () => {
    const absent = solverProcess({ command: '/nowhere/cvc5' });
    await expect(absent.check(question, patient)).rejects.toThrow(
      /^cvc5 \(\/nowhere\/cvc5\) cannot be started: .*ENOENT.*; give the path of its program$/,
    );
    expect(() => solverProcess({ command: '' })).toThrow('needs the command');
    expect(() => solverProcess({ command: 'z3', arguments: [] } as never)).toThrow('arguments');
  });
});

describe('several solvers', () => {
  it('that contradict each other are an error with both names and the script', async () => {
    const asked = askSolvers([fake('sat', 'one'), fake('unsat', 'two')], question, { ...patient, agree: 2 });
    const error = await asked.catch((found: unknown) => found);
    expect(error).toBeInstanceOf(SolverError);
    expect(error).toMatchObject({ solver: 'one, two', script: question });
    expect((error as Error).message).toMatch(/^one says that an input exists, and two that none does/);
  });

  it('must agree on unsat, and one that fails says nothing', async () => {
    const agree = (modes: string[], agree: number) =>
      askSolvers(
        modes.map((mode) => fake(mode)),
        question,
        { ...patient, agree },
      );
    expect(await agree(['unsat', 'echo'], 2)).toEqual({
      kind: 'unsat',
      by: [
        { name: 'unsat', version: 'fake 1' },
        { name: 'echo', version: 'fake 1' },
      ],
    });
    expect(await agree(['unsat', 'crash'], 2)).toMatchObject({
      kind: 'unknown',
      by: [],
      reason: expect.stringMatching(/^unsat alone says that there is none; crash: crash \(.*ended with 3/),
    });
    expect(await agree(['crash', 'echo'], 1)).toMatchObject({ kind: 'unsat', by: [{ name: 'echo' }] });
    expect(await agree(['unknown', 'garbage'], 1)).toMatchObject({ kind: 'unknown' });
    expect(await agree(['sat', 'unknown'], 2)).toMatchObject({ kind: 'sat', by: [{ name: 'sat' }] });
    expect(await agree(['hang', 'unsat'], 1)).toMatchObject({ kind: 'unsat', by: [{ name: 'unsat' }] });
    await expect(agree(['unsat'], 2)).rejects.toThrow('found agree 2 with 1 solvers');
    await expect(agree(['unsat'], 0)).rejects.toThrow('expected a whole number from 1');
  });
});
