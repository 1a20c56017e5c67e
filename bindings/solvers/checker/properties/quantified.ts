import { NotSupportedError } from '../../../base/errors.js';
import { type PrismExpression, partsOf } from '../../../languages/logic/index.js';
import type { BitSet } from '../../kernel/index.js';
import type { PathEvent } from '../pathEvent.js';
import type { Quantities } from '../quantities/index.js';

/** The states with a path on which an event happens, whatever its probability. */
export function existsPath(graph: Quantities, { remain, target, to, negated }: PathEvent): BitSet {
  if (to === 0) return negated ? target.complement() : target;
  if (to === 1) return graph.existsNext(negated ? target.complement() : target);
  if (!negated) return graph.existsUntil(remain, target);
  // Paths on which the until is never fulfilled: for ever in `remain`, or until both sets fail.
  const open = remain.difference(target);
  const fails = remain.union(target).complement();
  return graph.existsUntil(open, fails).union(graph.existsGlobally(open));
}

/** The states from which all paths are in an event. */
export function allPaths(graph: Quantities, event: PathEvent): BitSet {
  return existsPath(graph, { ...event, negated: !event.negated }).complement();
}

/**
 * Refuses bounds on steps in a path formula: the logic of A and E has none.
 *
 * @throws NotSupportedError
 */
export function refuseStepBounds(path: PrismExpression): void {
  if ((path.kind === 'temporal' || path.kind === 'until') && path.bound !== null) {
    throw new NotSupportedError(
      `bounds on steps are not supported under A and E, as in ${path.operator} here; write P>=1 or P>0 instead`,
    );
  }
  switch (path.kind) {
    case 'temporal':
    case 'until':
    case 'not':
    case 'binary':
    case 'conditional':
      partsOf(path).forEach(refuseStepBounds);
      break;
    default:
  }
}
