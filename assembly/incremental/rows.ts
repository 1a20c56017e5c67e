import { add, has } from "../bitSet";
import { NONE } from "../graph/scc";
import { f64At, setF64, setU32, u32At } from "../memory";
import { packRow } from "../sparse/csr";
import { put } from "./pending";
import { isFixed, link, Solver } from "./solver";

/** What replacing a row does to its state. */
const SAME: u32 = 0;
const VALUES: u32 = 1;
/** Its component has to be looked at, and no other if that stays what it is. */
const COMPONENT: u32 = 2;
/** Everything upstream has to be looked at. */
const GRAPH: u32 = 3;

/**
 * Replaces the rows of `count` states by checked ones, given with their diagonal entries, which are moved about. Solver
 * has room for them. Notes what `reviseGraph` then has to look at.
 */
export function replaceRows(solver: Solver, count: u32, rows: usize, rowStart: usize, columns: usize, values: usize): void {
  for (let i: u32 = 0; i < count; ++i) {
    const s = u32At(rows, i);
    const start = u32At(rowStart, i);
    const chain = solver.until.chain;
    const end = packRow(columns, values, s, start, u32At(rowStart, i + 1), start, chain.exit, chain.stay, s);
    const change = compare(solver, s, columns, values, start, end);
    if (change == SAME) continue;
    write(solver, s, columns, values, start, end);
    if (!isFixed(solver.until, s)) noteChange(solver, s, change);
  }
}

/** Adds `count` states with their rows; `remain` and `target` are sets over them alone. */
export function addStates(
  solver: Solver,
  count: u32,
  remain: usize,
  target: usize,
  rowStart: usize,
  columns: usize,
  values: usize
): void {
  const until = solver.until;
  const chain = until.chain;
  const first = chain.states;
  chain.states += count;
  for (let i: u32 = 0; i < count; ++i) {
    const s = first + i;
    setU32(solver.firstLink, s, NONE);
    setU32(until.componentOf, s, NONE);
    setU32(chain.rowStart, s, 0);
    setU32(chain.rowEnd, s, 0);
    setMember(until.remain, s, has(remain, i));
    setMember(until.target, s, has(target, i));
    // Until the graph is looked at, a state that is not decided by itself counts as one that never reaches the target.
    const reached = has(target, i);
    setMember(until.one, s, reached);
    setMember(until.zero, s, !reached);
    setMember(until.maybe, s, false);
    setMember(solver.moved, s, false);
    setMember(solver.upstream, s, false);
    setF64(until.bounds, 2 * s, reached ? 1 : 0);
    setF64(until.bounds, 2 * s + 1, reached ? 1 : 0);
  }
  for (let i: u32 = 0; i < count; ++i) {
    const s = first + i;
    const start = u32At(rowStart, i);
    const end = packRow(columns, values, s, start, u32At(rowStart, i + 1), start, chain.exit, chain.stay, s);
    for (let e = start; e < end; ++e) link(solver, s, u32At(columns, e));
    write(solver, s, columns, values, start, end);
    if (!isFixed(until, s)) noteChange(solver, s, GRAPH);
  }
}

function setMember(set: usize, s: u32, member: bool): void {
  const word = u32At(set, s >>> 5) & ~(1 << (s & 31));
  setU32(set, s >>> 5, word | ((<u32>member) << (s & 31)));
}

function noteChange(solver: Solver, s: u32, change: u32): void {
  const component = u32At(solver.until.componentOf, s);
  if (component != NONE) add(solver.dirty, component);
  setU32(solver.changedList, solver.changedCount++, s);
  if (change == COMPONENT) put(solver.pending, component);
  else if (change == GRAPH) setU32(solver.upstreamList, solver.seedCount++, s);
}

/**
 * Compares the new entries of a state with its row, both in ascending order, and links those added. The graph upstream need not
 * be looked at where no state can become certain or uncertain and components stay in their order:
 * - the state is uncertain, and each transition that comes leads to a certain state, or to a component that is not solved later;
 *   if transitions go, its component may still fall apart, or have no way left to one side;
 * - the state never reaches the target, and transitions that come lead to such states;
 * - the state surely reaches the target, no transition goes, and those that come lead to such states.
 * Should several rows change at once, a path that makes a state certain or uncertain would still need a first change that
 * breaks one of these rules.
 */
function compare(solver: Solver, s: u32, columns: usize, values: usize, start: u32, end: u32): u32 {
  const until = solver.until;
  const chain = until.chain;
  const component = u32At(until.componentOf, s);
  const never = has(until.zero, s);
  const surely = has(until.one, s);
  const lastOld = u32At(chain.rowEnd, s);
  let old = u32At(chain.rowStart, s);
  let same = true;
  let gone = false;
  let graph = false;
  for (let e = start; e < end; ++e) {
    const t = u32At(columns, e);
    for (; old < lastOld && u32At(chain.columns, old) < t; ++old) {
      gone = true;
    }
    if (old < lastOld && u32At(chain.columns, old) == t) {
      if (f64At(values, e) != f64At(chain.values, old)) same = false;
      ++old;
      continue;
    }
    same = false;
    link(solver, s, t);
    if (never) {
      if (!has(until.zero, t)) graph = true;
    } else if (surely) {
      if (!has(until.one, t)) graph = true;
    } else if (has(until.maybe, t) && u32At(until.componentOf, t) > component) graph = true;
  }
  if (old < lastOld) gone = true;
  if (gone && surely) graph = true;
  if (graph) return GRAPH;
  if (gone) return never ? VALUES : COMPONENT;
  return same ? SAME : VALUES;
}

/** Writes a row in place of the old one, or behind all others if it has become longer. */
function write(solver: Solver, s: u32, columns: usize, values: usize, start: u32, end: u32): void {
  const chain = solver.until.chain;
  const length = end - start;
  const oldLength = u32At(chain.rowEnd, s) - u32At(chain.rowStart, s);
  if (length > oldLength) {
    setU32(chain.rowStart, s, solver.entriesUsed);
    solver.entriesUsed += length;
  }
  const at = u32At(chain.rowStart, s);
  setU32(chain.rowEnd, s, at + length);
  memory.copy(chain.columns + (<usize>at << 2), columns + (<usize>start << 2), <usize>length << 2);
  memory.copy(chain.values + (<usize>at << 3), values + (<usize>start << 3), <usize>length << 3);
}
