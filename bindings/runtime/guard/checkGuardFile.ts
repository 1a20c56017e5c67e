import { checkActions } from './checkActions.js';
import { checkDrift } from './checkDrift.js';
import { checkFile } from './checkFile.js';
import type { GuardFile } from './guardFile.js';
import { checkTrees } from './withTrees.js';

/**
 * Checks that a value is a guard file whose parts fit together, so that nothing has to be checked at a step: versions,
 * lengths, ranges, references, NaN. Predicates and constraints are only compiled by the guard, but where the file has them as trees, the two must agree.
 *
 * @returns the value itself
 * @throws InvalidArgumentError naming the place in the file, what was found, and what was expected
 * @throws ParseError where there are trees, and an expression is malformed
 * @throws NotSupportedError for another version
 */
export function checkGuardFile(value: unknown): GuardFile {
  const file = checkFile(value);
  if (file.drift !== undefined) checkDrift(file);
  if (file.actions !== undefined) checkActions(file);
  if (file.trees !== undefined) checkTrees(file);
  return file;
}
