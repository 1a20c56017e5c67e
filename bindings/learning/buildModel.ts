import { type Abstraction, ValuationTable } from '../abstraction/index.js';
import { BitSet } from '../kernel/index.js';
import { type Annotation, createDtmc, type Dtmc, type Valuations } from '../model/index.js';
import type { SampledSteps } from '../trace/index.js';
import { Branches } from './branches.js';
import type { Memory } from './forgetting.js';
import type { LearningSettings } from './options.js';
import type { LearningParameters, LeftOut } from './parameters.js';
import { SeenRow, SmoothedRow } from './smoothedRow.js';
import { Successors } from './successors.js';
import type { Tally } from './tally.js';
import { OUTSIDE } from './transitionTable.js';

/** What counting has gathered. */
export interface Counts {
  readonly tally: Tally;
  readonly settings: LearningSettings;
  readonly traces: number;
  readonly steps: number;
  /** Null: not told. Default null. */
  readonly leftOut?: LeftOut | null;
  /** Null: not told. Default null. */
  readonly resampled?: SampledSteps | null;
  /** What of the tally still counts, and by which rule; absent: all of it. */
  readonly memory?: Memory;
}

/**
 * The chain of the counts, in the layout described at `readLearntChain`: with n_st of n_s draws from s to t and k_s valid
 * successors, P(s, t) = (n_st + alpha) / (n_s + k_s alpha) for valid t. Row `start` is not smoothed.
 *
 * @returns the model, and the number of valid transitions between chain states and to `end` (null: too many to check)
 * @throws InvalidArgumentError beyond `maxTransitions` transitions, or if `states: valid` are too many
 */
export function buildModel(counts: Counts): { model: Dtmc; possible: number | null } {
  const { settings, tally, memory } = counts;
  const { smoothing, maxTransitions } = settings;
  const { abstraction, transitions } = tally;
  const space = stateSpace(counts);
  const end = space.size + 1;
  const states = end + 1;
  const successors = new Successors(abstraction, space, (state) => !tally.forbidden[state - 1]);
  const countsPossible = space.size * end <= maxTransitions;
  let possible = 0;

  const branches = new Branches(maxTransitions, states);
  const rowStart = new Uint32Array(states + 1);
  const drawn = new Float64Array(states);
  const drawsSinceNew = new Float64Array(states);
  const seen = new SeenRow();
  const row = new SmoothedRow();
  const unused = new Uint32Array(end);
  for (let state = 0; state < end; state++) {
    tally.row(state, memory ?? null, seen);
    const { entries, targets, size } = seen;
    drawn[state] = seen.draws;
    if (memory === undefined) {
      let latest = 0;
      for (let i = 0; i < size; i++) latest = Math.max(latest, transitions.firstDraws[entries[i]]);
      drawsSinceNew[state] = seen.draws - latest;
    }
    const valid = (isSeen: (target: number) => boolean, into: Uint32Array): number =>
      successors.of(state, isSeen, into);
    row.fill(seen, state === 0 ? 0 : smoothing, space.size, state === 0 || smoothing === 0 ? null : valid);
    if (state > 0 && smoothing > 0) possible += row.size;
    else if (state > 0 && countsPossible) {
      const all = new Set(targets.subarray(0, size));
      possible += valid((target) => all.has(target), unused);
    }
    const push = (i: number): void => {
      const place = row.seenAt[i];
      const firstDraw = place < 0 || memory ? 0 : transitions.firstDraws[entries[place]];
      const target = row.targets[i] === OUTSIDE ? end : row.targets[i];
      branches.push(target, row.values[i], place < 0 ? 0 : seen.counts[place], firstDraw);
    };
    const ends = row.size > 0 && row.targets[0] === OUTSIDE;
    for (let i = Number(ends); i < row.size; i++) push(i);
    if (ends) push(0);
    rowStart[state + 1] = branches.size;
  }
  branches.push(end, 1, 0, 0);
  rowStart[states] = branches.size;

  const { columns, values, counts: seenCounts, firstDraws } = branches.finish();
  const unknown = BitSet.where(states, (state) => rowStart[state] === rowStart[state + 1]);
  const model = createDtmc({
    rowStart,
    columns,
    values,
    initial: [0],
    labels: labelsOf(abstraction, space),
    ...(unknown.count() > 0 && { unknown }),
    valuations: valuationsOf(abstraction, space),
    annotations: annotationsOf(counts, drawn, drawsSinceNew, seenCounts, firstDraws),
    parameters: { foreguard: parametersOf(counts) },
  });
  return { model, possible: countsPossible || settings.smoothing > 0 ? possible : null };
}

/** Valuations seen, in order of discovery; after them, under `states: valid`, the others that the constraint allows. */
export function stateSpace({ tally: { abstraction, table }, settings }: Counts): ValuationTable {
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

export function labelsOf({ predicates }: Abstraction, space: ValuationTable): Map<string, BitSet> {
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

export function valuationsOf({ predicates }: Abstraction, space: ValuationTable): Valuations {
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

function annotationsOf(
  { tally, memory }: Counts,
  draws: Float64Array,
  drawsSinceNew: Float64Array,
  counts: Float64Array,
  firstDraws: Float64Array,
): Annotation[] {
  const type = memory !== undefined && 'halfLife' in memory.forgetting ? 'double' : 'uint';
  return [
    {
      name: 'count',
      description: 'how often the transition was seen',
      appliesTo: 'branches',
      type,
      values: counts,
    },
    {
      name: 'firstDraw',
      description:
        'draw of its source, counting from 1, at which the transition was first seen; 0: never, or not kept',
      appliesTo: 'branches',
      type: 'uint',
      values: firstDraws,
    },
    {
      name: 'draws',
      description: 'how often the state was left',
      appliesTo: 'states',
      type,
      values: draws,
    },
    {
      name: 'drawsSinceNew',
      description: 'draws after the one that last showed a new successor',
      appliesTo: 'states',
      type: 'uint',
      values: drawsSinceNew,
    },
    {
      name: 'rank',
      description: 'place in the order of discovery, counting from 1, which is start; 0: never seen, or end',
      appliesTo: 'states',
      type: 'uint',
      values: draws.map((_, state) => (state < tally.draws.length ? state + 1 : 0)),
    },
  ];
}

export function parametersOf({
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
