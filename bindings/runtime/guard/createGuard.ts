import { TransitionConstraint, ValuationConstraint } from '../../observations/abstraction/index.js';
import { checkGuardFile } from './checkGuardFile.js';
import { clockParts } from './clockParts.js';
import { DriftTest } from './driftTest.js';
import { Guard } from './guard.js';
import type { GuardFile } from './guardFile.js';
import { openPolicies } from './guardPolicies.js';
import { modelParts } from './model/modelParts.js';
import { parseExpressions } from './parseExpressions.js';
import { Shield } from './shield.js';

/**
 * Makes a guard synchronously, from any guard file. A bundle then includes everything that any file may need; `loadGuard` loads only the parts that its file
 * needs.
 *
 * @throws as `loadGuard` does, and if a predicate uses `matches` while the engine for regular expressions is not loaded
 */
export function createGuard(file: GuardFile): Guard {
  const checked = checkGuardFile(file);
  return new Guard(checked, parseExpressions(checked), {
    constraints: { TransitionConstraint, ValuationConstraint },
    model: modelParts,
    Shield,
    DriftTest,
    clock: checked.samplingPeriodSeconds === null ? undefined : clockParts,
    policies: checked.policies && openPolicies(checked.policies),
  });
}
