import { InvalidArgumentError } from '../../base/errors.js';
import { nearestName } from '../../base/suggest.js';
import { type AgentSpecRule, describePlace } from './rule.js';

/** Triggers that match every proposed action: a change of the state is seen when the next action is proposed. */
const always = new Set(['any', 'before_action', 'after_action', 'state_change']);

/** The end of a run is not an action, unless the agent announces it by one. */
const endings = new Set(['finish', 'agent_finish']);

/** The actions that trigger a rule; null means all. */
export type BoundTriggers = ReadonlySet<string> | null;

/**
 * The names of the actions that trigger a rule: those the user binds to a trigger, else the trigger itself, also with `_` between its words.
 *
 * @throws InvalidArgumentError if a trigger is the end of a run and no action is bound to it, or if `tools` are given and it is none of them
 */
export function bindTriggers(
  rule: AgentSpecRule,
  bindings: ReadonlyMap<string, string | readonly string[]>,
  tools: readonly string[] | undefined,
): BoundTriggers {
  const names = new Set<string>();
  for (const trigger of rule.triggers) {
    const where = `rule @${rule.id}${describePlace(rule)} is triggered by ${trigger}`;
    const given = bindings.get(trigger) ?? trigger;
    const actions = typeof given === 'string' ? [given, given.replaceAll(' ', '_')] : given;
    if (actions.some((action) => always.has(action))) return null;
    if (endings.has(trigger) && !bindings.has(trigger)) {
      throw new InvalidArgumentError(
        `${where}, the end of a run, which is not an action that could be withheld; name the tool by which the agent ends, triggers: { ${trigger}: "tool" }, or leave the rule out`,
      );
    }
    if (tools !== undefined && !actions.some((action) => tools.includes(action))) {
      const nearest = nearestName(actions[0] ?? '', tools);
      throw new InvalidArgumentError(
        `${where}, which is none of the tools; ${nearest === undefined ? `map it, triggers: { "${trigger}": "tool" }, or leave the rule out` : `did you mean ${nearest}?`}`,
      );
    }
    for (const action of actions) names.add(action);
  }
  return names;
}
