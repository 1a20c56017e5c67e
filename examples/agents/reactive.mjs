import { readFileSync } from 'node:fs';
import { bindAgentSpec, parseAgentSpec } from 'foreguard/agentspec';
import { actionNames, applyAction, holds } from 'foreguard-worlds';

const objectOf = (state, type) => state.objects.find(({ objectType }) => objectType === type);
/** A predicate on the object that a rule names. */
const object =
  (holdsOf) =>
  ({ state, parameters: [type] }) => {
    const found = objectOf(state, type);
    return found !== undefined && holdsOf(found);
  };

/** What the rules' predicates mean, in the state where an action is proposed. */
const predicatesOf = ({ unsafe }) => ({
  would_be_unsafe: ({ state, action }) =>
    !holds(unsafe, state) && holds(unsafe, applyAction(state, action).state),
  is: ({ action, parameters: [type] }) => action.arguments.object === type,
  into: ({ action, parameters: [type] }) => action.arguments.receptacle === type,
  /** Where the action's object is. */
  in: ({ state, action, parameters: [room] }) => objectOf(state, action.arguments.object).room === room,
  inside: ({ state, parameters: [type, receptacle] }) =>
    objectOf(state, type)?.parentReceptacles.includes(receptacle) ?? false,
  holding: ({ state, parameters: [type] }) => state.agent.holding === type,
  on: object(({ isToggled }) => isToggled),
  filled: object(({ isFilledWithLiquid }) => isFilledWithLiquid),
  wet: object(({ isWet }) => isWet),
});

/**
 * AgentSpec's rules before every action, without prediction.
 *
 * @param {'effect' | 'household'} file of `specifications/`
 * @param {'stop' | 'skip' | 'llm_self_examine'} enforcement instead of the one written; `skip` withholds the action and says so
 */
export function agentSpecGuard(file, enforcement, task) {
  const source = `${file}.ar`;
  const text = readFileSync(new URL(`specifications/${source}`, import.meta.url), 'utf8');
  const rules = parseAgentSpec(text, { source }).rules.map((rule) => ({
    ...rule,
    enforcements: [{ name: enforcement, arguments: [], value: null }],
  }));
  const bound = bindAgentSpec(rules, { predicates: predicatesOf(task), tools: actionNames });
  let reflections = 0;
  return {
    reset: () => {
      reflections = 0;
    },
    step(state, { action }) {
      const decision = (action && bound.decide(state, action).strategy?.kind) ?? 'allow';
      if (decision !== 'reflect') reflections = 0;
      // As guards do: an agent that does not listen is stopped.
      else if (++reflections > 8) return { decision: 'stop' };
      return { decision };
    },
  };
}
