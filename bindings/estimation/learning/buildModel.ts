import { InvalidArgumentError } from '../../base/errors.js';
import { type Abstraction, ValuationTable } from '../../observations/abstraction/index.js';
import type { SampledSteps } from '../../observations/trace/index.js';
import { BitSet } from '../../solvers/kernel/index.js';
import {
  type Annotation,
  createDtmc,
  createMdp,
  type Dtmc,
  type Mdp,
  type Valuations,
} from '../../solvers/model/index.js';
import type { Memory } from './forgetting.js';
import { type LearntRows, learntRows } from './learntRows.js';
import type { ActionTally } from './mdp/actionTally.js';
import type { LearningSettings } from './options.js';
import type { LearningParameters, LeftOut } from './parameters.js';
import type { Tally } from './tally.js';

/** The counts that a model is built from. */
export interface Counts {
  readonly tally: Tally;
  readonly settings: LearningSettings;
  readonly traces: number;
  readonly steps: number;
  /** Null: not known. Default null. */
  readonly leftOut?: LeftOut | null;
  /** Null: not known. Default null. */
  readonly resampled?: SampledSteps | null;
  /** The part of the tally that still counts, and the forgetting rule; absent: all of it. */
  readonly memory?: Memory;
  /** The counts of actions, for a decision process; absent for a chain. Not together with `memory`. */
  readonly actions?: ActionTally;
}

/** The kind of model built from counts. */
export type ModelOf<From extends Counts> = From extends { readonly actions: ActionTally } ? Mdp : Dtmc;

/** Label of the states of a decision process that were never left. */
export const UNKNOWN = 'unknown';

/**
 * The chain or decision process of the counts, in the layout described at `readLearntChain` and `readLearntMdp`: with n_st of n_s draws of
 * a row from s to t and k_s valid successors, P(s, t) = (n_st + alpha) / (n_s + k_s alpha) for valid t. Row `start` is not smoothed. A
 * transition seen after one action is valid after all actions.
 *
 * @returns the model, and the number of valid transitions between states and to `end` (null: too many to check, or a process without
 * smoothing)
 * @throws InvalidArgumentError beyond `maxTransitions` transitions, if `states: valid` are too many, or a predicate has the name `unknown`,
 * the label of a process's states that were never left
 */
export function buildModel<From extends Counts>(
  counts: From,
): { model: ModelOf<From>; possible: number | null } {
  const { tally, actions } = counts;
  const { abstraction } = tally;
  const space = stateSpace(counts);
  const rows = learntRows(counts, space);
  const { rowGroupStart, rowStart, columns, values, left, possible } = rows;
  const labels = labelsOf(abstraction, space);
  const shared = {
    ...{ rowStart, columns, values, initial: [0], labels },
    valuations: valuationsOf(abstraction, space),
    annotations: annotationsOf(counts, rows),
    parameters: { foreguard: parametersOf(counts) },
  };
  const within = (state: number): boolean => state > 0 && state <= space.size;
  const unknown = BitSet.where(left.length, (state) =>
    actions ? within(state) && left[state] === 0 : rowStart[state] === rowStart[state + 1],
  );
  if (actions !== undefined && unknown.count() > 0) addUnknown(labels, unknown);
  const model =
    actions === undefined
      ? createDtmc({ ...shared, ...(unknown.count() > 0 && { unknown }) })
      : createMdp({
          ...{ ...shared, rowGroupStart },
          actions: { names: [...actions.names], ofRow: Uint32Array.from(rows.actions) },
        });
  return { model: model as ModelOf<From>, possible };
}

function addUnknown(labels: Map<string, BitSet>, unknown: BitSet): void {
  if (labels.has(UNKNOWN)) {
    throw new InvalidArgumentError(
      `a predicate is called "${UNKNOWN}", which is the label of states that were never left in a decision process; choose another name`,
    );
  }
  labels.set(UNKNOWN, unknown);
}

/** Valuations seen, in order of discovery; then, under `states: valid`, the others that the constraint allows. */
function stateSpace({ tally: { abstraction, table }, settings }: Counts): ValuationTable {
  if (settings.states === 'observed') return table;
  const space = new ValuationTable(table.words);
  for (const { valuations, size, words } of [table, abstraction.validStates()]) {
    for (let i = 0; i < size; i++) space.insert(valuations, i * words);
  }
  return space;
}

