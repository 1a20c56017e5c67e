import { parsePredicate } from '../../languages/expression/index.js';
import { type EncodingExpressions, parseConstraint } from '../../observations/abstraction/index.js';
import type { GuardFile } from './guardFile.js';
import { eachConstraint } from './readTrees.js';

/**
 * Parses the expressions of a guard file from their text.
 *
 * @throws ParseError if one is malformed, or the types of its parts cannot fit
 */
export function parseExpressions(file: GuardFile): EncodingExpressions {
  return {
    predicates: file.predicates.map(({ name, expression }) => ({
      name,
      expression: parsePredicate(expression, name),
    })),
    constraints: eachConstraint(file, parseConstraint),
  };
}
