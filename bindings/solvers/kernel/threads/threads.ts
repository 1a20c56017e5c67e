import { InvalidArgumentError, KernelError, NotSupportedError } from '../../../base/errors.js';
import { checkNotAborted } from '../../../base/workBudget.js';
import type { BitSet } from '../bitSet.js';
import { threadsWasmText } from '../generated/threads.js';
import { checkLengths } from '../invalidModel.js';
import { moduleBytes } from '../moduleText.js';
import { checkSolveOptions } from '../options.js';
import { checkSets } from '../sets.js';
import type { Csr, Solution, SolveOptions } from '../types/index.js';
import { availableThreads, startThread, type Thread } from './channel.js';
import { errorOf, type Part, type Problem, type Report } from './messages.js';
import { teamMemory } from './team.js';

/** The number of threads, and how they are started. */
export interface ThreadsOptions {
  /** The number of threads that work on a component, 1 to 64. Default: the number the machine runs at once. */
  count?: number;
  /** Components with fewer states are left to one thread. Default 16,384. */
  leastStates?: number;
  /** The location of `dist/threadsWorker.js`, for bundlers that do not resolve it. Default: beside the module. */
  worker?: string | URL;
}

/** Threads that solve one chain after another. Close them with `close()` or `await using`; Node does not exit before. */
export interface Threads extends AsyncDisposable {
  readonly count: number;
  /**
   * P(remain U target) for every state, as `KernelChain.until`: equally certified, by the same methods. The threads do all the
   * work, on copies made before this returns, and iterate large components together. The same `count` gives identical bits.
   * Solves run in the order of the calls.
   *
   * @throws as `Kernel.chain` and `KernelChain.until`, as a rejection; the reason of an aborted signal; KernelError if a thread
   *   ended by itself, after which these threads cannot be used.
   */
  until(matrix: Csr, remain: BitSet, target: BitSet, options?: SolveOptions): Promise<Solution>;
  /** Ends the threads; solves under way are rejected with InvalidArgumentError. */
  close(): Promise<void>;
}

/**
 * Starts threads: `worker_threads` in Node, web workers elsewhere.
 *
 * @throws NotSupportedError if memory cannot be shared: a page must be cross-origin isolated.
 * @throws InvalidArgumentError for options out of range; KernelError if a thread cannot be started.
 */
export async function openThreads(options: ThreadsOptions = {}): Promise<Threads> {
  const { count = Math.min(64, availableThreads()), leastStates = 1 << 14, worker } = options;
  if (!Number.isSafeInteger(count) || count < 1 || count > 64)
    throw new InvalidArgumentError(`count is ${count}: it is a whole number of threads, 1 to 64`);
  if (!Number.isSafeInteger(leastStates) || leastStates < 1)
    throw new InvalidArgumentError(`leastStates is ${leastStates}: it is a whole number, at least 1`);
  if (typeof SharedArrayBuffer === 'undefined' || globalThis.crossOriginIsolated === false) {
    throw new NotSupportedError(
      "threads share memory, which this page may not: serve it with the headers 'Cross-Origin-Opener-Policy: same-origin' and 'Cross-Origin-Embedder-Policy: require-corp', or solve without threads",
    );
  }
  const bytes = moduleBytes(threadsWasmText);
  if (!WebAssembly.validate(bytes))
    throw new NotSupportedError('this engine has no WebAssembly threads with SIMD: solve without threads');
  const threads = new ThreadsHandle(await WebAssembly.compile(bytes), count, leastStates, worker);
  await threads.ready;
  return threads;
}

/** A solve under way. */
interface Job {
  readonly resolve: (solution: Solution) => void;
  readonly reject: (reason: unknown) => void;
  readonly abort: Int32Array;
  readonly onProgress: SolveOptions['onProgress'];
  /** The reason of its abort. */
  reason?: unknown;
}

class ThreadsHandle implements Threads {
  readonly count: number;
  readonly ready: Promise<unknown>;
  readonly #module: WebAssembly.Module;
  readonly #leastStates: number;
  readonly #threads: Thread[];
  /** Settled when the most recently requested solve is over. */
  #last: Promise<unknown> = Promise.resolve();
  #job: Job | undefined;
  /** The error with which the threads ended. */
  #ended: InvalidArgumentError | KernelError | undefined;