/** Whether predicate `i` holds in model state `state`; `start` and `end` satisfy none. */
function predicateIn(space: ValuationTable): (i: number, state: number) => boolean {
  const { valuations, words, size } = space;
  return (i, state) =>
    state > 0 && state <= size && ((valuations[(state - 1) * words + (i >>> 5)] >>> (i & 31)) & 1) === 1;
}

function labelsOf({ predicates }: Abstraction, space: ValuationTable): Map<string, BitSet> {
  const states = space.size + 2;
  const holds = predicateIn(space);
  return new Map([
    ['start', BitSet.of(states, [0])],
    ['end', BitSet.of(states, [states - 1])],
    ...predicates.map((name, i): [string, BitSet] => [
      name,
      BitSet.where(states, (state) => holds(i, state)),
    ]),
  ]);
}

function valuationsOf({ predicates }: Abstraction, space: ValuationTable): Valuations {
  const states = space.size + 2;
  const holds = predicateIn(space);
  return {
    variables: [
      ...predicates.map((name) => ({ name, type: 'bool' as const })),
      { name: 'phase', type: 'int' },
    ],
    values: [
      ...predicates.map((_, i) => Array.from({ length: states }, (_, state) => holds(i, state))),
      Array.from({ length: states }, (_, state) => (state === 0 ? 0 : state === states - 1 ? 2 : 1)),
    ],
  };
}

function annotationsOf({ memory, actions }: Counts, rows: LearntRows): Annotation[] {
  const weight = memory !== undefined && 'halfLife' in memory.forgetting ? 'double' : 'uint';
  // A row is a state of a chain, or an action taken in a state of a decision process.
  const appliesTo = actions ? 'choices' : 'states';
  const annotation = (
    name: string,
    description: string,
    on: Annotation['appliesTo'],
    values: readonly number[] | Float64Array,
    type: 'uint' | 'double' = 'uint',
  ): Annotation => ({
    ...{ name, description, appliesTo: on, type },
    // There may be millions of branches.
    values: values instanceof Float64Array ? values : Float64Array.from(values),
  });
  const { counts, firstDraws, draws, drawsSinceNew, rank, policy, left } = rows;
  const leavings = 'how often the state was left';
  return [
    annotation(
      'count',
      actions ? 'how often the action led there' : 'how often the transition was seen',
      'branches',
      counts,
      weight,
    ),
    annotation(
      'firstDraw',
      actions
        ? 'draw of its state and action, counting from 1, at which the transition was first seen; 0: never'
        : 'draw of its source, counting from 1, at which the transition was first seen; 0: never, or not kept',
      'branches',
      firstDraws,
    ),
    annotation(
      'draws',
      actions ? 'how often the action was taken in the state' : leavings,
      appliesTo,
      draws,
      weight,
    ),
    annotation(
      'drawsSinceNew',
      'draws after the one that last showed a new successor',
      appliesTo,
      drawsSinceNew,
    ),
    annotation(
      'rank',
      actions
        ? 'place in the order of first draws, counting from 1, which is start; 0: never drawn'
        : 'place in the order of discovery, counting from 1, which is start; 0: never seen, or end',
      appliesTo,
      rank,
    ),
    ...(actions === undefined
      ? []
      : [
          annotation(
            'policy',
            'how often the action was taken, of all times the state was left',
            appliesTo,
            policy,
            'double',
          ),
          annotation('left', leavings, 'states', left),
        ]),
  ];
}

function parametersOf({
  tally: { abstraction },
  settings,
  traces,
  steps,
  leftOut = null,
  resampled = null,
  memory,
}: Counts): LearningParameters {
  const { model, smoothing, states, onContradiction, specificationHash, period } = settings;
  return {
    specificationHash,
    predicates: abstraction.definition.predicates.map(({ name, expression }) => ({ name, expression })),
    constraints: { ...abstraction.definition.constraints },
    ...(model === 'mdp' && abstraction.definition.actions && { actions: abstraction.definition.actions }),
    learning: { model, smoothing, states, onContradiction },
    ...(period !== null && { period }),
    ...(memory && { forgetting: memory.forgetting }),
    leftOut,
    resampled,
    traces,
    steps,
  };
}
