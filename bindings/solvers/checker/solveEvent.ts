import type { Bounds } from '../../base/bounds.js';
import { BitSet, type Solution, type SolveOptions } from '../kernel/index.js';
import type { ClosedChain } from './closedChain.js';
import type { PathEvent } from './pathEvent.js';
import { goOnFrom, hull } from './reached.js';

/**
 * Bounds on the probability of an event from every state. States without data count [0,1] wherever their row matters: the
 * lower bounds are those of the chain in which the event never happens from there, the upper ones of that in which it does.
 */
export function solveEvent(chain: ClosedChain, event: PathEvent, options: SolveOptions = {}): Solution {
  const never = () => solve(chain, event, false, options);
  return chain.withoutData.count() === 0 ? never() : hull(never, () => solve(chain, event, true, options));
}

/** The sets of states that matter, the event taken to happen (or not) from the states without data. */
export function eventParts(
  { withoutData }: ClosedChain,
  { remain, target, from, to, negated }: PathEvent,
  happens: boolean,
): { reached: BitSet; active: BitSet; outside: BitSet; waiting: BitSet } {
  // A window of one position asks for no row once it is open.
  const unsure = to === from ? new BitSet(remain.size) : withoutData.intersection(remain).difference(target);
  const reached = happens !== negated ? target.union(unsure) : target;
  return {
    /** Where the until is fulfilled. */
    reached,
    /** Where it is not decided once the window is open, and a row says how it goes on. */
    active: remain.difference(target).difference(withoutData),
    /** Where the event happens although the until is decided before the window opens, or by a state without data. */
    outside: negated
      ? remain.complement().union(happens ? withoutData : new BitSet(remain.size))
      : happens
        ? withoutData.intersection(remain)
        : new BitSet(remain.size),
    /** Where it is not decided before the window opens. */
    waiting: remain.difference(withoutData),
  };
}

function solve(chain: ClosedChain, event: PathEvent, happens: boolean, options: SolveOptions): Solution {
  const { remain, from, to, negated } = event;
  const { reached, active, outside, waiting } = eventParts(chain, event, happens);
  const open = () => {
    if (to === null) {
      // A path that never fulfils the until comes, with probability 1, to a state from where it cannot. Solved as that
      // reachability, so that 1 - p keeps its digits where p is nearly 1.
      return negated
        ? chain.kernel.until(remain.difference(reached), chain.kernel.prob0(remain, reached), options)
        : chain.kernel.until(remain, reached, options);
    }
    return negated
      ? chain.kernel.stepBack(indicator(reached.complement()), to - from, { ...options, active })
      : chain.kernel.boundedUntil(remain, reached, to - from, options);
  };
  if (from === 0) return open();
  const others = indicator(outside);
  return goOnFrom(open, (bounds) =>
    chain.kernel.stepBack(bounds, from, { ...options, active: waiting, others }),
  );
}

function indicator(set: BitSet): Bounds {
  const lower = Float64Array.from({ length: set.size }, (_, s) => Number(set.has(s)));
  return { lower, upper: lower.slice() };
}
