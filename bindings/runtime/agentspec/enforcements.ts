import { InvalidArgumentError } from '../../base/errors.js';
import { describeValue, nearestName } from '../../base/suggest.js';
import { STRATEGIES, type Strategy, type StrategyName, severity } from '../guard/index.js';
import { printEnforcement } from './printAgentSpec.js';
import { type AgentSpecRule, describePlace, type Enforcement } from './rule.js';

/** The strategy of an enforcement, in the words of a specification file; null means none. */
export type EnforcedStrategy = StrategyName | { readonly replace: string } | null;

/** The strategy of a rule's enforcement, or a function that chooses it. */
export type EnforcementBinding = EnforcedStrategy | ((enforcement: Enforcement) => EnforcedStrategy);

/** The enforcements of the paper and of its implementation. `invoke_action(brake, …)` runs the safe action `brake`. */
const usual: ReadonlyMap<string, EnforcementBinding> = new Map<string, EnforcementBinding>([
  ['stop', 'stop'],
  ['skip', 'block'],
  ['user_inspection', 'inspect'],
  ['llm_self_examine', 'reflect'],
  ['llm_self_reflect', 'reflect'],
  ['none', null],
  ['invoke_action', ({ arguments: [action] }) => ({ replace: typeof action === 'string' ? action : '' })],
]);

/** The effect of a rule: the most severe of its enforcements, the first among equals. */
export interface BoundEnforcement {
  readonly strategy: Strategy | null;
  readonly note: string | null;
}

/** @throws InvalidArgumentError if an enforcement has no known strategy */
export function bindEnforcements(
  rule: AgentSpecRule,
  bindings: ReadonlyMap<string, EnforcementBinding>,
): BoundEnforcement {
  const bound = rule.enforcements.map((enforcement): BoundEnforcement => {
    const strategy = bindEnforcement(enforcement, rule, bindings);
    const text = enforcement.arguments.find((argument) => typeof argument === 'string');
    return { strategy, note: strategy?.kind === 'replace' ? null : (text ?? null) };
  });
  return bound.reduce((most, next) => (severityOf(next) > severityOf(most) ? next : most), {
    strategy: null,
    note: null,
  });
}

/** Severity of a bound enforcement; doing nothing ranks below everything else. */
export function severityOf({ strategy }: BoundEnforcement): number {
  return strategy === null ? -1 : severity[strategy.kind];
}

function bindEnforcement(
  enforcement: Enforcement,
  rule: AgentSpecRule,
  bindings: ReadonlyMap<string, EnforcementBinding>,
): Strategy | null {
  const where = `rule @${rule.id}${describePlace(enforcement)} enforces ${printEnforcement(enforcement)}`;
  const key = namesOf(enforcement.name).find((name) => bindings.has(name) || usual.has(name));
  if (key === undefined) throw new InvalidArgumentError(`${where}, ${howToBind(enforcement, bindings)}`);
  const binding = bindings.has(key) ? bindings.get(key) : usual.get(key);
  const name = typeof binding === 'function' ? binding(enforcement) : binding;
  if (name === null) return null;
  const strategy = strategyOf(name);
  if (strategy !== undefined) return strategy;
  throw new InvalidArgumentError(
    `${where}, which becomes ${describeValue(name)}; expected ${STRATEGIES.join(', ')}, { replace: "action" } with the name of a safe action, or null`,
  );
}

/** The names of a setting: its own and each of its namespaces, the longest first: `real:trj:stop`, `real:trj`, `real`. */
function namesOf(name: string): string[] {
  const parts = name.split(':');
  return parts.map((_, i) => parts.slice(0, parts.length - i).join(':'));
}

function strategyOf(name: unknown): Strategy | undefined {
  const kind = STRATEGIES.find((known) => known === name);
  if (kind !== undefined) return { kind };
  if (typeof name !== 'object' || name === null || !('replace' in name)) return undefined;
  const { replace } = name;
  return typeof replace === 'string' && replace !== '' ? { kind: 'replace', action: replace } : undefined;
}

function howToBind({ name, value }: Enforcement, bindings: ReadonlyMap<string, EnforcementBinding>): string {
  if (value !== null) {
    return `which sets a parameter; name the safe action that does so, strategies: { "${name}": { replace: "action" } }`;
  }
  const nearest = nearestName(name, [...usual.keys(), ...bindings.keys()]);
  return `which is not known; ${nearest === undefined ? `add "${name}" to strategies` : `did you mean ${nearest}?`}`;
}
