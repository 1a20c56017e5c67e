import { checkActions } from './checkActions.js';
import { checkDrift } from './checkDrift.js';
import { checkFile, isOfRulesAlone } from './checkFile.js';
import type { GuardFile } from './guardFile.js';
import { modelParts } from './model/modelParts.js';
import { checkTrees } from './withTrees.js';

/**
 * Checks that a value is a consistent guard file, so that no step needs a check: versions, lengths, ranges, references, NaN. Predicates and constraints are
 * compiled only by the guard, but if the file also has them as trees, the two must agree.
 *
 * @returns the value itself
 * @throws InvalidArgumentError naming the place in the file, the value found, and the expected value
 * @throws ParseError if the file has trees, and an expression is malformed
 * @throws NotSupportedError for another version
 */
export function checkGuardFile(value: unknown): GuardFile {
  const file = checkFile(value, isOfRulesAlone(value) ? null : modelParts);
  if (file.drift !== undefined) checkDrift(file);
  if (file.actions !== undefined) checkActions(file);
  if (file.trees !== undefined) checkTrees(file);
  return file;
}
