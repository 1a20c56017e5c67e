import { InvalidArgumentError } from '../../base/errors.js';
import type { Decision } from '../guard/index.js';

/** The properties of a session that `requireStrategies` checks. */
export interface DecisionRange {
  readonly strategies: ReadonlySet<Decision>;
  /** The session itself asks people. */
  readonly asks: boolean;
}

/**
 * Refuses, when an adapter is configured, a guard that may make decisions the framework cannot carry out.
 *
 * @param framework its name, for the message
 * @param possible decisions that it can carry out besides letting calls run
 * @throws InvalidArgumentError naming the unsupported decision and the alternatives
 */
export function requireStrategies(
  { strategies, asks }: DecisionRange,
  framework: string,
  possible: readonly Decision[],
): void {
  const harmless: readonly Decision[] = ['allow', 'report', ...(asks ? (['inspect'] as const) : [])];
  const missing = [...strategies].filter((one) => !harmless.includes(one) && !possible.includes(one));
  if (missing.length === 0) return;
  const instead = missing.includes('inspect')
    ? '; or give the session `ask`, which asks a person by itself'
    : '';
  throw new InvalidArgumentError(
    `the guard may decide ${missing.join(', ')}, which cannot be done in ${framework}; it can ${possible.join(', ')}: choose one of these as the rule's strategy${instead}`,
  );
}
