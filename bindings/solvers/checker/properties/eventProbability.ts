import type { SolveOptions } from '../../kernel/index.js';
import type { PathEvent } from '../pathEvent.js';
import { type Directions, opposite, type Quantities } from '../quantities/index.js';
import { complement, type Solved, type Solver } from './solver.js';

/**
 * The probability of an event: `remain U[from,to] target`, or of all other paths. The probability of the others is solved
 * directly if possible, so that it keeps its digits when it is small.
 *
 * @param graph decides certainty; of the same model as `solver`
 * @param complete whether every state of the model has a row. States without data count from the moment a path meets them to
 * the last step; an event and its complement must therefore be a single question there
 */
export function eventProbability(
  solver: Solver,
  graph: Quantities,
  directions: Directions,
  event: PathEvent,
  options: SolveOptions,
  complete: boolean,
): Solved {
  const { remain, target, from, to, negated } = event;
  const everywhere = remain.count() === remain.size;
  if (!negated) {
    if (from === 0 && to === null) return solver.until(directions, remain, target, options);
    if (from === 1 && to === 1 && everywhere) return solver.next(directions, target);
    return solver.boundedUntil(directions, event, options);
  }
  const dual = opposite(directions);
  if (from === 0 && to === null && directions.every((direction) => direction === 'max')) {
    // A path that never fulfils the until reaches, under a best scheduler, a state from which it surely never does.
    return solver.until(directions, remain.difference(target), graph.prob0(dual, remain, target), options);
  }
  if (from === 0 && to !== null && everywhere && complete) {
    const safe = target.complement();
    return solver.boundedUntil(directions, { remain: safe, target: safe, from: to, to }, options);
  }
  const opposed = { ...event, negated: false };
  return complement(eventProbability(solver, graph, dual, opposed, options, complete));
}