  constructor(module: WebAssembly.Module, count: number, leastStates: number, script?: string | URL) {
    this.#module = module;
    this.count = count;
    this.#leastStates = leastStates;
    this.#threads = [];
    this.ready = Promise.all(
      Array.from(
        { length: count },
        () =>
          new Promise<void>((resolve, reject) => {
            const hear = (report: Report) => (report.kind === 'ready' ? resolve() : this.#hear(report));
            const failed = (reason: string) => {
              this.#end(new KernelError(`a thread failed (${reason}): these threads are of no use any more`));
              reject(this.#ended);
            };
            this.#threads.push(startThread(script, hear, failed));
          }),
      ),
    );
  }

  async until(matrix: Csr, remain: BitSet, target: BitSet, options: SolveOptions = {}): Promise<Solution> {
    if (this.#ended) throw this.#ended;
    checkLengths(matrix);
    checkSets({ remain, target }, matrix.rowStart.length - 1, 'the chain');
    checkNotAborted(options);
    const { onProgress, signal, ...checked } = checkSolveOptions(options);
    const problem: Problem = {
      matrix: {
        rowStart: new Uint32Array(new SharedArrayBuffer(matrix.rowStart.byteLength)),
        columns: new Uint32Array(new SharedArrayBuffer(matrix.columns.byteLength)),
        values: new Float64Array(new SharedArrayBuffer(matrix.values.byteLength)),
      },
      remain: remain.words.slice(),
      target: target.words.slice(),
      options: checked,
      leastStates: this.#leastStates,
      abort: new Int32Array(new SharedArrayBuffer(4)),
    };
    problem.matrix.rowStart.set(matrix.rowStart);
    problem.matrix.columns.set(matrix.columns);
    problem.matrix.values.set(matrix.values);
    const solved = this.#last.then(() => this.#solve(problem, onProgress, signal));
    this.#last = solved.catch(() => {});
    return solved;
  }

  async close(): Promise<void> {
    await this.#end(new InvalidArgumentError('these threads were closed: open others'));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #solve(
    problem: Problem,
    onProgress: SolveOptions['onProgress'],
    signal: AbortSignal | undefined,
  ): Promise<Solution> {
    if (this.#ended) throw this.#ended;
    signal?.throwIfAborted();
    const { matrix, abort } = problem;
    const memory = teamMemory(this.count, matrix.rowStart.length - 1, matrix.columns.length);
    const give = () => this.#giveUp(signal?.reason);
    signal?.addEventListener('abort', give);
    try {
      return await new Promise<Solution>((resolve, reject) => {
        this.#job = { resolve, reject, abort, onProgress };
        for (const [index, thread] of this.#threads.entries()) {
          const part = { module: this.#module, memory, index, threads: this.count };
          thread.send((index === 0 ? { ...part, problem } : part) satisfies Part);
        }
      });
    } finally {
      this.#job = undefined;
      signal?.removeEventListener('abort', give);
    }
  }

  #giveUp(reason: unknown): void {
    if (this.#job === undefined) return;
    this.#job.reason = reason;
    Atomics.store(this.#job.abort, 0, 1);
  }

  #hear(report: Report): void {
    const job = this.#job;
    if (job === undefined) return;
    if (report.kind === 'solved') job.resolve(report.solution);
    if (report.kind === 'failed') job.reject(errorOf(report.failure));
    if (report.kind === 'aborted') job.reject(job.reason);
    if (report.kind !== 'progress' || Atomics.load(job.abort, 0) === 1) return;
    try {
      job.onProgress?.(report.progress);
    } catch (error) {
      this.#giveUp(error);
    }
  }

  /** Ends all threads immediately; solves that wait for them are rejected. */
  #end(reason: InvalidArgumentError | KernelError): Promise<unknown> {
    this.#ended ??= reason;
    this.#job?.reject(this.#ended);
    return Promise.all(this.#threads.map((thread) => thread.terminate()));
  }
}
