import { InvalidArgumentError } from '../../base/errors.js';
import { nearestName } from '../../base/suggest.js';
import { BitSet } from '../kernel/index.js';
import type { Model } from './model.js';

/**
 * The states that carry a label. As in PRISM, `init` means the initial states unless the model has a label of that name.
 *
 * @returns BitSet(states), the model's own: do not change it
 * @throws InvalidArgumentError if the model has no such label, naming the nearest one
 */
export function labelOf(model: Pick<Model, 'states' | 'initial' | 'labels'>, name: string): BitSet {
  const members = model.labels.get(name);
  if (members) return members;
  if (name === 'init') return BitSet.of(model.states, model.initial);
  const names = [...model.labels.keys()];
  const nearest = nearestName(name, names);
  const hint =
    nearest === undefined ? `its labels are: ${names.join(', ') || 'none'}` : `did you mean "${nearest}"?`;
  throw new InvalidArgumentError(`the model has no label "${name}"; ${hint}`);
}
