import type { Replacement } from '../../runtime/enforcement/index.js';
import type { GuardFile } from '../../runtime/guard/index.js';

/** By default, safe actions that the guard may name are tools of the same name, called without arguments. */
export function replacementsOf({ rules }: GuardFile): Record<string, Replacement> {
  const strategies = rules.flatMap(({ levels, escalate, afterViolation, onFailure }) => [
    ...levels.map(({ strategy }) => strategy),
    ...escalate,
    afterViolation,
    onFailure,
  ]);
  const names = strategies.flatMap((strategy) => (strategy.kind === 'replace' ? [strategy.action] : []));
  return Object.fromEntries(names.map((name) => [name, { name, arguments: {} }]));
}
