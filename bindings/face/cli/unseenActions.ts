import { readsAction } from '../../observations/abstraction/index.js';
import { allPredicates, type Specification } from '../../rules/specification/index.js';

/**
 * Warns of a specification whose rules miss actions: predicates read the action, and resampling leaves out what comes before its time. Sessions refuse such guards;
 * loops that call `Guard.step` are warned here.
 *
 * @returns one warning or none
 */
export function unseenActions(specification: Specification): string[] {
  const { period } = specification.learning;
  const resample = period?.resample ?? 'error';
  const readers = allPredicates(specification)
    .filter(readsAction)
    .map(({ name }) => `"${name}"`);
  if (!period || resample === 'error' || readers.length === 0) return [];
  const [predicates, read] = readers.length === 1 ? ['predicate', 'reads'] : ['predicates', 'read'];
  return [
    `${predicates} ${readers.join(', ')} ${read} the action, and resample: ${resample} leaves out what comes before its time: the guard judges an action taken less than ${period.seconds} s after a step, but no rule sees it afterwards, and an action that it should forbid is let through; choose resample: error, under which it is a fault, or leave samplingPeriod out, so that each action is a step`,
  ];
}
