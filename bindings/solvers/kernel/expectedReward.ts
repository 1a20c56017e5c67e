import type { Bounds } from '../../base/bounds.js';
import { BitSet } from './bitSet.js';
import { wholly } from './components.js';
import type { EngineChain } from './engine.js';
import type { CheckedSolveOptions } from './options.js';
import { solveSystem } from './system.js';
import type { ChainRewards, Solution } from './types/index.js';

/** Expected reward before `target` is reached; Infinity if it is not reached almost surely. */
export function reachabilityReward(
  chain: EngineChain,
  rewards: ChainRewards,
  target: BitSet,
  options: CheckedSolveOptions,
): Solution {
  const astray = chain.prob1(BitSet.full(target.size), target).complement();
  const gain = chain.gains(rewards);
  return accumulated(chain, gain, target.complement(), { certainly: astray, possibly: astray }, options);
}

/** Expected reward before `within` is left; Infinity if `within` may never be left and something is earned again and again. */
export function totalReward(
  chain: EngineChain,
  rewards: ChainRewards,
  within: BitSet,
  options: CheckedSolveOptions,
): Solution {
  const gain = chain.gains(rewards);
  const endless = {
    certainly: chain.canReach(within, earningForEver(chain, gain.lower, within)),
    possibly: chain.canReach(within, earningForEver(chain, gain.upper, within)),
  };
  return accumulated(chain, gain, within, endless, options);
}

/** States of the earning bottom components inside `within`, in which something is earned again and again. */
function earningForEver(chain: EngineChain, gain: Float64Array, within: BitSet): BitSet {
  const bottom = chain.bottomComponents();
  const inside = wholly(bottom, within);
  const earns = new Uint8Array(bottom.count);
  for (const s of inside) if (gain[s] > 0) earns[bottom.componentOf[s]] = 1;
  return BitSet.where(within.size, (s) => inside.has(s) && earns[bottom.componentOf[s]] === 1);
}

/**
 * Gains until `region` is left. States of `endless` have infinite gains: certainly, or possibly if the doubles do not decide
 * whether a state can stay in place and earn something there.
 */
function accumulated(
  chain: EngineChain,
  gain: Bounds,
  region: BitSet,
  endless: { readonly certainly: BitSet; readonly possibly: BitSet },
  options: CheckedSolveOptions,
): Solution {
  const states = region.size;
  const earning = BitSet.where(states, (s) => gain.upper[s] > 0 && region.has(s));
  const unknown = chain.canReach(region, earning).difference(endless.possibly);
  const start = {
    lower: Float64Array.from({ length: states }, (_, s) =>
      endless.certainly.has(s) ? Number.POSITIVE_INFINITY : 0,
    ),
    upper: Float64Array.from({ length: states }, (_, s) =>
      endless.possibly.has(s) || unknown.has(s) ? Number.POSITIVE_INFINITY : 0,
    ),
  };
  const solution = solveSystem(chain, { unknown, start, gain, transposed: false }, options);
  return endless.certainly.equals(endless.possibly) ? solution : { ...solution, accuracy: 'bounded' };
}
