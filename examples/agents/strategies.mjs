import { createGuard } from 'foreguard/guard';
import { applyAction } from 'foreguard-worlds';
import { actionOf, callOf } from './learnt.mjs';
import { agentSpecGuard } from './reactive.mjs';

/** A guard file that acts from a risk on, in one way. */
const acting = (file, value, kind) => ({
  ...file,
  rules: file.rules.map((rule) => ({
    ...rule,
    levels: [{ threshold: { compare: 'risk>=', value }, strategy: { kind } }],
  })),
});

/** Nothing may even begin. */
const closed = { step: () => ({ decision: 'stop' }) };

/**
 * A shield that blocks the proposed action and names what it permits instead, the safest first; where that is nothing but to end the run, it does.
 *
 * @param {import('foreguard').GuardFile} file of a decision process
 * @param {boolean} tells whether the agent is told of alternatives
 */
function shield(file, tells) {
  const guard = createGuard(file);
  const answer = (decision, state) => {
    if (decision !== 'block') return { decision };
    const alternatives = guard
      .permitted(state)
      .actions.filter(({ permitted, name }) => permitted && name !== null)
      .map(({ name }) => actionOf(name))
      .filter((action) => applyAction(state, action).success);
    return alternatives.length === 0 ? { decision: 'stop' } : { decision, ...(tells && { alternatives }) };
  };
  return {
    reset: () => guard.reset(),
    // To end the run is always permitted.
    step: (state, { action }) =>
      answer(action ? guard.step(state, { action: callOf(action) }).decision : 'allow', state),
    propose: (state, { action }) =>
      answer(action ? guard.propose(state, callOf(action)).decision : 'allow', state),
  };
}

/** As `shield`, in one of its modes; a budget that not even the safest way can keep lets no run begin. */
function block(learnt, value, mode, tells = true) {
  const file = acting(learnt.actionGuard, value, 'block');
  const shielded = { ...file, actions: { ...file.actions, mode } };
  try {
    return shield(shielded, tells);
  } catch (error) {
    if (mode === 'budget' && error.code === 'invalid-argument') return closed;
    throw error;
  }
}

/** Ways to enforce at a threshold, by name; each makes the guard of a learnt task. */
export const atThreshold = {
  stop: (value) => (learnt) => createGuard(acting(learnt.chainGuard, value, 'stop')),
  reflect: (value) => (learnt) => createGuard(acting(learnt.chainGuard, value, 'reflect')),
  'block silently': (value) => (learnt) => block(learnt, value, 'predict', false),
  block: (value) => (learnt) => block(learnt, value, 'predict'),
  'block, least': (value) => (learnt) => block(learnt, value, 'least'),
  'block, budget': (value) => (learnt) => block(learnt, value, 'budget'),
};

/** Ways to enforce without a threshold. */
export const withoutThreshold = {
  'no enforcement': () => undefined,
  'AgentSpec, unsafe effect: stop': ({ task }) => agentSpecGuard('effect', 'stop', task),
  'AgentSpec, by hand: stop': ({ task }) => agentSpecGuard('household', 'stop', task),
  'AgentSpec, by hand: skip': ({ task }) => agentSpecGuard('household', 'skip', task),
  'AgentSpec, by hand: self-examine': ({ task }) => agentSpecGuard('household', 'llm_self_examine', task),
};
