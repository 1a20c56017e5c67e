import { NotSupportedError } from '../../../base/errors.js';
import { ExactChain } from './exactChain.js';
import { ExactMdp } from './exactMdp.js';
import type { ExactQuantities, ExactSubject } from './exactQuantities.js';

/**
 * Opens a chain or a decision process for rational arithmetic. Takes some hundred bytes of memory per transition.
 *
 * @throws NotSupportedError for interval models, and chains with states without data
 */
export function openExact(subject: ExactSubject): ExactQuantities {
  const { model } = subject;
  if (model.type === 'idtmc' || model.type === 'imdp') {
    throw new NotSupportedError(
      'intervals of probabilities are solved in doubles only; ask for bounds, without exact arithmetic',
    );
  }
  if (model.type === 'dtmc' && model.unknown !== undefined && model.unknown.count() > 0) {
    throw new NotSupportedError(
      'the chain has states without data, whose values are intervals; ask for bounds, without exact arithmetic',
    );
  }
  return model.type === 'dtmc' ? new ExactChain(subject, model) : new ExactMdp(subject, model);
}
