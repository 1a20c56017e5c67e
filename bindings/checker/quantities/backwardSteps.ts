import type { BitSet, Direction, MdpRewards, Solution, SolveOptions } from '../../kernel/index.js';
import type { Bounds } from '../backward.js';

/** What values are taken back through: rows of states, each with a best mean of values. */
export interface MeanRows {
  /** Row r is one of state s if rowGroupStart[s] <= r < rowGroupStart[s + 1]. */
  readonly rowGroupStart: Uint32Array;
  /** Writes bounds on the mean of values between `values.lower` and `values.upper` over the successors of every row. */
  means(values: Bounds, into: Bounds): void;
}

export interface BackwardInput {
  /** Bounds of all states before the first step, at least 0. */
  readonly start: Bounds;
  /** States that take the best of their rows in each step; the others keep their value. Default: all. */
  readonly active?: BitSet;
  /** Values of the other states after each step. Default: those of `start`. */
  readonly others?: Bounds;
  /** What is added in each step. */
  readonly rewards?: MdpRewards;
}

/** A sum of a mean and two rewards has two roundings. */
const SUM_ERROR = 2 ** -51;

/**
 * Takes values `steps` steps back, the best row of each state chosen anew in every step; fewer steps where one moves nothing.
 *
 * @returns bounds as wide as rounding makes them
 */
export function stepBack(
  rows: MeanRows,
  direction: Direction,
  { start, active, others = start, rewards = {} }: BackwardInput,
  steps: number,
  { signal, onProgress }: Pick<SolveOptions, 'signal' | 'onProgress'>,
): Solution {
  const { rowGroupStart } = rows;
  const states = rowGroupStart.length - 1;
  const size = rowGroupStart[states];
  const means = { lower: new Float64Array(size), upper: new Float64Array(size) };
  const sides = ['lower', 'upper'] as const;
  let current = { lower: start.lower.slice(), upper: start.upper.slice() };
  let next = { lower: others.lower.slice(), upper: others.upper.slice() };
  let done = 0;
  while (done < steps) {
    signal?.throwIfAborted();
    rows.means(current, means);
    let moved = false;
    for (const side of sides) {
      const factor = side === 'lower' ? 1 - SUM_ERROR : 1 + SUM_ERROR;
      const [mean, before, after] = [means[side], current[side], next[side]];
      for (let s = 0; s < states; s++) {
        if (active === undefined || active.has(s)) {
          let best = direction === 'max' ? 0 : Number.POSITIVE_INFINITY;
          for (let row = rowGroupStart[s]; row < rowGroupStart[s + 1]; row++) {
            const earned = rewards.rows === undefined ? mean[row] : (mean[row] + rewards.rows[row]) * factor;
            best = direction === 'max' ? Math.max(best, earned) : Math.min(best, earned);
          }
          after[s] = rewards.states === undefined ? best : (best + rewards.states[s]) * factor;
        }
        moved ||= after[s] !== before[s];
      }
    }
    // Two vectors take turns: inactive states have the values of `others` in both from the first step on.
    if (done === 0) {
      current.lower.set(others.lower);
      current.upper.set(others.upper);
    }
    [current, next] = [next, current];
    done++;
    onProgress?.({ fraction: done / steps, gap: 0, iterations: done });
    if (!moved) break;
  }
  return { ...current, accuracy: 'bounded', method: 'backward-steps', iterations: done };
}
