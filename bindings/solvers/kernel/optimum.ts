import type { Bounds } from '../../base/bounds.js';
import { BitSet } from './bitSet.js';
import type { EngineMdp } from './engine.js';
import { optimise } from './optimise.js';
import type { CheckedSolveOptions } from './options.js';
import { rowRewards } from './rowRewards.js';
import type { Direction, EndComponents, MdpRewards, OptimalSolution } from './types/index.js';

/** The part of a best value that the graph of an MDP decides, and the part left to compute. */
interface Decided {
  readonly direction: Direction;
  /** Sets of states; states in none of them have value 0. */
  readonly one: BitSet;
  readonly infinite: BitSet;
  readonly maybe: BitSet;
  /** Rows that may be taken in maybe states. */
  readonly rows: BitSet;
  /** Sets of maybe states that share one value, because each can be reached from every other at no cost. */
  readonly collapsed: EndComponents | undefined;
  readonly rewards?: Bounds;
  /** The row to take in each state that is not a maybe state. */
  readonly scheduler: Uint32Array;
}

/**
 * Pmin or Pmax(remain U target).
 *
 * Maximum: states that cannot reach the target, and those from which it can be reached almost surely, are decided. The
 * remaining states may hold end components, in which every value at least that of the exits solves the equations; after
 * collapsing each to one state, the equations have a unique solution. Minimum: an end component outside the target has minimum
 * 0 and is decided.
 */
export function optimalUntil(
  mdp: EngineMdp,
  groupStart: Uint32Array,
  direction: Direction,
  remain: BitSet,
  target: BitSet,
  options: CheckedSolveOptions,
): OptimalSolution {
  const states = remain.size;
  const rows = BitSet.full(groupStart[states]);
  const scheduler = groupStart.slice(0, states);
  const infinite = new BitSet(states);
  if (direction === 'max') {
    const zero = mdp.attract(remain, target, rows).states.complement();
    const sure = mdp.almostSure(remain, target, rows);
    const one = sure.states;
    const maybe = zero.union(one).complement();
    follow(scheduler, one.difference(target), sure.choices);
    const collapsed = mdp.endComponents(maybe, rows);
    return solve(mdp, groupStart, { direction, one, infinite, maybe, rows, collapsed, scheduler }, options);
  }
  const zero = mdp.attractAlways(remain, target).complement();
  const one = mdp.attract(remain.difference(target), zero, rows).states.complement();
  const maybe = zero.union(one).complement();
  follow(scheduler, zero, stayingRows(mdp, groupStart, zero));
  return solve(
    mdp,
    groupStart,
    { direction, one, infinite, maybe, rows, collapsed: undefined, scheduler },
    options,
  );
}

/**
 * Rmin or Rmax[F target].
 *
 * A maximum is infinite in states from which some scheduler may miss the target; from the others, no scheduler can stay for
 * ever. A minimum is infinite in states from which every scheduler may miss the target. Rows that may lead to those states are
 * excluded, and end components without rewards are collapsed, because staying there would cost nothing and never arrive.
 * Staying in an end component with rewards costs infinitely much, which does no harm.
 */
export function optimalReward(
  mdp: EngineMdp,
  groupStart: Uint32Array,
  direction: Direction,
  rewards: MdpRewards,
  target: BitSet,
  options: CheckedSolveOptions,
): OptimalSolution {
  const states = target.size;
  const allRows = BitSet.full(groupStart[states]);
  const everywhere = BitSet.full(states);
  const scheduler = groupStart.slice(0, states);
  const one = new BitSet(states);
  const earned = rowRewards(rewards, groupStart);
  if (direction === 'max') {
    const avoidable = mdp.attractAlways(everywhere, target).complement();
    const missing = mdp.attract(target.complement(), avoidable, allRows);
    const infinite = missing.states;
    const through = infinite.union(target).complement();
    const earning = BitSet.where(states, (s) => through.has(s) && earnsIn(earned, groupStart, s));
    const maybe = mdp.attract(through, earning, allRows).states;
    follow(scheduler, infinite.difference(avoidable), missing.choices);
    follow(scheduler, avoidable, stayingRows(mdp, groupStart, avoidable));
    return solve(
      mdp,
      groupStart,
      { direction, one, infinite, maybe, rows: allRows, collapsed: undefined, rewards: earned, scheduler },
      options,
    );
  }
  const sure = mdp.almostSure(everywhere, target, allRows).states;
  const rows = mdp.rowsInside(sure);
  const freeRows = BitSet.where(rows.size, (row) => rows.has(row) && earned.upper[row] === 0);
  const free = mdp.almostSure(everywhere, target, freeRows);
  const maybe = sure.difference(free.states);
  follow(scheduler, free.states.difference(target), free.choices);
  const collapsed = mdp.endComponents(maybe, freeRows);
  const infinite = sure.complement();
  return solve(
    mdp,
    groupStart,
    { direction, one, infinite, maybe, rows, collapsed, rewards: earned, scheduler },
    options,
  );
}

