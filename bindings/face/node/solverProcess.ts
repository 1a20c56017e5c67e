import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { InvalidArgumentError, SolverError } from '../../base/errors.js';
import { refuseUnknownOptions } from '../../base/suggest.js';
import { wordsOf } from '../../base/words.js';
import { type CheckedAnswer, readAnswer, type Solver, type SolverOptions } from '../../solvers/smt/index.js';

/** How a solver is started. */
export interface SolverProcessOptions {
  /** A program that reads a script in SMT-LIB 2.6 from standard input and answers on standard output. */
  readonly command: string;
  /** Its arguments. Default: those of `z3` and `cvc5`, if it is one of them by `name`; none otherwise. */
  readonly args?: readonly string[];
  /** Its name in reports. Default: the last part of `command`. */
  readonly name?: string;
}

/** What known solvers need to read scripts with texts from standard input. */
const KNOWN_ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  z3: ['-in', '-smt2'],
  cvc5: ['--lang=smt2', '--strings-exp', '--produce-models'],
};

/** Most characters that are kept of what a solver writes. */
const MOST_OUTPUT = 4_000_000;
const MOST_ERRORS = 2000;

/**
 * A solver that runs as a program of its own, one process for each question, which is killed once it has answered, is out of time, or writes more than 4 MB.
 *
 * @throws InvalidArgumentError for a command that is none
 */
export function solverProcess(options: SolverProcessOptions): Solver {
  refuseUnknownOptions('solverProcess', options, { command: true, args: true, name: true });
  const { command } = options;
  if (typeof command !== 'string' || command === '')
    throw new InvalidArgumentError('solverProcess needs the command that starts the solver, such as cvc5');
  const name = options.name ?? command.split(/[\\/]/).at(-1)!;
  const args = options.args ?? KNOWN_ARGUMENTS[name] ?? [];
  return {
    name,
    check: async (script, limits) => {
      const run = await runOf(command, args, `(get-info :version)\n${script}(exit)\n`, limits);
      return answerOf(run, { name, command, script, timeoutMs: limits.timeoutMs });
    },
  };
}

interface Run {
  readonly output: string;
  readonly errors: string;
  readonly end: 'exit' | 'time' | 'flood' | 'stopped';
  /** The exit code, or the signal that ended it. */
  readonly code: number | string | null;
  /** Why it did not start. */
  readonly failure?: unknown;
}

function runOf(
  command: string,
  args: readonly string[],
  input: string,
  { timeoutMs, signal }: SolverOptions,
): Promise<Run> {
  return new Promise((resolve) => {
    let child: ChildProcessWithoutNullStreams;
    let [output, errors] = ['', ''];
    let end: Run['end'] = 'exit';
    const finish = (code: Run['code'], failure?: unknown) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
      resolve({ output, errors, end, code, ...(failure !== undefined && { failure }) });
    };
    const kill = (why: Run['end']) => {
      end = why;
      child.kill('SIGKILL');
      // A process that its grandchildren keep open closes no stream.
      child.stdout.destroy();
      child.stderr.destroy();
    };
    const stop = () => kill('stopped');
    let timer: NodeJS.Timeout | undefined;
    if (signal?.aborted) {
      end = 'stopped';
      finish(null);
      return;
    }
    try {
      child = spawn(command, args, { stdio: 'pipe' });
    } catch (cause) {
      finish(null, cause);
      return;
    }
    timer = setTimeout(() => kill('time'), timeoutMs);
    signal?.addEventListener('abort', stop);
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (output.length > MOST_OUTPUT) kill('flood');
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors = (errors + text).slice(0, MOST_ERRORS);
    });
    // A program that ends before it has read all says so by its answer or its exit code.
    child.stdin.on('error', () => undefined);
    child.on('error', (cause) => finish(null, cause));
    child.on('close', (code, by) => finish(code ?? by));
    child.stdin.end(input);
  });
}

interface Asked {
  readonly name: string;
  readonly command: string;
  readonly script: string;
  readonly timeoutMs: number;
}

/** @throws SolverError for a program that did not start, crashed, or wrote no answer */
function answerOf({ output, errors, end, code, failure }: Run, asked: Asked): CheckedAnswer {
  const { name, command, script, timeoutMs } = asked;
  const fail = (what: string, cause?: unknown): never => {
    throw new SolverError(`${name} (${command}) ${what}`, { solver: name, script, cause });
  };
  if (failure !== undefined)
    return fail(`cannot be started: ${wordsOf(failure)}; give the path of its program`, failure);
  if (end === 'time') return { kind: 'unknown', reason: `no answer in ${timeoutMs} ms`, version: '' };
  if (end === 'stopped') return { kind: 'unknown', reason: 'stopped, as others had answered', version: '' };
  if (end === 'flood') return fail(`wrote more than ${MOST_OUTPUT} characters, and was killed`);
  const said = errors.trim() === '' ? '' : `; it wrote ${JSON.stringify(errors.trim().slice(0, 200))}`;
  // Solvers that find no model to show after `unsat` may end with 1.
  const hasEnded = code === 0 || (code === 1 && /^\s*unsat\s*\(error\b/m.test(output));
  if (!hasEnded && !/^\s*unknown\b/m.test(output))
    return fail(`ended with ${code} and without an answer that counts${said}`);
  try {
    return readAnswer(output);
  } catch (cause) {
    return fail(`gave no answer: ${wordsOf(cause)}${said}`, cause);
  }
}
