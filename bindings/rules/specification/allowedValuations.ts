import { InvalidArgumentError } from '../../base/errors.js';
import { freePaths, parseExpression } from '../../languages/expression/index.js';
import { Abstraction, ValuationTable } from '../../observations/abstraction/index.js';
import { comparisonGroups } from './comparisonGroups.js';
import { allPredicates } from './exactRules.js';
import type { Specification } from './specification.js';

/** Valuations of some of a specification's predicates, and the constraints on them. */
export interface AllowedValuations {
  readonly abstraction: Abstraction;
  readonly valuations: ValuationTable;
}

/**
 * The possible valuations in a step of the named predicates and of those in constraints: the constraints on states allow them (if
 * constraints are enforced at all), and the comparisons of one term with constants are jointly satisfiable.
 *
 * @returns null if there are more than `limit`, or none
 */
export function allowedValuations(
  specification: Specification,
  names: readonly string[],
  limit: number,
): AllowedValuations | null {
  const { abstraction, learning } = specification;
  const constraints = learning.onContradiction === 'accept' ? {} : (abstraction.constraints ?? {});
  const mentioned = Object.values(constraints).flatMap((source) =>
    freePaths(parseExpression(source)).map(({ path }) => path.replace(/^(from|to)\./, '')),
  );
  const predicates = allPredicates(specification).filter(
    ({ name }) => names.includes(name) || mentioned.includes(name),
  );
  const reduced = new Abstraction({ predicates, constraints });
  const candidates = validStates(reduced, limit);
  if (candidates === null) return null;
  const isPossible = byComparisons(predicates.map(({ expression }) => expression));
  const valuations = new ValuationTable(reduced.words);
  for (let i = 0; i < candidates.size; i++) {
    const offset = i * reduced.words;
    if (isPossible(candidates.valuations, offset)) valuations.insert(candidates.valuations, offset);
  }
  return valuations.size === 0 ? null : { abstraction: reduced, valuations };
}

function validStates(abstraction: Abstraction, limit: number): ValuationTable | null {
  try {
    return abstraction.validStates({ limit });
  } catch (error) {
    if (error instanceof InvalidArgumentError) return null;
    throw error;
  }
}

/** Checks whether a valuation is possible as far as comparisons of one term with constants determine. */
function byComparisons(expressions: readonly string[]): (valuation: Uint32Array, offset: number) => boolean {
  const groups = comparisonGroups(expressions);
  return (valuation, offset) =>
    groups.every(({ members, patterns }) =>
      patterns.some((pattern) =>
        members.every(
          (bit, i) => pattern[i] === (((valuation[offset + (bit >>> 5)] >>> (bit & 31)) & 1) === 1),
        ),
      ),
    );
}
