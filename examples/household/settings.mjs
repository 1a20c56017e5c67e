import { createGuard } from 'foreguard/guard';
import { applyAction, holds } from 'foreguard-worlds';

/** A rule without prediction: withholds an action whose own effect breaks it. What chance adds to an action it cannot see. */
function reactiveRule({ task }) {
  return {
    step(state, { action }) {
      const breaks =
        action && !holds(task.unsafe, state) && holds(task.unsafe, applyAction(state, action).state);
      return { decision: breaks ? 'block' : 'allow' };
    },
  };
}

/** The task's guard with another threshold, at which the run is stopped. */
function stopAt(value) {
  const levels = [{ threshold: { compare: 'risk>=', value }, strategy: { kind: 'stop' } }];
  return ({ guardFile }) =>
    createGuard({ ...guardFile, rules: guardFile.rules.map((rule) => ({ ...rule, levels })) });
}

/** Ways of enforcing; `guard` makes the guard of a learnt task. The last one is what the specifications say. */
export const settings = [
  { name: 'no enforcement', group: 'none', guard: () => undefined },
  { name: 'reactive rule', group: 'reactive', guard: reactiveRule },
  { name: 'stop, θ = 0.1', group: 'stop', guard: stopAt(0.1) },
  { name: 'stop, θ = 0.3', group: 'stop', guard: stopAt(0.3) },
  { name: 'stop, θ = 0.5', group: 'stop', guard: stopAt(0.5) },
  { name: 'stop, θ = 0.7', group: 'stop', guard: stopAt(0.7) },
  { name: 'reflect, θ = 0.1', group: 'reflect', guard: ({ guardFile }) => createGuard(guardFile) },
];
