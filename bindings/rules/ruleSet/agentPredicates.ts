import { freeNames, parseExpression } from '../../languages/expression/index.js';
import type { PredicateDefinition } from '../../observations/abstraction/index.js';
import { OF_HISTORY } from '../../observations/effects/index.js';

/** What a step says of the call that is proposed, and of those before it. */
const OF_CALLS: ReadonlySet<string> = new Set(['action', ...OF_HISTORY]);

/** The names of the predicates that read the proposed call or the calls before it; what others read, no choice of a call decides at that step. */
export function agentPredicates(predicates: readonly PredicateDefinition[]): string[] {
  return predicates
    .filter(({ name, expression }) =>
      freeNames(parseExpression(expression, { name: `predicate "${name}"` })).some((read) =>
        OF_CALLS.has(read),
      ),
    )
    .map(({ name }) => name);
}
