import { NotSupportedError } from '../../errors.js';
import type { ExactQuantities, ExactSubject } from './exactQuantities.js';

/**
 * Opens a chain or a decision process for rational arithmetic.
 *
 * @throws NotSupportedError for interval models, and chains with states without data
 */
export function openExact({ model }: ExactSubject): ExactQuantities {
  throw new NotSupportedError(`exact arithmetic on models of type ${model.type} is not supported`);
}
