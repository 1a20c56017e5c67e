import type { PathEvent } from '../../solvers/checker/index.js';
import { BitSet } from '../../solvers/kernel/index.js';
import type { DrawnRows } from './drawnRows.js';
import { type CertificateProblem, RowBuilder } from './problem.js';

/**
 * Builds a certificate's problem for a path event `remain U[from, to] target` of a chain or decision process. Node (s, c) stands for state
 * s after c steps, counted up to `from` only. Solve it with `horizonSteps: to`. Paths continue in `end`, which keeps its labels.
 *
 * @param event the caller handles its `negated`: the bounds are those of the event before negation.
 * @param start the model's virtual start, which is not a position of paths: its value is the mean over its row.
 * @returns a problem whose nodes 0 to states - 1 are the model's states at step 0
 */
export function eventProblem(
  rows: DrawnRows,
  states: number,
  { start, end }: { readonly start: number; readonly end: number },
  { remain, target, from }: Pick<PathEvent, 'remain' | 'target' | 'from'>,
): CertificateProblem {
  const levels = from + 1;
  const unseen = levels * states;
  const nodes = unseen + 2;
  const violated = new BitSet(nodes);
  const safe = new BitSet(nodes);
  const builder = new RowBuilder(nodes);
  for (let level = 0; level < levels; level++) {
    const next = Math.min(level + 1, from) * states;
    for (let s = 0; s < states; s++) {
      const node = level * states + s;
      const counting = level < from;
      if (!counting && target.has(s)) violated.add(node);
      else if (!remain.has(s) || s === start || (s === end && !counting)) safe.add(node);
      if (violated.has(node) || safe.has(node)) builder.stay(node);
      else if (s === end) builder.move(next + end);
      else builder.copy(rows, s, (t) => next + t, unseen);
    }
  }
  builder.stay(unseen);
  builder.copy(rows, start, (t) => t, unseen);
  return builder.finish(rows, violated, safe, unseen);
}
