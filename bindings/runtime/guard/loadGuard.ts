import { InvalidArgumentError } from '../../base/errors.js';
import {
  loadRegexEngine,
  loadTextOperations,
  usesMatches,
  usesTexts,
} from '../../languages/expression/runtime/index.js';
import { type EncodingExpressions, loadConstraints } from '../../observations/abstraction/runtime/index.js';
import { checkFile, isOfRulesAlone } from './checkFile.js';
import { Guard } from './guard.js';
import type { GuardFile } from './guardFile.js';
import type { GuardParts } from './guardParts.js';
import { readTrees } from './readTrees.js';

/**
 * Makes a guard from a guard file, and loads the parts that only some files need: for those of a model its states, risks and their words, the shield and
 * the drift test; policies; constraints; the clock of sampled steps; the engine for regular expressions; functions on texts; and, for files without `trees`, the parser. A split bundle loads those parts only if they are needed.
 *
 * @param file the text of guard.json, or the parsed object.
 * @throws InvalidArgumentError if the file is not a guard file of this version, or its parts are inconsistent
 * @throws ParseError if a predicate or a constraint is malformed
 * @throws NotSupportedError if the file requires a feature that this version lacks
 */
export async function loadGuard(file: GuardFile | string): Promise<Guard> {
  const value = typeof file === 'string' ? parse(file) : file;
  const model = isOfRulesAlone(value) ? undefined : (await import('./model/modelParts.js')).modelParts;
  const checked = checkFile(value, model ?? null);
  const expressions =
    checked.trees === undefined
      ? (await import('./parseExpressions.js')).parseExpressions(checked)
      : readTrees(checked, checked.trees);
  const [constraints, clock, shield, drift, policies] = await Promise.all([
    hasAny(expressions.constraints) ? loadConstraints() : undefined,
    checked.samplingPeriodSeconds === null ? undefined : import('./clockParts.js'),
    checked.actions && loadShield(checked),
    checked.drift && loadDrift(checked),
    checked.policies && (await import('./guardPolicies.js')).loadPolicies(checked.policies),
    expressions.predicates.some(({ expression }) => usesMatches(expression)) && loadRegexEngine(),
    expressions.predicates.some(({ expression }) => usesTexts(expression)) && loadTextOperations(),
  ]);
  return new Guard(checked, expressions, {
    constraints,
    model,
    clock: clock?.clockParts,
    ...shield,
    ...drift,
    policies,
  });
}

function hasAny(constraints: EncodingExpressions['constraints']): boolean {
  return Object.values(constraints).some((constraint) => constraint !== undefined);
}

async function loadShield(file: GuardFile): Promise<GuardParts> {
  const [{ Shield }, { checkActions }] = await Promise.all([
    import('./shield.js'),
    import('./checkActions.js'),
  ]);
  checkActions(file);
  return { Shield };
}

async function loadDrift(file: GuardFile): Promise<GuardParts> {
  const [{ DriftTest }, { checkDrift }] = await Promise.all([
    import('./driftTest.js'),
    import('./checkDrift.js'),
  ]);
  checkDrift(file);
  return { DriftTest };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const detail = cause instanceof Error ? cause.message : String(cause);
    throw new InvalidArgumentError(`a guard file is JSON, written by \`foreguard compile\`: ${detail}`, {
      cause,
    });
  }
}
