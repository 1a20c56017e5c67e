import type { Bounds } from '../../base/bounds.js';
import { BitSet, type Solution, type SolveOptions } from '../kernel/index.js';
import type { JointProduct } from './jointProduct.js';
import { hull } from './reached.js';

/** The parts of a product that determine the probability of a violation. */
type Violable = Pick<JointProduct, 'kernel' | 'nodes' | 'violated' | 'withoutData'>;

/**
 * Bounds on reaching a violation. For the lower bound, states without data never violate; for the upper bound they violate as
 * soon as they are reached, if any step is taken at all. Within a horizon the upper bound is therefore too large by the
 * probability of reaching such a state with the last step, when nothing more can happen.
 */
export function reachViolation(
  { kernel, nodes, violated, withoutData }: Violable,
  horizonSteps: number | null,
  options: SolveOptions,
): Solution {
  const reach = (target: BitSet): Solution =>
    horizonSteps === null
      ? kernel.until(BitSet.full(nodes), target, options)
      : kernel.boundedUntil(BitSet.full(nodes), target, horizonSteps, options);
  const never = () => reach(violated);
  if (withoutData.count() === 0 || horizonSteps === 0) return never();
  return hull(never, () => reach(violated.union(withoutData)));
}

/** Bounds of `reachViolation` within each of several horizons, ascending; each continues from the one before. */
export function reachViolationWithin(
  { kernel, nodes, violated, withoutData }: Violable,
  horizons: readonly number[],
  options: SolveOptions,
): Map<number, Bounds> {
  const order = [...new Set(horizons)].sort((a, b) => a - b);
  const reach = (target: BitSet): Bounds[] => {
    const active = kernel.canReach(BitSet.full(nodes), target).difference(target);
    const values = Float64Array.from({ length: nodes }, (_, node) => Number(target.has(node)));
    let bounds: Bounds = { lower: values, upper: values };
    return order.map((steps, i) => {
      bounds = kernel.stepBack(bounds, steps - (order[i - 1] ?? 0), { ...options, active });
      return bounds;
    });
  };
  const never = reach(violated);
  const always = withoutData.count() === 0 ? never : reach(violated.union(withoutData));
  return new Map(
    order.map((steps, i) => [
      steps,
      { lower: never[i].lower, upper: (steps === 0 ? never : always)[i].upper },
    ]),
  );
}
