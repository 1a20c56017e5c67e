import { InvalidArgumentError } from '../errors.js';
import { loadRegexEngine, parseExpression, usesMatches } from '../expression/index.js';
import { checkGuardFile } from './checkGuardFile.js';
import { Guard } from './guard.js';
import type { GuardFile } from './guardFile.js';

/**
 * Makes a guard of a guard file, and loads the engine for regular expressions if a predicate uses `matches`.
 *
 * @param file the text of guard.json, or the object in it.
 * @throws InvalidArgumentError if the file is not a guard file of this version, or if anything in it does not fit together
 * @throws ParseError if a predicate or a constraint is malformed
 * @throws NotSupportedError if the file asks for what this version does not do
 */
export async function loadGuard(file: GuardFile | string): Promise<Guard> {
  const checked = checkGuardFile(typeof file === 'string' ? parse(file) : file);
  const usesRegularExpressions = checked.predicates.some(({ name, expression }) =>
    usesMatches(parseExpression(expression, { name: `predicate "${name}"` })),
  );
  if (usesRegularExpressions) await loadRegexEngine();
  return new Guard(checked);
}

/**
 * Makes a guard at once.
 *
 * @throws as `loadGuard` does, and if a predicate uses `matches` while the engine for regular expressions is not loaded
 */
export function createGuard(file: GuardFile): Guard {
  return new Guard(checkGuardFile(file));
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
