import { type Abstraction, ValuationTable } from '../abstraction/index.js';
import { BitSet } from '../kernel/index.js';
import { type Annotation, createDtmc, type Dtmc, type Valuations } from '../model/index.js';
import { Branches } from './branches.js';
import type { LearningSettings } from './options.js';
import type { LearningParameters } from './parameters.js';
import { seenRows } from './seenRows.js';
import { Successors } from './successors.js';
import { OUTSIDE, type TransitionTable } from './transitionTable.js';

/** What counting has gathered; rows and targets are numbered as in `TransitionTable`. */
export interface Counts {
  readonly abstraction: Abstraction;
  readonly settings: LearningSettings;
  readonly table: ValuationTable;
  /** Per valuation seen whether the constraints forbid it. */
  readonly forbidden: readonly boolean[];
  /** Per row how often it was left. */
  readonly draws: readonly number[];
  readonly transitions: TransitionTable;
  readonly traces: number;
  readonly steps: number;
}

/**
 * The chain of the counts, in the layout described at `readLearntChain`: with n_st of n_s draws from s to t and k_s valid
 * successors, P(s, t) = (n_st + alpha) / (n_s + k_s alpha) for valid t. Row `start` is not smoothed.
 *
 * @returns the model, and the number of valid transitions between chain states and to `end` (null: too many to check)
 * @throws InvalidArgumentError beyond `maxTransitions` transitions, or if `states: valid` are too many
 */
export function buildModel(counts: Counts): { model: Dtmc; possible: number | null } {
  const { settings, draws, transitions } = counts;
  const space = stateSpace(counts);
  const end = space.size + 1;
  const states = end + 1;
  const seen = seenRows(transitions, end);
  const successors = new Successors(counts.abstraction, space, counts.forbidden);
  const countsPossible = space.size * end <= settings.maxTransitions;
  let possible = 0;

  const branches = new Branches(settings.maxTransitions, states);
  const rowStart = new Uint32Array(states + 1);
  const drawsSinceNew = new Float64Array(states);
  /** Of the row at hand, by target: its entry, or -1 where the transition was not seen. */
  const entryOf = new Int32Array(states).fill(-1);
  const isSeen = (target: number): boolean => entryOf[target] >= 0;
  const targetOf = (entry: number): number =>
    transitions.to[entry] === OUTSIDE ? end : transitions.to[entry];
  const targets = new Uint32Array(end);
  for (let state = 0; state < end; state++) {
    let latest = 0;
    for (const entry of seen[state]) {
      entryOf[targetOf(entry)] = entry;
      latest = Math.max(latest, transitions.firstDraws[entry]);
    }
    const alpha = state === 0 ? 0 : settings.smoothing;
    let valid = 0;
    if (state > 0 && (alpha > 0 || countsPossible)) possible += valid = successors.of(state, isSeen, targets);
    if (alpha === 0) {
      valid = 0;
      for (const entry of seen[state]) targets[valid++] = targetOf(entry);
    }
    const drawn = draws[state] ?? 0;
    for (let i = 0; i < valid; i++) {
      const entry = entryOf[targets[i]];
      const count = entry < 0 ? 0 : transitions.counts[entry];
      const firstDraw = entry < 0 ? 0 : transitions.firstDraws[entry];
      branches.push(targets[i], (count + alpha) / (drawn + valid * alpha), count, firstDraw);
    }
    for (const entry of seen[state]) entryOf[targetOf(entry)] = -1;
    rowStart[state + 1] = branches.size;
    drawsSinceNew[state] = drawn - latest;
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
    labels: labelsOf(counts.abstraction, space),
    ...(unknown.count() > 0 && { unknown }),
    valuations: valuationsOf(counts.abstraction, space),
    annotations: annotationsOf(counts, drawsSinceNew, seenCounts, firstDraws),
    parameters: { foreguard: parametersOf(counts) },
  });
  return { model, possible: countsPossible || settings.smoothing > 0 ? possible : null };
}

/** Valuations seen, in order of discovery; after them, under `states: valid`, the others that the constraint allows. */
function stateSpace({ abstraction, settings, table }: Counts): ValuationTable {
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

function annotationsOf(
  { draws }: Counts,
  drawsSinceNew: Float64Array,
  counts: Float64Array,
  firstDraws: Float64Array,
): Annotation[] {
  const perState = (value: (state: number) => number): Float64Array =>
    drawsSinceNew.map((_, state) => value(state));
  return [
    {
      name: 'count',
      description: 'how often the transition was seen',
      appliesTo: 'branches',
      type: 'uint',
      values: counts,
    },
    {
      name: 'firstDraw',
      description: 'draw of its source, counting from 1, at which the transition was first seen; 0: never',
      appliesTo: 'branches',
      type: 'uint',
      values: firstDraws,
    },
    {
      name: 'draws',
      description: 'how often the state was left',
      appliesTo: 'states',
      type: 'uint',
      values: perState((state) => draws[state] ?? 0),
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
      values: perState((state) => (state < draws.length ? state + 1 : 0)),
    },
  ];
}

function parametersOf({ abstraction, settings, traces, steps }: Counts): LearningParameters {
  const { model, smoothing, states, onContradiction, specificationHash } = settings;
  return {
    specificationHash,
    predicates: abstraction.definition.predicates.map(({ name, expression }) => ({ name, expression })),
    constraints: { ...abstraction.definition.constraints },
    learning: { model, smoothing, states, onContradiction },
    traces,
    steps,
  };
}