/**
 * Least or greatest reward for ever.
 *
 * A maximum is infinite if an end component with an earning row can be reached. The other end components earn nothing and are
 * collapsed; a state from which nothing can be earned has value 0, so that every remaining block has a row that leaves it. A
 * minimum is earned until an end component without rewards is reached: every finite value ends in one.
 */
export function optimalTotal(
  mdp: EngineMdp,
  groupStart: Uint32Array,
  direction: Direction,
  rewards: MdpRewards,
  options: CheckedSolveOptions,
): OptimalSolution {
  const states = groupStart.length - 1;
  const everywhere = BitSet.full(states);
  const allRows = BitSet.full(groupStart[states]);
  const earned = rowRewards(rewards, groupStart);
  if (direction === 'min') {
    const freeRows = BitSet.where(allRows.size, (row) => earned.upper[row] === 0);
    const free = mdp.endComponents(everywhere, freeRows);
    const resting = BitSet.where(states, (s) => free.componentOf[s] < free.count);
    const result = optimalReward(mdp, groupStart, direction, rewards, resting, options);
    for (const s of resting) result.scheduler[s] = rowIn(free.rows, groupStart, s);
    return result;
  }
  const scheduler = groupStart.slice(0, states);
  const ends = mdp.endComponents(everywhere, allRows);
  const earning = new BitSet(ends.count);
  for (let s = 0; s < states; s++) {
    for (let row = groupStart[s]; row < groupStart[s + 1]; row++)
      if (ends.rows.has(row) && earned.upper[row] > 0) earning.add(ends.componentOf[s]);
  }
  const inEarning = BitSet.where(
    states,
    (s) => ends.componentOf[s] < ends.count && earning.has(ends.componentOf[s]),
  );
  const reaching = mdp.attract(everywhere, inEarning, allRows);
  const infinite = reaching.states;
  follow(scheduler, infinite.difference(inEarning), reaching.choices);
  endless(mdp, groupStart, scheduler, inEarning, ends, earned);
  const finite = infinite.complement();
  const paid = BitSet.where(states, (s) => finite.has(s) && earnsIn(earned, groupStart, s));
  const maybe = mdp.attract(finite, paid, allRows).states;
  const collapsed = mdp.endComponents(maybe, allRows);
  return solve(
    mdp,
    groupStart,
    {
      direction,
      one: new BitSet(states),
      infinite,
      maybe,
      rows: allRows,
      collapsed,
      rewards: earned,
      scheduler,
    },
    options,
  );
}

/**
 * Rows for earning end components: an earning row in its state; in the other states, rows inside that lead towards such a
 * state.
 */
function endless(
  mdp: EngineMdp,
  groupStart: Uint32Array,
  scheduler: Uint32Array,
  inEarning: BitSet,
  { rows }: EndComponents,
  earned: Bounds,
): void {
  const paid = new BitSet(inEarning.size);
  for (const s of inEarning) {
    for (let row = groupStart[s]; row < groupStart[s + 1]; row++) {
      if (!rows.has(row) || earned.upper[row] === 0) continue;
      scheduler[s] = row;
      paid.add(s);
      break;
    }
  }
  follow(scheduler, inEarning.difference(paid), mdp.attract(inEarning, paid, rows).choices);
}

/** The first row of a state that is in a set; one must be. */
function rowIn(rows: BitSet, groupStart: Uint32Array, s: number): number {
  let row = groupStart[s];
  while (row + 1 < groupStart[s + 1] && !rows.has(row)) row++;
  return row;
}

function solve(
  mdp: EngineMdp,
  groupStart: Uint32Array,
  decided: Decided,
  options: CheckedSolveOptions,
): OptimalSolution {
  const { direction, one, infinite, maybe, rows, collapsed, rewards, scheduler } = decided;
  const blocks = blocksOf(mdp, maybe, rows, collapsed);
  const { memberStart, members, componentStart } = blocks;
  const problem = mdp.openOptimum({
    direction,
    memberStart,
    members,
    rows,
    one,
    ...(rewards && { rewards }),
    upper: rewards ? Number.POSITIVE_INFINITY : 1,
  });
  const bounds = (): Bounds => {
    const lower = Float64Array.from({ length: maybe.size }, (_, s) =>
      infinite.has(s) ? Number.POSITIVE_INFINITY : one.has(s) ? 1 : 0,
    );
    const upper = lower.slice();
    const found = problem.bounds();
    for (let b = 0; b + 1 < memberStart.length; b++) {
      for (let i = memberStart[b]; i < memberStart[b + 1]; i++) {
        lower[members[i]] = found.lower[b];
        upper[members[i]] = found.upper[b];
      }
    }
    return { lower, upper };
  };
  try {
    const result = optimise(problem, direction, componentStart, rewards !== undefined, options, bounds);
    schedule(mdp, groupStart, decided, blocks, problem.chosenRows());
    return { ...result, scheduler };
  } finally {
    problem.close();
  }
}

