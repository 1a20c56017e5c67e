import { InvalidArgumentError } from '../../base/errors.js';
import { nearestName } from '../../base/suggest.js';
import { type Formula, predicatesOf } from '../../languages/logic/index.js';
import { allPredicates, type Specification } from '../../rules/specification/index.js';

/** @throws InvalidArgumentError if a formula, called `what`, names a predicate that the specification does not have */
export function requireKnown(formula: Formula, what: string, specification: Specification): void {
  const names = allPredicates(specification).map(({ name }) => name);
  const unknown = predicatesOf(formula).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  const rule = specification.rules.find(({ name }) => name === unknown);
  if (rule !== undefined)
    throw new InvalidArgumentError(
      `${what}: "${unknown}" is a rule of ${specification.source}, and a formula is expected; write that of the rule: ${rule.formulaText}`,
    );
  const nearest = nearestName(unknown, names);
  throw new InvalidArgumentError(
    `${what}: ${specification.source} has no predicate "${unknown}"; ${nearest === undefined ? `it has ${names.join(', ')}` : `did you mean "${nearest}"?`}`,
  );
}
