import { type Expression, parseExpression } from '../../languages/expression/index.js';
import { TransitionConstraint, ValuationConstraint } from './constraint.js';
import type { ConstraintDefinitions } from './definition.js';

/** Parses a constraint. @throws ParseError if it is malformed */
export function parseConstraint(kind: keyof ConstraintDefinitions, source: string): Expression {
  return parseExpression(source, { name: `constraints.${kind}` });
}

/**
 * Checks that `source` is a constraint of its kind over these predicates.
 *
 * @throws ParseError, NotSupportedError as the constructors of the constraints
 */
export function checkConstraint(
  kind: keyof ConstraintDefinitions,
  source: string,
  predicates: readonly string[],
): void {
  const Constraint = kind === 'transition' ? TransitionConstraint : ValuationConstraint;
  new Constraint(parseConstraint(kind, source), predicates);
}
