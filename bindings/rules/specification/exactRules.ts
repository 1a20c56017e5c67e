import { NotSupportedError } from '../../base/errors.js';
import type { PredicateDefinition } from '../../observations/abstraction/index.js';
import type { RuleSpecification, Specification } from './specification.js';

/** All predicates of a specification: the learnt ones first, then those that only exact rules read. */
export function allPredicates({
  abstraction,
  exactPredicates,
}: Pick<Specification, 'abstraction' | 'exactPredicates'>): readonly PredicateDefinition[] {
  return [...abstraction.predicates, ...exactPredicates];
}

/** The rules of which a risk is predicted, in their order: all but those that are declared exact. */
export function predictedRules({ rules }: Pick<Specification, 'rules'>): readonly RuleSpecification[] {
  return rules.filter(({ exact }) => !exact);
}

/** @throws NotSupportedError if all rules are exact, so that a model has nothing to say of them */
export function requirePredicted(specification: Specification): void {
  if (predictedRules(specification).length > 0) return;
  if (specification.rules.length === 0)
    throw new NotSupportedError(
      `${specification.source}: there are no rules, and of policies nothing is predicted; compile them without the model, or write a rule with a threshold`,
    );
  throw new NotSupportedError(
    `${specification.source}: every rule is exact, and of an exact rule nothing is predicted; compile the rules without a model, or write a rule with a threshold`,
  );
}
