/**
 * The script of each thread. The first thread of a solve leads: it runs the ordinary solver and shares its large components
 * with the others.
 */
import { BitSet } from '../bitSet.js';
import { openChain } from '../chain.js';
import { inlineModule } from '../inlineModule.js';
import { WasmEngine } from '../wasm/engine.js';
import type { KernelExports } from '../wasm/exports.js';
import { instantiateKernel } from '../wasm/module.js';
import { listen } from './channel.js';
import { failureOf, type Part, type Problem, type Report } from './messages.js';
import { instantiateTeam, Team } from './team.js';

class Aborted extends Error {}

/** The kernel of the leading thread, kept between solves because engines recompile frequently called functions. */
let kernel: KernelExports | undefined;

const answer: (report: Report) => void = listen(({ module, memory, index, threads, problem }: Part) => {
  const exports = instantiateTeam(module, memory);
  if (problem === undefined) return exports.serve(index, threads);
  try {
    lead(new Team(exports, memory, threads, problem.leastStates), problem);
  } catch (error) {
    answer(error instanceof Aborted ? { kind: 'aborted' } : { kind: 'failed', failure: failureOf(error) });
  } finally {
    exports.leave(threads);
  }
});

function lead(team: Team, { matrix, remain, target, options, abort }: Problem): void {
  const states = matrix.rowStart.length - 1;
  const signal = {
    throwIfAborted() {
      if (Atomics.load(abort, 0) === 1) throw new Aborted();
    },
  } as AbortSignal;
  kernel ??= instantiateKernel(inlineModule());
  const chain = openChain(new WasmEngine(kernel, team), matrix);
  try {
    const solution = chain.until(new BitSet(states, remain), new BitSet(states, target), {
      ...options,
      signal,
      onProgress: (progress) => answer({ kind: 'progress', progress }),
    });
    answer({ kind: 'solved', solution });
  } finally {
    chain.free();
  }
}

answer({ kind: 'ready' });
