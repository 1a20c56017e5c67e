import type { Abstraction } from '../../observations/abstraction/index.js';
import type { Trace } from '../../observations/trace/index.js';
import { Counter } from './counter.js';
import type { LearntChain } from './learntChain.js';
import type { LearnOptions } from './options.js';

/**
 * Learns a Markov chain over the valuations of an abstraction's predicates from traces, in one pass. Memory does not grow with the number
 * of traces.
 *
 * @param traces singly or in batches; empty traces are counted and skipped.
 * @param options defaults: smoothing 1, states `observed`, `onContradiction: error`.
 * @returns the chain in the layout described at `readLearntChain`, and the report
 * @throws InvalidDataError if there is no trace to count, or a trace contradicts a constraint
 * @throws EvaluationError if a predicate fails on a step, naming trace, step and predicate
 * @throws InvalidArgumentError if smoothing needs more transitions than `maxTransitions`, or an option is out of range
 * @throws NotSupportedError for `model: mdp`; use `learnMdp` instead
 */
export async function learn(
  abstraction: Abstraction,
  traces: AsyncIterable<Trace | readonly Trace[]> | Iterable<Trace | readonly Trace[]>,
  options: LearnOptions = {},
): Promise<LearntChain> {
  const counter = new Counter(abstraction, options);
  await addAll(counter, traces);
  return counter.finish();
}

/** Counts traces that arrive singly or in batches. */
export async function addAll(
  counter: Pick<Counter, 'add'>,
  traces: AsyncIterable<Trace | readonly Trace[]> | Iterable<Trace | readonly Trace[]>,
): Promise<void> {
  for await (const next of traces) {
    if (isBatch(next)) for (const trace of next) counter.add(trace);
    else counter.add(next);
  }
}

function isBatch(next: Trace | readonly Trace[]): next is readonly Trace[] {
  return Array.isArray(next);
}
