import { InvalidArgumentError } from '../../base/errors.js';
import {
  loadRegexEngine,
  loadTextOperations,
  usesMatches,
  usesTexts,
} from '../../languages/expression/runtime/index.js';
import { checkFile } from './checkFile.js';
import { Guard } from './guard.js';
import type { GuardFile } from './guardFile.js';
import type { GuardParts } from './guardParts.js';
import { readTrees } from './readTrees.js';

/**
 * Makes a guard from a guard file, and loads the parts that only some files need: the shield, the drift test, the engine for regular expressions, the functions on texts, and, for
 * files without `trees`, the parser. A split bundle loads those parts only if they are needed.
 *
 * @param file the text of guard.json, or the parsed object.
 * @throws InvalidArgumentError if the file is not a guard file of this version, or its parts are inconsistent
 * @throws ParseError if a predicate or a constraint is malformed
 * @throws NotSupportedError if the file requires a feature that this version lacks
 */
export async function loadGuard(file: GuardFile | string): Promise<Guard> {
  const checked = checkFile(typeof file === 'string' ? parse(file) : file);
  const expressions =
    checked.trees === undefined
      ? (await import('./parseExpressions.js')).parseExpressions(checked)
      : readTrees(checked, checked.trees);
  const [shield, drift] = await Promise.all([
    checked.actions && loadShield(checked),
    checked.drift && loadDrift(checked),
    expressions.predicates.some(({ expression }) => usesMatches(expression)) && loadRegexEngine(),
    expressions.predicates.some(({ expression }) => usesTexts(expression)) && loadTextOperations(),
  ]);
  return new Guard(checked, expressions, { ...shield, ...drift });
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
