import { InvalidArgumentError } from '../../errors.js';
import { BitSet } from '../../kernel/index.js';
import { type Annotation, createMdp, type Mdp, NO_ACTION } from '../../model/index.js';
import { Branches } from '../branches.js';
import { type Counts, labelsOf, parametersOf, stateSpace, valuationsOf } from '../buildModel.js';
import { SeenRow, SmoothedRow } from '../smoothedRow.js';
import { Successors } from '../successors.js';
import { OUTSIDE } from '../transitionTable.js';
import { type ActionTally, NO_CHOICE } from './actionTally.js';

/** Label of the states that were never left. */
export const UNKNOWN = 'unknown';

/** What counting has gathered, actions among it. */
export interface MdpCounts extends Omit<Counts, 'memory'> {
  readonly actions: ActionTally;
}

/** Rows while they are written. */
class Choices {
  readonly rowStart: number[] = [0];
  readonly actions: number[] = [];
  readonly draws: number[] = [];
  readonly drawsSinceNew: number[] = [];
  readonly rank: number[] = [];
  readonly policy: number[] = [];

  push(row: {
    readonly end: number;
    readonly action?: number;
    readonly draws?: number;
    readonly drawsSinceNew?: number;
    readonly rank?: number;
    readonly policy?: number;
  }): void {
    this.rowStart.push(row.end);
    this.actions.push(row.action ?? NO_ACTION);
    this.draws.push(row.draws ?? 0);
    this.drawsSinceNew.push(row.drawsSinceNew ?? 0);
    this.rank.push(row.rank ?? 0);
    this.policy.push(row.policy ?? 1);
  }
}

/**
 * The decision process of the counts, in the layout described at `readLearntMdp`: with n_sat of n_sa draws from s under a to t and k_s
 * valid successors of s, P(s, a, t) = (n_sat + alpha) / (n_sa + k_s alpha) for valid t. A transition that was seen is valid, whatever the action.
 *
 * @returns the model, and the number of valid transitions between states and to `end` (null where smoothing does not ask for it)
 * @throws as `buildModel`; InvalidArgumentError if a predicate has the name of the label of states never left
 */
