import type { Model } from '../../model/index.js';
import { ChainQuantities } from './chainQuantities.js';
import { DecisionQuantities } from './decisionQuantities.js';
import { IntervalQuantities } from './intervalQuantities.js';
import type { Quantities } from './quantities.js';

/**
 * Copies a model into the kernel and returns its quantities. Free it once, with `using` or `free()`.
 *
 * @throws InvalidModelError on rows that the kernel refuses, KernelError if memory does not suffice
 */
export function openQuantities(model: Model): Quantities {
  switch (model.type) {
    case 'dtmc':
      return new ChainQuantities(model);
    case 'mdp':
      return new DecisionQuantities(model);
    default:
      return new IntervalQuantities(model);
  }
}
