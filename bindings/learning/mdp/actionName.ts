import type { Abstraction } from '../../abstraction/index.js';
import { ParseError } from '../../errors.js';
import { freePaths, parseExpression } from '../../expression/index.js';
import type { Step } from '../../trace/index.js';

/**
 * The abstraction of an action: its name. What its arguments are is not told apart; predicates over them would refine the name here.
 *
 * @returns null where a step has no action, which is a choice like others: to do nothing, or to stop.
 */
export function actionName({ action }: Step): string | null {
  return action === undefined ? null : action.name;
}

/**
 * An action is chosen in a state, so that the state must not depend on it.
 *
 * @throws ParseError naming the predicate that reads `action`, and where
 */
export function requireNoAction({ definition }: Abstraction): void {
  for (const { name, expression } of definition.predicates) {
    const source = `predicate "${name}"`;
    const read = freePaths(parseExpression(expression, { name: source })).find(
      ({ path }) => path === 'action' || path.startsWith('action.'),
    );
    if (read === undefined) continue;
    throw new ParseError(
      'it reads action, but states of a Markov decision process are what is so before an action is chosen; read the state alone, or learn a chain (learning.model: dtmc)',
      { source, line: read.place.line, column: read.place.column },
    );
  }
}
