import { BitSet } from '../kernel/index.js';
import { createDtmc, type Model, type Rewards } from '../model/index.js';
import type { Explored } from './explored.js';
import type { System } from './system.js';

/** What is left to be computed once all states are known: which of them labels hold in, and what they earn. */
export interface StateValues {
  /** Per label of the model. */
  readonly labels: readonly BitSet[];
  /** Per reward structure. */
  readonly rewards: readonly Float64Array[];
}

/** Looks at every state with closures. */
export function evaluateStates(system: System, { states }: Explored): StateValues {
  const labels = system.labels.map(() => new BitSet(states.size));
  const rewards = system.rewards.map(() => new Float64Array(states.size));
  const values = new Float64Array(system.variables.length);
  const needed = labels.length > 0 || system.rewards.some((structure) => structure.states.length > 0);
  for (let state = 0; needed && state < states.size; state++) {
    states.read(state, values);
    for (let l = 0; l < labels.length; l++) if (system.labels[l].holds(values)) labels[l].add(state);
    for (let r = 0; r < rewards.length; r++) {
      for (const { guard, value } of system.rewards[r].states) {
        if (guard(values)) rewards[r][state] += value(values);
      }
    }
  }
  return { labels, rewards };
}

/** Puts a model together. */
export function assemble(system: System, explored: Explored, values: StateValues): Model {
  const { states, rowStart, columns, rowGroupStart, upper } = explored;
  const actions = {
    names: system.actions.map((action) => action ?? ''),
    ofRow: explored.rowAction,
  };
  const common = {
    states: states.size,
    initial: explored.initial,
    labels: labelsOf(system, explored, values),
    rewards: rewardsOf(system, explored, values),
    warnings: warningsOf(explored),
  };
  if (upper !== undefined) {
    const parts = { ...common, rowStart, columns, lower: explored.lower, upper };
    return system.model.type === 'dtmc'
      ? { type: 'idtmc', ...parts }
      : { type: 'imdp', ...parts, rowGroupStart, actions };
  }
  const matrix = { rowStart, columns, values: explored.lower };
  return system.model.type === 'dtmc'
    ? createDtmc({ ...common, ...matrix })
    : { type: 'mdp', ...common, ...matrix, rowGroupStart, actions };
}

function labelsOf(system: System, { states, deadlocks }: Explored, values: StateValues): Map<string, BitSet> {
  const labels = new Map(system.labels.map(({ name }, l) => [name, values.labels[l]]));
  if (!labels.has('deadlock')) labels.set('deadlock', BitSet.of(states.size, deadlocks));
  return labels;
}

function rewardsOf(system: System, { rowRewards }: Explored, values: StateValues): Rewards[] {
  return system.rewards.map(({ name }, r) => {
    const choices = rowRewards[r];
    return { name, states: values.rewards[r], ...(choices && { choices }) };
  });
}

function warningsOf({ deadlocks, stopped }: Explored): string[] {
  const warnings: string[] = [];
  if (deadlocks.length > 0) {
    warnings.push(
      `${deadlocks.length} states without a choice were given a self-loop, and the label "deadlock"`,
    );
  }
  if (stopped > 0) warnings.push(`${stopped} states were not explored further, as stopAt asks`);
  return warnings;
}
