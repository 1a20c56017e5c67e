import { parseExpression, parsePredicate } from '../../languages/expression/index.js';
import { TransitionConstraint, ValuationConstraint } from './constraint.js';
import type { AbstractionDefinition } from './definition.js';
import { Encoding, type EncodingExpressions } from './encoding.js';
import { enumerateValuations } from './enumerate.js';
import { parseConstraint } from './parseConstraint.js';
import { checkPredicateNames } from './predicateName.js';
import type { ValuationTable } from './valuationTable.js';

/** Default limit on the number of valuations that `validStates` returns. */
const DEFAULT_LIMIT = 1_000_000;

/**
 * An ordered list of named predicates over a step, with constraints, compiled once. The abstract state of a step is the
 * packed valuation of its predicates: predicate i is bit `i & 31` of word `i >>> 5`; unused bits are 0.
 *
 * The five operations that the papers require of a domain are `encode`, `decode`, `validTransition` (can_reach in the papers), `filter`,
 * and `validStates` (get_state_space in the papers).
 */
export class Abstraction extends Encoding {
  readonly definition: AbstractionDefinition;

  /**
   * Compiles predicates and constraints; an absent constraint allows everything.
   * @throws ParseError if an expression is malformed, or if a constraint names an unknown predicate (the message suggests the nearest one)
   * @throws NotSupportedError if a constraint is not a Boolean combination of names
   * @throws InvalidArgumentError if a predicate's name is not an identifier, is reserved, or occurs twice
   */
  constructor(definition: AbstractionDefinition) {
    super(parseDefinition(definition), { TransitionConstraint, ValuationConstraint });
    this.definition = definition;
  }

  /**
   * Enumerates the valuations that `constraints.state` allows, each once, in a fixed order. The search prunes a partial valuation as soon
   * as the constraint is false for all values of the remaining predicates, so the effort grows with the number of valid valuations, not
   * with 2^k, if the constraint decides early.
   *
   * `limit` is the largest number of valuations; default 1,000,000.
   *
   * @throws InvalidArgumentError, with the count so far, if there are more
   */
  validStates({ limit = DEFAULT_LIMIT }: { limit?: number } = {}): ValuationTable {
    return enumerateValuations(this.predicates, this.stateConstraint, limit);
  }

  /**
   * Selects the valuations of `states` that satisfy a Boolean expression over predicate names, such as `microwaveOn && !doorOpen`.
   *
   * @returns their indices in `states`, ascending
   * @throws ParseError if the expression is malformed or names an unknown predicate (the message suggests the nearest one)
   */
  filter(states: ValuationTable, condition: string): number[] {
    const constraint = new ValuationConstraint(
      parseExpression(condition, { name: 'the condition' }),
      this.predicates,
    );
    const { valuations, size, words } = states;
    const satisfying: number[] = [];
    for (let i = 0; i < size; i++) if (constraint.allows(valuations, i * words)) satisfying.push(i);
    return satisfying;
  }
}

function parseDefinition({ predicates, constraints = {} }: AbstractionDefinition): EncodingExpressions {
  checkPredicateNames(predicates.map(({ name }) => name));
  const { state, transition, end } = constraints;
  return {
    predicates: predicates.map(({ name, expression }) => ({
      name,
      expression: parsePredicate(expression, name),
    })),
    constraints: {
      ...(state !== undefined && { state: parseConstraint('state', state) }),
      ...(transition !== undefined && { transition: parseConstraint('transition', transition) }),
      ...(end !== undefined && { end: parseConstraint('end', end) }),
    },
  };
}
