import { ParseError } from '../../base/errors.js';
import { type Expression, freeNames, freePaths, parseExpression } from '../../languages/expression/index.js';
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

/** The fields of the state that predicates read, each once; with `time` and `action` where they read those. @throws ParseError if one is malformed */
export function fieldsRead(predicates: readonly PredicateDefinition[]): string[] {
  return [...new Set(predicates.flatMap((predicate) => freeNames(parse(predicate))))];
}

function actionRead(predicate: PredicateDefinition) {
  return freePaths(parse(predicate)).find(({ path }) => path === 'action' || path.startsWith('action.'));
}

const sourceOf = ({ name }: PredicateDefinition): string => `predicate "${name}"`;

const parse = (predicate: PredicateDefinition): Expression =>
  parseExpression(predicate.expression, { name: sourceOf(predicate) });
