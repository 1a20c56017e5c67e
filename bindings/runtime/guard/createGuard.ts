import { checkGuardFile } from './checkGuardFile.js';
import { DriftTest } from './driftTest.js';
import { Guard } from './guard.js';
import type { GuardFile } from './guardFile.js';
import { parseExpressions } from './parseExpressions.js';
import { Shield } from './shield.js';

/**
 * Makes a guard at once, of any guard file. In a bundle it brings along all that some file may need; `loadGuard` loads what this one needs.
 *
 * @throws as `loadGuard` does, and if a predicate uses `matches` while the engine for regular expressions is not loaded
 */
export function createGuard(file: GuardFile): Guard {
  const checked = checkGuardFile(file);
  return new Guard(checked, parseExpressions(checked), { Shield, DriftTest });
}
