import { InvalidArgumentError } from '../../base/errors.js';
import { type LearningBasis, learningDifference } from '../../estimation/learning/index.js';
import type { Specification } from '../specification/index.js';

/**
 * Refuses a model whose predicates, constraints, learning options or sampling period differ from the specification's, because its states,
 * steps or numbers would mean something else. Rules, thresholds and strategies may have changed since, and so may `onContradiction`, whose
 * effect shows in the data.
 *
 * @throws InvalidArgumentError naming the first difference
 */
export function requireSameLearning({ abstraction, learning }: Specification, learnt: LearningBasis): void {
  const { predicates, constraints = {}, actions = {} } = abstraction;
  const difference = learningDifference(
    { predicates, constraints, actions, learning, period: learning.period },
    learnt,
  );
  if (difference === null) return;
  const [what, specified, found] = difference;
  throw new InvalidArgumentError(
    `model and specification do not belong together: ${what} is ${specified} in the specification, ${found} in the model; learn the model again with this specification`,
  );
}
