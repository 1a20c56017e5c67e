import { readFileSync } from 'node:fs';
import { Abstraction, compileGuard, learn, learnMdp, parseSpecification } from 'foreguard';
import { generateTraces } from 'foreguard-worlds';

const specifications = new URL('../household/specifications/', import.meta.url);

/** A call with all it says in its name, which is then its abstraction: `put Fork CounterTop`. A kitchen has few things. */
export const callOf = ({ name, arguments: { object, receptacle } }) => ({
  name: [name, object, ...(receptacle === undefined ? [] : [receptacle])].join(' '),
});

/** The action that a call's name says. */
export function actionOf(call) {
  const [name, object, receptacle] = call.split(' ');
  return { name, arguments: { object, ...(receptacle !== undefined && { receptacle }) } };
}

/**
 * Learns how the unguarded agent does a task, from the same runs and in the same predicates twice: a chain, as the papers do, and a decision process,
 * which knows what the agent did. Nothing is smoothed in.
 *
 * @param {import('foreguard-worlds').HouseholdTask} task
 * @param {{ seed: number, runs: number }} from
 */
export async function learnTask(task, { seed, runs }) {
  const source = `${task.name}.yaml`;
  const text = readFileSync(new URL(source, specifications), 'utf8');
  const ofChain = parseSpecification(text, { source });
  const ofActions = parseSpecification(text.replace('learning: { ', 'learning: { model: mdp, '), { source });
  const unguarded = generateTraces({ task, seed });
  const traces = Array.from({ length: runs }, () => {
    const trace = unguarded.next().value;
    const steps = trace.steps.map(({ state, action }) => ({
      state,
      ...(action && { action: callOf(action) }),
    }));
    return { ...trace, steps };
  });
  const abstraction = new Abstraction(ofChain.abstraction);
  const chain = await learn(abstraction, traces, ofChain.learning);
  const actions = await learnMdp(abstraction, traces, ofActions.learning);
  return {
    task,
    specification: ofChain,
    chain: chain.model,
    chainGuard: compileGuard(ofChain, chain.model),
    actionGuard: compileGuard(ofActions, actions.model),
    report: actions.report,
  };
}
