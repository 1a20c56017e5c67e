import type { ValuationTable } from '../../observations/abstraction/index.js';
import { NO_ACTION } from '../../solvers/model/index.js';
import { Branches } from './branches.js';
import type { Counts } from './buildModel.js';
import { SeenRow, SmoothedRow } from './smoothedRow.js';
import { Successors } from './successors.js';
import { START_OR_END } from './transitionTable.js';

/** The rows of a learnt model: one row per state of a chain; in a decision process, one row for each action taken in a state, or a single row. */
export interface LearntRows extends ReturnType<Branches['finish']> {
  /** Uint32Array(states + 1). */
  readonly rowGroupStart: Uint32Array;
  readonly rowStart: Uint32Array;
  /** For each row: its action, or `NO_ACTION`; its draws, and those after the last one that showed a new successor; its place in the order of discovery. */
  readonly actions: readonly number[];
  readonly draws: readonly number[];
  readonly drawsSinceNew: readonly number[];
  readonly rank: readonly number[];
  /** The share of each row among all draws of its state; 1 if the state was never left. */
  readonly policy: readonly number[];
  /** Float64Array(states). */
  readonly left: Float64Array;
  /** The number of valid transitions between states and to `end`; null if unknown. */
  readonly possible: number | null;
}

/** Stands for a pair in states without a choice, and in a chain. */
const NO_PAIR = -1;

/** @throws InvalidArgumentError beyond `maxTransitions` transitions */
export function learntRows({ settings, tally, memory, actions }: Counts, space: ValuationTable): LearntRows {
  const { smoothing, maxTransitions } = settings;
  const { abstraction, transitions } = tally;
  const end = space.size + 1;
  const successors = new Successors(abstraction, space, (state) => !tally.forbidden[state - 1]);
  const countsPossible = actions === undefined && space.size * end <= maxTransitions;
  let possible = 0;

  const branches = new Branches(maxTransitions, end + 1);
  const rowStart = [0];
  const rowGroupStart = new Uint32Array(end + 2);
  const rows = {
    actions: [] as number[],
    draws: [] as number[],
    drawsSinceNew: [] as number[],
    rank: [] as number[],
  };
  const left = new Float64Array(end + 1);
  const seen = new SeenRow();
  const row = new SmoothedRow();
  const unused = new Uint32Array(end);
  /** Reads the observed outcomes of `pair` in the state into `seen`; returns the first draws of its entries. */
  const see = (state: number, pair: number): Float64Array => {
    if (actions !== undefined && state > 0) {
      actions.row(pair, seen);
      return actions.outcomes.firstDraws;
    }
    tally.row(state, memory ?? null, seen);
    return transitions.firstDraws;
  };
  const rankOf = (state: number, pair: number): number => {
    if (actions !== undefined && state > 0) return pair === NO_PAIR ? 0 : pair + 2;
    return state < tally.draws.length ? state + 1 : 0;
  };
  const endRow = (action: number, draws: number, sinceNew: number, rank: number): void => {
    rowStart.push(branches.size);
    rows.actions.push(action);
    rows.draws.push(draws);
    rows.drawsSinceNew.push(sinceNew);
    rows.rank.push(rank);
  };
  for (let state = 0; state < end; state++) {
    // In a process, the successors seen after any action are valid after every action.
    const valid = (isSeen: (target: number) => boolean, into: Uint32Array): number =>
      successors.of(state, actions ? (target) => transitions.find(state, target) >= 0 : isSeen, into);
    const alpha = state === 0 ? 0 : smoothing;
    const taken = actions === undefined || state === 0 ? [] : actions.pairs.leaving(state);
    for (const pair of taken.length === 0 ? [NO_PAIR] : taken) {
      const firstDraws = see(state, pair);
      const { entries, targets, counts, size, draws } = seen;
      row.fill(seen, alpha, space.size, alpha === 0 ? null : valid);
      const push = (i: number): void => {
        const place = row.seenAt[i];
        const firstDraw = place < 0 || memory ? 0 : firstDraws[entries[place]];
        const target = row.targets[i] === START_OR_END ? end : row.targets[i];
        branches.push(target, row.values[i], place < 0 ? 0 : counts[place], firstDraw);
      };
      const ends = row.size > 0 && row.targets[0] === START_OR_END;
      for (let i = Number(ends); i < row.size; i++) push(i);
      if (ends) push(0);
      // A process has no empty row: an unknown state is a self-loop.
      if (actions && row.size === 0) branches.push(state, 1, 0, 0);
      let latest = 0;
      for (let i = 0; i < size; i++) latest = Math.max(latest, firstDraws[entries[i]]);
      const action = pair === NO_PAIR ? NO_ACTION : actions!.actionOf(pair);
      endRow(action, draws, memory ? 0 : draws - latest, rankOf(state, pair));
      left[state] += draws;
      if (alpha === 0 && countsPossible && state > 0) {
        const all = new Set(targets.subarray(0, size));
        possible += valid((target) => all.has(target), unused);
      }
    }
    if (alpha > 0) possible += row.size;
    rowGroupStart[state + 1] = rows.actions.length;
  }
  branches.push(end, 1, 0, 0);
  endRow(NO_ACTION, 0, 0, 0);
  rowGroupStart[end + 1] = rows.actions.length;
  const policy: number[] = [];
  for (let state = 0; state <= end; state++) {
    for (let r = rowGroupStart[state]; r < rowGroupStart[state + 1]; r++) {
      policy.push(left[state] === 0 ? 1 : rows.draws[r] / left[state]);
    }
  }
  return {
    ...branches.finish(),
    ...rows,
    rowGroupStart,
    rowStart: Uint32Array.from(rowStart),
    policy,
    left,
    possible: countsPossible || smoothing > 0 ? possible : null,
  };
}
