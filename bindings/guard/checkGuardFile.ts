import { checkActions } from './checkActions.js';
import { checkDrift } from './checkDrift.js';
import { checkFile } from './checkFile.js';
import type { GuardFile } from './guardFile.js';

/**
 * Checks that a value is a guard file whose parts fit together, so that nothing has to be checked at a step: versions,
 * lengths, ranges, references, NaN. Predicates and constraints are only compiled by the guard.
 *
 * @returns the value itself
 * @throws InvalidArgumentError naming the place in the file, what was found, and what was expected
 * @throws NotSupportedError for another version
 */
export function checkGuardFile(value: unknown): GuardFile {
  const file = checkFile(value);
  if (file.drift !== undefined) checkDrift(file);
  if (file.actions !== undefined) checkActions(file);
  return file;
}
