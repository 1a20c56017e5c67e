import { BitSet } from '../../../bindings/solvers/kernel/bitSet.js';
import type { Players } from '../../../bindings/solvers/kernel/engine.js';
import type { IntervalRows } from '../../../bindings/solvers/kernel/intervalRows.js';
import { exactSum } from '../../../bindings/solvers/kernel/twoSum.js';

/** Whether an entry can be positive. In a row that is no point, every entry can. */
export function possible(model: IntervalRows, entry: number): boolean {
  return model.upper[entry] > 0;
}

/**
 * Whether some distribution of the row stays in a set: no lower bound forces it out, the upper bounds inside leave room for
 * everything, and the ball lets go of what its centre has outside, which may be the radius, or, if the centre sums to more than 1,
 * that much more. Sums are exact: who can stay by less than a rounding can stay. A point, whose sum may miss 1, stays if what is
 * possible does.
 */
export function canStay(model: IntervalRows, row: number, inside: (state: number) => boolean): boolean {
  const { rowStart, columns, lower, upper, centre, radius } = model;
  const staying: number[] = [];
  const leaving: number[] = [];
  for (let e = rowStart[row]; e < rowStart[row + 1]; e++) {
    if (inside(columns[e])) staying.push(e);
    else if (lower[e] > 0) return false;
    else if (possible(model, e)) leaving.push(e);
  }
  if (leaving.length === 0) return true;
  const room = exactSum(staying.map((e) => upper[e]));
  // Lost is at most the radius, or by no more than the centre exceeds 1.
  const lost = exactSum([1, radius[row], ...leaving.map((e) => -centre[e])]);
  const kept = exactSum([radius[row], ...staying.map((e) => centre[e])]);
  return room.rest <= 0 && (lost.rest <= 0 || kept.rest <= 0);
}

/** States with a row, or with only rows, that the scheduler would choose if `good` rows are good for a maximiser. */
function chooses(
  model: IntervalRows,
  s: number,
  { schedulerMax }: Players,
  good: (row: number) => boolean,
): boolean {
  for (let row = model.rowGroupStart[s]; row < model.rowGroupStart[s + 1]; row++) {
    if (good(row) === schedulerMax) return schedulerMax;
  }
  return !schedulerMax;
}

/**
 * The least set with `target` and all states of `remain` that `enters` adds, which is asked again whenever a successor has
 * been added.
 */
function attract(
  predecessors: readonly (readonly number[])[],
  remain: BitSet,
  target: BitSet,
  enters: (s: number, reached: BitSet) => boolean,
): BitSet {
  const reached = target.clone();
  const frontier = [...target];
  for (let t = frontier.pop(); t !== undefined; t = frontier.pop()) {
    for (const s of predecessors[t]) {
      if (reached.has(s) || !remain.has(s) || !enters(s, reached)) continue;
      reached.add(s);
      frontier.push(s);
    }
  }
  return reached;
}

export function predecessorsOf(model: IntervalRows): number[][] {
  const { states, rowGroupStart, rowStart, columns } = model;
  const predecessors = Array.from({ length: states }, (): number[] => []);
  for (let s = 0; s < states; s++) {
    for (let e = rowStart[rowGroupStart[s]]; e < rowStart[rowGroupStart[s + 1]]; e++) {
      if (possible(model, e) && predecessors[columns[e]].at(-1) !== s) predecessors[columns[e]].push(s);
    }
  }
  return predecessors;
}

/**
 * States where the players can keep the probability at 0: all but those from which the target is reached with a positive one.
 * A row gives a positive chance of reaching a set if some entry into it is possible, or, if nature minimises, if no distribution
 * stays outside. Where no positive chance is left, the minimising players stay outside for ever.
 */
export function prob0(
  model: IntervalRows,
  predecessors: readonly (readonly number[])[],
  remain: BitSet,
  target: BitSet,
  players: Players,
): BitSet {
  const positive = attract(predecessors, remain, target, (s, reached) =>
    chooses(model, s, players, (row) => mayEnter(model, row, reached, players)),
  );
  return positive.complement();
}

function mayEnter(model: IntervalRows, row: number, set: BitSet, { natureMax }: Players): boolean {
  if (!natureMax) return !canStay(model, row, (t) => !set.has(t));
  const { rowStart, columns } = model;
  for (let e = rowStart[row]; e < rowStart[row + 1]; e++) {
    if (possible(model, e) && set.has(columns[e])) return true;
  }
  return false;
}

/**
 * States where the probability is 1, by `allowed` rows: the greatest set X from all of whose states the target is reached with a positive chance
 * without ever leaving X. A row stays in X surely if some distribution does, or, if nature minimises, if no entry out of X is
 * possible. If a distribution stays in X at all, one does that also takes any given possible entry within X: where the mass
 * comes from has more than its lower bound, or the row would be a point; and a ball that is used up has given some entry more
 * than its centre.
 */
export function prob1(
  model: IntervalRows,
  predecessors: readonly (readonly number[])[],
  remain: BitSet,
  target: BitSet,
  players: Players,
  allowed: (row: number) => boolean = () => true,
): BitSet {
  let safe = BitSet.full(model.states);
  while (true) {
    const within = safe;
    const certain = attract(predecessors, remain, target, (s, reached) =>
      chooses(
        model,
        s,
        players,
        (row) =>
          allowed(row) && staysIn(model, row, within, players) && mayEnter(model, row, reached, players),
      ),
    );
    if (certain.equals(safe)) return certain;
    safe = certain;
  }
}

export function staysIn(model: IntervalRows, row: number, set: BitSet, { natureMax }: Players): boolean {
  if (natureMax) return canStay(model, row, (t) => set.has(t));
  const { rowStart, columns } = model;
  for (let e = rowStart[row]; e < rowStart[row + 1]; e++) {
    if (possible(model, e) && !set.has(columns[e])) return false;
  }
  return true;
}

/** Strongly connected components, successors first (Kosaraju), of the graph that `successors` gives on some states. */
export function componentsOf(
  states: readonly number[],
  successors: (s: number, visit: (t: number) => void) => void,
): number[][] {
  const forward = new Map<number, number[]>(states.map((s) => [s, []]));
  const backward = new Map<number, number[]>(states.map((s) => [s, []]));
  for (const s of states) {
    successors(s, (t) => {
      if (!forward.has(t)) return;
      forward.get(s)!.push(t);
      backward.get(t)!.push(s);
    });
  }
  const finished: number[] = [];
  const seen = new Set<number>();
  for (const root of states) {
    if (seen.has(root)) continue;
    seen.add(root);
    const path = [{ state: root, next: 0 }];
    while (path.length > 0) {
      const top = path[path.length - 1];
      const t = forward.get(top.state)![top.next++];
      if (t === undefined) {
        finished.push(top.state);
        path.pop();
      } else if (!seen.has(t)) {
        seen.add(t);
        path.push({ state: t, next: 0 });
      }
    }
  }
  const place = new Map(finished.map((s, i) => [s, i]));
  const found: number[][] = [];
  const taken = new Set<number>();
  for (const root of finished.toReversed()) {
    if (taken.has(root)) continue;
    taken.add(root);
    const members = [root];
    for (let i = 0; i < members.length; i++) {
      for (const s of backward.get(members[i])!) {
        if (taken.has(s)) continue;
        taken.add(s);
        members.push(s);
      }
    }
    found.push(members.sort((a, b) => place.get(a)! - place.get(b)!));
  }
  return found.reverse();
}
