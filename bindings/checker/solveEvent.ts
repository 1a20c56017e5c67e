import { BitSet, type Solution, type SolveOptions } from '../kernel/index.js';
import type { ClosedChain } from './closedChain.js';
import type { PathEvent } from './pathEvent.js';

/**
 * Bounds on the probability of an event from every state. States without data count [0,1] wherever their row matters: the
 * lower bounds are those of the chain in which the event never happens from there, the upper ones of that in which it does.
 */
export function solveEvent(chain: ClosedChain, event: PathEvent, options: SolveOptions = {}): Solution {
  const pessimistic = solve(chain, event, false, options);
  if (chain.withoutData.count() === 0) return pessimistic;
  return hull(pessimistic, solve(chain, event, true, options));
}

/** What holds whether an event never or always happens from the states without data. */
export function hull(never: Solution, always: Solution): Solution {
  const same = never.lower.every((value, s) => value === always.upper[s]);
  return {
    lower: never.lower,
    upper: always.upper,
    accuracy: weaker(weaker(never.accuracy, always.accuracy), same ? 'exact' : 'bounded'),
    method: never.method === 'graph' ? always.method : never.method,
    iterations: never.iterations + always.iterations,
  };
}

/** Less certain of two ways to have obtained a number. */
function weaker(a: Solution['accuracy'], b: Solution['accuracy']): Solution['accuracy'] {
  const order = ['exact', 'bounded', 'estimated'] as const;
  return order[Math.max(order.indexOf(a), order.indexOf(b))];
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
  let solution: Solution;
  if (to === null) {
    // A path that never fulfils the until comes, with probability 1, to a state from where it cannot. Solved as that
    // reachability, so that 1 - p keeps its digits where p is nearly 1.
    solution = negated
      ? chain.kernel.until(remain.difference(reached), chain.kernel.prob0(remain, reached), options)
      : chain.kernel.until(remain, reached, options);
  } else if (negated) {
    solution = chain.kernel.stepBack(indicator(reached.complement()), to - from, { ...options, active });
  } else {
    solution = chain.kernel.boundedUntil(remain, reached, to - from, options);
  }
  if (from === 0) return solution;
  const others = indicator(outside);
  const shifted = chain.kernel.stepBack(solution, from, { ...options, active: waiting, others });
  return {
    ...shifted,
    method: solution.method,
    accuracy: weaker(solution.accuracy, shifted.accuracy),
    iterations: solution.iterations + shifted.iterations,
  };
}

function indicator(set: BitSet): { lower: Float64Array; upper: Float64Array } {
  const lower = Float64Array.from({ length: set.size }, (_, s) => Number(set.has(s)));
  return { lower, upper: lower.slice() };
}
