import { BitSet } from '../../kernel/index.js';
import type { Model } from '../../model/index.js';
import type { PathEvent } from '../pathEvent.js';
import { type Directions, opposite, type Quantities } from '../quantities/index.js';

/**
 * The states where an event has a positive probability, decided on the graph; undefined if the graph alone does not decide it:
 * with states without data, and for step bounds under a minimum.
 */
export function eventSupport(
  model: Model,
  graph: Quantities,
  directions: Directions,
  event: PathEvent,
): BitSet | undefined {
  if (model.type === 'dtmc' && model.unknown !== undefined && model.unknown.count() > 0) return undefined;
  const { remain, target, from, to, negated } = event;
  // One path is enough if no player tries to avoid it. Intervals may have transitions that are only possible.
  const anyPath = model.type === 'dtmc' || (model.type === 'mdp' && directions[0] === 'max');
  if ((from > 0 || to !== null) && !anyPath) return undefined;
  let set: BitSet;
  if (to === null) {
    set = negated
      ? graph.prob1(opposite(directions), remain, target).complement()
      : graph.prob0(directions, remain, target).complement();
  } else {
    const end = negated ? target.complement() : target;
    set = stepsBack(graph, end, remain.difference(target), to - from, end);
  }
  if (from === 0) return set;
  return stepsBack(graph, set, remain, from, negated ? remain.complement() : new BitSet(remain.size));
}

/** The states with a path of `steps` steps into `set`, through `active` before; the other states count if they are in `others`. */
function stepsBack(graph: Quantities, set: BitSet, active: BitSet, steps: number, others: BitSet): BitSet {
  const rest = others.difference(active);
  let current = set;
  for (let step = 0; step < steps; step++) {
    const next = graph.existsNext(current).intersection(active).union(rest);
    if (next.equals(current)) break;
    current = next;
  }
  return current;
}
