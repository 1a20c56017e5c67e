import { BitSet } from '../kernel/index.js';
import {
  createDtmc,
  createIntervalDtmc,
  createIntervalMdp,
  createMdp,
  type Model,
  NO_ACTION,
  type Rewards,
} from '../model/index.js';
import type { Explored } from './explored.js';
import { guardHolds } from './guard.js';
import { describeState, located, type System } from './system.js';

/** Values computed once all states are known: the members of labels, and the rewards of states. */
export interface StateValues {
  /** One set per label of the model. */
  readonly labels: readonly BitSet[];
  /** One array per reward structure. */
  readonly rewards: readonly Float64Array[];
}

/** Evaluates labels and rewards in every state with closures. */
export function evaluateStates(system: System, { states }: Explored): StateValues {
  const labels = system.labels.map(() => new BitSet(states.size));
  const rewards = system.rewards.map(() => new Float64Array(states.size));
  const values = new Float64Array(system.variables.length);
  const needed = labels.length > 0 || system.rewards.some((structure) => structure.states.length > 0);
  try {
    for (let state = 0; needed && state < states.size; state++) {
      states.read(state, values);
      for (let l = 0; l < labels.length; l++) if (system.labels[l].holds(values)) labels[l].add(state);
      for (let r = 0; r < rewards.length; r++) {
        for (const { guard, value } of system.rewards[r].states) {
          if (guard(values)) rewards[r][state] += value(values);
        }
      }
    }
  } catch (error) {
    throw located(error, system, values);
  }
  return { labels, rewards };
}

/** Assembles the model. */
export function assemble(system: System, explored: Explored, values: StateValues): Model {
  const { rowStart, columns, rowGroupStart, upper } = explored;
  const lower = atMostOne(explored.lower);
  const actions = {
    names: system.actions.map((action) => action ?? ''),
    ofRow: explored.rowAction,
  };
  const common = {
    initial: explored.initial,
    labels: labelsOf(system, explored, values),
    rewards: rewardsOf(system, explored, values),
    warnings: warningsOf(system, explored),
  };
  if (upper !== undefined) {
    const parts = { ...common, rowStart, columns, lower, upper };
    return system.model.type === 'dtmc'
      ? createIntervalDtmc(parts)
      : createIntervalMdp({ ...parts, rowGroupStart, actions });
  }
  const matrix = { rowStart, columns, values: lower };
  return system.model.type === 'dtmc'
    ? createDtmc({ ...common, ...matrix })
    : createMdp({ ...common, ...matrix, rowGroupStart, actions });
}

/** Sums of probabilities may have been rounded above 1. */
function atMostOne(values: Float64Array): Float64Array {
  for (let i = 0; i < values.length; i++) if (values[i] > 1) values[i] = 1;
  return values;
}

function labelsOf(system: System, { states, deadlocks }: Explored, values: StateValues): Map<string, BitSet> {
  const labels = new Map(system.labels.map(({ name }, l) => [name, values.labels[l]]));
  return labels.set('deadlock', BitSet.of(states.size, deadlocks));
}

function rewardsOf(system: System, { rowRewards }: Explored, values: StateValues): Rewards[] {
  return system.rewards.map(({ name }, r) => {
    const choices = rowRewards[r];
    return { name, states: values.rewards[r], ...(choices && { choices }) };
  });
}

/** The length in characters after which a warning names no further state. */
const SHOWN = 100;

function warningsOf(system: System, explored: Explored): string[] {
  const { states, deadlocks, stopped } = explored;
  const warnings = untaken(system, explored).map(
    (action) => `action ${action} is never taken: in no state are all that take part in it ready for it`,
  );
  if (deadlocks.length > 0) {
    const values = new Float64Array(system.variables.length);
    const shown: string[] = [];
    for (let length = 0; length < SHOWN && shown.length < deadlocks.length; ) {
      states.read(deadlocks[shown.length], values);
      const described = describeState(system.variables, values);
      shown.push(described);
      length += described.length;
    }
    const more = deadlocks.length > shown.length ? ', …' : '';
    warnings.push(
      `${deadlocks.length === 1 ? '1 state without a choice was' : `${deadlocks.length} states without a choice were`} given a self-loop, and the label "deadlock": ${shown.join(', ')}${more}`,
    );
  }
  if (stopped > 0) warnings.push(`${stopped} states were not explored further, as stopAt asks`);
  return warnings;
}

/** Actions that happen in no state. */
function untaken(system: System, explored: Explored): string[] {
  const { actions, blocked } = system;
  const taken = new Set<number>();
  if (system.model.type === 'dtmc') addPossible(system, explored, taken);
  else for (const action of explored.rowAction) if (action !== NO_ACTION) taken.add(action);
  const never = actions.filter((action, number) => action !== null && !taken.has(number)) as string[];
  return [...new Set([...blocked, ...never])].filter((action) => !taken.has(actions.indexOf(action)));
}

/**
 * Rows of chains join actions: an action is taken if some state enables it. With `stopAt`, any action may be taken in the
 * states left unexplored.
 */
function addPossible({ joints, stops }: System, { states }: Explored, taken: Set<number>): void {
  const { packed, words, variables } = states;
  const values = new Float64Array(variables.length);
  for (const { action, parts } of joints) {
    if (stops.length > 0) taken.add(action);
    for (let state = 0; state < states.size && !taken.has(action); state++) {
      states.read(state, values);
      const isReady = parts.every((bundles) =>
        bundles.some((bundle) =>
          bundle.every(({ guard }) => guardHolds(guard, packed, state * words, values)),
        ),
      );
      if (isReady) taken.add(action);
    }
  }
}
