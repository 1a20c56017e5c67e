import { ParseError } from '../errors.js';
import { freePaths, parseExpression } from '../expression/index.js';
import type { PredicateDefinition } from './definition.js';

/**
 * Of a Markov decision process: an action is chosen in a state, so that the state must not depend on it.
 *
 * @throws ParseError where the predicate reads `action`
 */
export function requireNoAction({ name, expression }: PredicateDefinition): void {
  const source = `predicate "${name}"`;
  const read = freePaths(parseExpression(expression, { name: source })).find(
    ({ path }) => path === 'action' || path.startsWith('action.'),
  );
  if (read === undefined) return;
  throw new ParseError(
    `it reads ${read.path}, but the states of a Markov decision process are what is so before an action is chosen; read the state alone, or learn a chain (learning.model: dtmc)`,
    { source, line: read.place.line, column: read.place.column },
  );
}