interface Blocks {
  readonly memberStart: Uint32Array;
  readonly members: Uint32Array;
  /** Component c of the blocks is blocks componentStart[c] to componentStart[c + 1] - 1. */
  readonly componentStart: Uint32Array;
}

/** Numbers maybe states, or the end components they are collapsed to, in solving order. */
function blocksOf(mdp: EngineMdp, maybe: BitSet, rows: BitSet, collapsed: EndComponents | undefined): Blocks {
  const { order, start } = mdp.components(maybe, rows);
  if (collapsed === undefined || collapsed.count === 0) {
    const memberStart = Uint32Array.from({ length: order.length + 1 }, (_, b) => b);
    return { memberStart, members: order, componentStart: start };
  }
  // The end of each end component's member list; it moves to the start while the list fills.
  const { count, componentOf } = collapsed;
  const listStart = new Uint32Array(count + 1);
  for (const s of order) if (componentOf[s] < count) listStart[componentOf[s]]++;
  for (let c = 1; c <= count; c++) listStart[c] += listStart[c - 1];
  const listed = new Uint32Array(listStart[count]);
  for (const s of order) if (componentOf[s] < count) listed[--listStart[componentOf[s]]] = s;

  const members = new Uint32Array(order.length);
  const memberStart = new Uint32Array(order.length + 1);
  const componentStart = new Uint32Array(start.length);
  const placed = new BitSet(count);
  let [blocks, size] = [0, 0];
  for (let c = 0; c + 1 < start.length; c++) {
    for (let i = start[c]; i < start[c + 1]; i++) {
      const end = componentOf[order[i]];
      if (end >= count) {
        members[size++] = order[i];
      } else {
        if (placed.has(end)) continue;
        placed.add(end);
        members.set(listed.subarray(listStart[end], listStart[end + 1]), size);
        size += listStart[end + 1] - listStart[end];
      }
      memberStart[++blocks] = size;
    }
    componentStart[c + 1] = blocks;
  }
  return { memberStart: memberStart.slice(0, blocks + 1), members, componentStart };
}

/**
 * Completes the scheduler: in each block one state takes the row chosen for the block, and the other states of an end component
 * move there along rows inside it. They arrive almost surely: the value of the block is that of the row.
 */
function schedule(
  mdp: EngineMdp,
  groupStart: Uint32Array,
  { maybe, collapsed, scheduler }: Decided,
  { memberStart, members }: Blocks,
  chosenRows: Uint32Array,
): void {
  const leaving = new BitSet(maybe.size);
  let lumped = false;
  for (let b = 0; b < chosenRows.length; b++) {
    if (memberStart[b + 1] - memberStart[b] > 1) lumped = true;
    for (let i = memberStart[b]; i < memberStart[b + 1]; i++) {
      const s = members[i];
      if (chosenRows[b] < groupStart[s] || chosenRows[b] >= groupStart[s + 1]) continue;
      scheduler[s] = chosenRows[b];
      leaving.add(s);
      break;
    }
  }
  if (collapsed === undefined || !lumped) return;
  follow(scheduler, maybe.difference(leaving), mdp.attract(maybe, leaving, collapsed.rows).choices);
}

function follow(scheduler: Uint32Array, states: BitSet, choices: Uint32Array): void {
  for (const s of states) scheduler[s] = choices[s];
}

/** For each state of `set`, a row that stays in the set if there is one, else the state's first row. */
function stayingRows(mdp: EngineMdp, groupStart: Uint32Array, set: BitSet): Uint32Array {
  const inside = mdp.rowsInside(set);
  const choices = groupStart.slice(0, set.size);
  for (const s of set) {
    let row = groupStart[s];
    while (row < groupStart[s + 1] && !inside.has(row)) row++;
    if (row < groupStart[s + 1]) choices[s] = row;
  }
  return choices;
}

function earnsIn(earned: Bounds, groupStart: Uint32Array, s: number): boolean {
  for (let row = groupStart[s]; row < groupStart[s + 1]; row++) if (earned.upper[row] > 0) return true;
  return false;
}
