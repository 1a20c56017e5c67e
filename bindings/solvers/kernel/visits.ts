import type { Bounds } from '../../base/bounds.js';
import { BitSet } from './bitSet.js';
import { wholly } from './components.js';
import type { EngineChain, SystemProblem } from './engine.js';
import type { CheckedSolveOptions } from './options.js';
import { solveSystem } from './system.js';
import type { Solution } from './types/index.js';

/** Expected visits of each state, starting from `initial`, before `within` is left. */
export function visitsFrom(
  chain: EngineChain,
  initial: Float64Array,
  within: BitSet,
  options: CheckedSolveOptions,
  read: (visits: Bounds, problem: SystemProblem) => Bounds = (visits) => visits,
): Solution {
  const states = within.size;
  const seeds = BitSet.where(states, (s) => initial[s] > 0 && within.has(s));
  const visited = chain.reachableThrough(within, seeds);
  const recurrent = wholly(chain.bottomComponents(), within).intersection(visited);
  const unknown = visited.difference(recurrent);
  const infinite = Float64Array.from({ length: states }, (_, s) =>
    recurrent.has(s) ? Number.POSITIVE_INFINITY : 0,
  );
  const start = {
    lower: infinite,
    upper: Float64Array.from(infinite, (value, s) => (unknown.has(s) ? Number.POSITIVE_INFINITY : value)),
  };
  const scale = scaling(chain, states);
  const gain = { lower: initial, upper: initial };
  return solveSystem(chain, { unknown, start, gain, transposed: true }, options, (bounds, problem) =>
    read(scaled(bounds, scale), problem),
  );
}

/** Bounds times max(1, exit), the divisor of the unknowns of transposed systems. */
export function scaled({ lower, upper }: Bounds, scale: Bounds): Bounds {
  return {
    lower: lower.map((value, s) => value * scale.lower[s]),
    upper: upper.map((value, s) => value * scale.upper[s]),
  };
}

/**
 * max(1, exit) of every state, computed as the gain of a reward of 1 in one step. `gains` rounds outward by six units and needs
 * only two, which leaves room for a multiplication by the result.
 */
export function scaling(chain: EngineChain, states: number): Bounds {
  const { lower, upper } = chain.gains({ states: new Float64Array(states).fill(1) });
  return { lower: lower.map((value) => Math.max(1, value)), upper };
}