export function buildMdp(counts: MdpCounts): { model: Mdp; possible: number | null } {
  const { settings, tally, actions } = counts;
  const { smoothing, maxTransitions } = settings;
  const { abstraction, transitions } = tally;
  const space = stateSpace(counts);
  const end = space.size + 1;
  const states = end + 1;
  const successors = new Successors(abstraction, space, (state) => !tally.forbidden[state - 1]);

  const branches = new Branches(maxTransitions, states);
  const choices = new Choices();
  const rowGroupStart = new Uint32Array(states + 1);
  const left = new Float64Array(states);
  const seen = new SeenRow();
  const row = new SmoothedRow();
  let possible = 0;
  /** Writes a row; what of it was seen is in `seen`, its first draws in `firstDraws`. */
  const write = (firstDraws: Float64Array): void => {
    const push = (i: number): void => {
      const place = row.seenAt[i];
      const target = row.targets[i] === OUTSIDE ? end : row.targets[i];
      const [count, first] = place < 0 ? [0, 0] : [seen.counts[place], firstDraws[seen.entries[place]]];
      branches.push(target, row.values[i], count, first);
    };
    const ends = row.size > 0 && row.targets[0] === OUTSIDE;
    for (let i = Number(ends); i < row.size; i++) push(i);
    if (ends) push(0);
  };
  const sinceNew = (firstDraws: Float64Array): number => {
    let latest = 0;
    for (let i = 0; i < seen.size; i++) latest = Math.max(latest, firstDraws[seen.entries[i]]);
    return seen.draws - latest;
  };

  tally.row(OUTSIDE, null, seen);
  row.fill(seen, 0, space.size, null);
  write(transitions.firstDraws);
  const drawsSinceNew = sinceNew(transitions.firstDraws);
  choices.push({ end: branches.size, draws: seen.draws, drawsSinceNew, rank: 1 });
  left[0] = seen.draws;
  rowGroupStart[1] = 1;

  const { pairs, outcomes } = actions;
  for (let state = 1; state < end; state++) {
    const valid =
      smoothing === 0
        ? null
        : (_: unknown, into: Uint32Array) =>
            successors.of(state, (target) => transitions.find(state, target) >= 0, into);
    const taken = pairs.leaving(state);
    for (const pair of taken) left[state] += pairs.counts[pair];
    for (const pair of taken) {
      const entries = outcomes.leaving(pair);
      seen.begin(entries.length);
      for (const entry of entries) seen.push(entry, outcomes.to[entry], outcomes.counts[entry]);
      row.fill(seen, smoothing, space.size, valid);
      write(outcomes.firstDraws);
      const name = pairs.to[pair];
      choices.push({
        end: branches.size,
        action: name === NO_CHOICE ? NO_ACTION : name - 1,
        draws: seen.draws,
        drawsSinceNew: sinceNew(outcomes.firstDraws),
        rank: pair + 2,
        policy: seen.draws / left[state],
      });
    }
    if (taken.length === 0) {
      seen.begin(0);
      row.fill(seen, smoothing, space.size, valid);
      if (row.size === 0) branches.push(state, 1, 0, 0);
      else write(outcomes.firstDraws);
      choices.push({ end: branches.size });
    }
    if (smoothing > 0) possible += row.size;
    rowGroupStart[state + 1] = choices.actions.length;
  }
  branches.push(end, 1, 0, 0);
  choices.push({ end: branches.size });
  rowGroupStart[states] = choices.actions.length;

  const unknown = BitSet.where(states, (state) => state > 0 && state < end && left[state] === 0);
  const { columns, values, counts: seenCounts, firstDraws } = branches.finish();
  const model = createMdp({
    rowGroupStart,
    rowStart: Uint32Array.from(choices.rowStart),
    columns,
    values,
    initial: [0],
    labels: withUnknown(labelsOf(abstraction, space), unknown),
    valuations: valuationsOf(abstraction, space),
    actions: { names: [...actions.names], ofRow: Uint32Array.from(choices.actions) },
    annotations: annotationsOf(choices, left, seenCounts, firstDraws),
    parameters: { foreguard: parametersOf(counts) },
  });
  return { model, possible: smoothing > 0 ? possible : null };
}

function withUnknown(labels: Map<string, BitSet>, unknown: BitSet): Map<string, BitSet> {
  if (unknown.count() === 0) return labels;
  if (labels.has(UNKNOWN)) {
    throw new InvalidArgumentError(
      `a predicate is called "${UNKNOWN}", which is the label of states that were never left in a decision process; choose another name`,
    );
  }
  return labels.set(UNKNOWN, unknown);
}

function annotationsOf(
  choices: Choices,
  left: Float64Array,
  counts: Float64Array,
  firstDraws: Float64Array,
): Annotation[] {
  return [
    {
      name: 'count',
      description: 'how often the action led there',
      appliesTo: 'branches',
      type: 'uint',
      values: counts,
    },
    {
      name: 'firstDraw',
      description:
        'draw of its state and action, counting from 1, at which the transition was first seen; 0: never',
      appliesTo: 'branches',
      type: 'uint',
      values: firstDraws,
    },
    {
      name: 'draws',
      description: 'how often the action was taken in the state',
      appliesTo: 'choices',
      type: 'uint',
      values: Float64Array.from(choices.draws),
    },
    {
      name: 'drawsSinceNew',
      description: 'draws after the one that last showed a new successor',
      appliesTo: 'choices',
      type: 'uint',
      values: Float64Array.from(choices.drawsSinceNew),
    },
    {
      name: 'rank',
      description: 'place in the order of first draws, counting from 1, which is start; 0: never drawn',
      appliesTo: 'choices',
      type: 'uint',
      values: Float64Array.from(choices.rank),
    },
    {
      name: 'policy',
      description: 'how often the action was taken, of all times the state was left',
      appliesTo: 'choices',
      type: 'double',
      values: Float64Array.from(choices.policy),
    },
    {
      name: 'left',
      description: 'how often the state was left',
      appliesTo: 'states',
      type: 'uint',
      values: left,
    },
  ];
}
