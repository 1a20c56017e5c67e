import { ParseError } from '../../base/errors.js';
import { freePaths, parseExpression } from '../../languages/expression/index.js';
import type { PredicateDefinition } from './definition.js';

/**
 * Checks a predicate of a Markov decision process: an action is chosen in a state, so the state must not depend on the action.
 *
 * @throws ParseError if the predicate reads `action`
 */
export function requireNoAction(predicate: PredicateDefinition): void {
  const read = actionRead(predicate);
  if (read === undefined) return;
  throw new ParseError(
    `it reads ${read.path}, but the states of a Markov decision process are what is so before an action is chosen; read the state alone, or learn a chain (learning.model: dtmc)`,
    { source: sourceOf(predicate), line: read.place.line, column: read.place.column },
  );
}

/** Whether the predicate reads `action`, so that its value may change with the action alone. @throws ParseError if it is malformed */
export function readsAction(predicate: PredicateDefinition): boolean {
  return actionRead(predicate) !== undefined;
}

function actionRead(predicate: PredicateDefinition) {
  return freePaths(parseExpression(predicate.expression, { name: sourceOf(predicate) })).find(
    ({ path }) => path === 'action' || path.startsWith('action.'),
  );
}

const sourceOf = ({ name }: PredicateDefinition): string => `predicate "${name}"`;
