import type { init } from 'z3-solver';
import { InvalidArgumentError, NotSupportedError, SolverError } from '../../base/errors.js';
import { refuseUnknownOptions } from '../../base/suggest.js';
import { wordsOf } from '../../base/words.js';
import { type CheckedAnswer, readAnswer, type Solver, type SolverOptions } from '../smt/index.js';

/** Settings of `z3`. */
export interface Z3Options {
  /** Milliseconds without a question after which its threads end, so that the program can. Default 500. */
  readonly idleMs?: number;
}

type Api = Awaited<ReturnType<typeof init>>;

/** A module of Z3, as it runs. */
interface Running {
  readonly api: Api;
  readonly end: () => Promise<void>;
  questions: number;
}

const DEFAULT_IDLE = 500;
/** Questions after which Z3 starts anew, as it gives memory back only when it ends. */
const MOST_QUESTIONS = 40;
/** Milliseconds that Z3 may take beyond its limit before its threads are ended. */
const GRACE = 2000;

/**
 * Z3 in this process, as WebAssembly: needs the package `z3-solver`, which is loaded with the first question, and about 200 MB. Questions are answered one after
 * another. Its threads end when no question is left, and where it does not keep to its time.
 *
 * @throws InvalidArgumentError for unknown options
 */
export function z3(options: Z3Options = {}): Solver {
  refuseUnknownOptions('z3', options, { idleMs: true });
  const { idleMs = DEFAULT_IDLE } = options;
  if (!(idleMs >= 0)) throw new InvalidArgumentError(`found idleMs ${idleMs}, expected milliseconds from 0`);
  return new Z3(idleMs);
}

class Z3 implements Solver {
  readonly name = 'z3';
  readonly #idleMs: number;
  #running: Running | null = null;
  #last: Promise<unknown> = Promise.resolve();
  #pending = 0;
  #idle: ReturnType<typeof setTimeout> | undefined;

  constructor(idleMs: number) {
    this.#idleMs = idleMs;
  }

  check(script: string, options: SolverOptions): Promise<CheckedAnswer> {
    clearTimeout(this.#idle);
    this.#pending++;
    const answer = this.#last.then(() => this.#ask(script, options));
    this.#last = answer
      .catch(() => undefined)
      .then(async () => {
        this.#pending--;
        if (this.#pending > 0) return;
        if (this.#idleMs === 0) await this.#end();
        else this.#idle = setTimeout(() => void this.#end(), this.#idleMs);
      });
    return answer;
  }

  async #ask(script: string, { timeoutMs, signal }: SolverOptions): Promise<CheckedAnswer> {
    const stopped = { kind: 'unknown', reason: 'stopped, as others had answered', version: '' } as const;
    if (signal?.aborted) return stopped;
    const running = await this.#start();
    running.questions++;
    const late = limit(timeoutMs + GRACE, signal);
    try {
      const output = await Promise.race([evaluated(running.api, script, timeoutMs), late.passed]);
      if (output === null) {
        await this.#end();
        return signal?.aborted ? stopped : { ...stopped, reason: `no answer in ${timeoutMs} ms` };
      }
      const version = running.api.Z3.get_full_version().replace(/^Z3 /, '');
      return { ...readAnswer(output), version };
    } catch (cause) {
      await this.#end();
      throw new SolverError(`z3 gave no answer: ${wordsOf(cause)}`, { solver: 'z3', script, cause });
    } finally {
      late.clear();
      if (running.questions >= MOST_QUESTIONS) await this.#end();
    }
  }

  async #start(): Promise<Running> {
    this.#running ??= await started();
    return this.#running;
  }

  async #end(): Promise<void> {
    const running = this.#running;
    this.#running = null;
    await running?.end();
  }
}

async function started(): Promise<Running> {
  let module: typeof import('z3-solver');
  try {
    module = await import('z3-solver');
  } catch (cause) {
    throw new NotSupportedError(
      'the solver z3 needs the package z3-solver: npm install z3-solver, or name a program, such as z3=/usr/bin/z3',
      { cause },
    );
  }
  const api = await module.init();
  // Threads that do not end in time hold nothing up but the end of the program.
  return { api, questions: 0, end: () => module.killThreads(api.em).then(undefined, () => undefined) };
}

/**
 * What Z3 says of a script, as its program would write it. The script is read first, while its text is certain to be in memory: the package frees the texts of calls
 * that take time before these have read them.
 */
async function evaluated({ Z3 }: Api, script: string, timeoutMs: number): Promise<string> {
  const configuration = Z3.mk_config();
  const context = Z3.mk_context(configuration);
  Z3.del_config(configuration);
  try {
    const solver = Z3.mk_solver(context);
    Z3.solver_inc_ref(context, solver);
    const settings = Z3.mk_params(context);
    Z3.params_inc_ref(context, settings);
    Z3.params_set_uint(context, settings, Z3.mk_string_symbol(context, 'timeout'), timeoutMs);
    Z3.solver_set_params(context, solver, settings);
    Z3.solver_from_string(context, solver, script.replace(/^\((?:set-|check-sat|get-value|exit).*$/gm, ''));
    const error = Z3.get_error_code(context);
    if (error !== 0) throw new Error(Z3.get_error_msg(context, error));
    const found = await Z3.solver_check(context, solver);
    if (found !== 1) return found === -1 ? 'unsat' : 'unknown';
    const model = Z3.solver_get_model(context, solver);
    const names = new Set(script.match(/^\(declare-const \|[^|]*\|/gm)?.map((line) => line.slice(16, -1)));
    const values = Array.from({ length: Z3.model_get_num_consts(context, model) }, (_, i) => {
      const declaration = Z3.model_get_const_decl(context, model, i);
      const name = Z3.get_symbol_string(context, Z3.get_decl_name(context, declaration));
      const value = Z3.model_get_const_interp(context, model, declaration);
      return names.has(name) && value !== null ? `(|${name}| ${Z3.ast_to_string(context, value)})` : '';
    });
    return `sat\n(${values.join('')})`;
  } finally {
    Z3.del_context(context);
  }
}

/** Resolves with null after a time, or once the signal aborts. */
function limit(
  milliseconds: number,
  signal: AbortSignal | undefined,
): { readonly passed: Promise<null>; readonly clear: () => void } {
  let clear = () => {};
  const passed = new Promise<null>((resolve) => {
    const end = () => resolve(null);
    const timer = setTimeout(end, milliseconds);
    signal?.addEventListener('abort', end);
    clear = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
    };
  });
  return { passed, clear };
}
