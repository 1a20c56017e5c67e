import type { Bounds } from '../../base/bounds.js';
import { BitSet, type Solution, type SolveOptions } from '../kernel/index.js';
import type { ClosedChain } from './closedChain.js';
import type { PathEvent } from './pathEvent.js';
import { goOnFrom, hull } from './reached.js';

/**
 * Bounds on the probability of an event from every state. States without data count as [0,1] wherever their row matters: for
 * the lower bounds the event never happens from there, for the upper bounds it always does.
 */
export function solveEvent(chain: ClosedChain, event: PathEvent, options: SolveOptions = {}): Solution {
  const never = () => solve(chain, event, false, options);
  return chain.withoutData.count() === 0 ? never() : hull(never, () => solve(chain, event, true, options));
}

/** The sets of states that matter, given that the event happens (or not) from the states without data. */
export function eventParts(
  { withoutData }: ClosedChain,
  { remain, target, from, to, negated }: PathEvent,
  happens: boolean,
): { reached: BitSet; active: BitSet; outside: BitSet; waiting: BitSet } {
  // A window of one position needs no row once it is open.
  const unsure = to === from ? new BitSet(remain.size) : withoutData.intersection(remain).difference(target);
  const reached = happens !== negated ? target.union(unsure) : target;
  return {
    /** States in which the until is fulfilled. */
    reached,
    /** States with a row in which the until is undecided once the window is open. */
    active: remain.difference(target).difference(withoutData),
    /** States in which the event happens although the until is decided before the window opens, or by a state without data. */
    outside: negated
      ? remain.complement().union(happens ? withoutData : new BitSet(remain.size))
      : happens
        ? withoutData.intersection(remain)
        : new BitSet(remain.size),
    /** States in which the until is undecided before the window opens. */
    waiting: remain.difference(withoutData),
  };
}

function solve(chain: ClosedChain, event: PathEvent, happens: boolean, options: SolveOptions): Solution {
  const { remain, from, to, negated } = event;
  const { reached, active, outside, waiting } = eventParts(chain, event, happens);
  const open = () => {
    if (to === null) {
      // A path that never fulfils the until reaches, with probability 1, a state from which it cannot. Solving that
      // reachability keeps the digits of 1 - p if p is nearly 1.
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
