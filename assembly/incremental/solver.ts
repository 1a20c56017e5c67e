import { has, wordsOf } from "../bitSet";
import { componentsScratchBytes, NONE } from "../graph/scc";
import { setU32, u32At } from "../memory";
import { eliminationBytes } from "../solve/elimination";
import { SMALL, Until } from "../solve/until";
import { Chain } from "../sparse/csr";
import { transposeRows } from "../sparse/transpose";
import { layOutPending, Pending, pendingBytes } from "./pending";

/**
 * A solved until problem whose chain can be changed. Its chain and problem are those that all solvers work on, with room to
 * grow:
 *
 * - A row that becomes longer moves to the end of the entries; where rows end is listed (`chain.rowEnd`).
 * - Predecessors are those of the rows when the block was filled, and a linked list of those that came later. Neither forgets a
 *   transition that was removed: predecessors only say whom a change may concern.
 * - Components that are found again get new numbers above all others, and their states new places at the end of `until.order`.
 *   An entry of the list whose states say that they belong elsewhere is no component any more.
 *
 * What no longer counts is left behind when everything moves to a larger block.
 */
@unmanaged
export class Solver {
  until: Until;
  /** For how many states, entries, links, and places of `until.order` there is room. */
  stateRoom: u32;
  entryRoom: u32;
  linkRoom: u32;
  placeRoom: u32;
  entriesUsed: u32;
  linksUsed: u32;
  components: u32;
  /** How many states `chain.predecessorStart` knows. */
  listed: u32;
  /** u32[states]: the first link of a state, NONE if there is none. */
  firstLink: usize;
  /** Per link the predecessor, and the next link. */
  links: usize;

  // What is needed only during an update.
  /** f64[2 * states]: the bounds that a state in `moved` had before. */
  before: usize;
  moved: usize;
  movedList: usize;
  movedCount: u32;
  /** States whose rows changed, and those whose changes concern the graph. */
  changedList: usize;
  changedCount: u32;
  seedCount: u32;
  /** States upstream of the seeds; the list holds only seeds before that is looked at. */
  upstream: usize;
  upstreamList: usize;
  upstreamCount: u32;
  /** The component that an upstream state belonged to. */
  former: usize;
  /** Components that have to be solved whatever their successors do. */
  dirty: usize;
  /** Components to look at, successors first. */
  pending: Pending;
  solvedStates: u32;
  solvedComponents: u32;
}

/** Takes memory from a block piece by piece, each aligned to 8 bytes. */
let free: usize = 0;

function piece(bytes: usize): usize {
  const at = free;
  free += (bytes + 7) & ~7;
  return at;
}

/** Bytes of a solver with room for as many states, entries, links, and places of components. */
export function solverBytes(states: u32, entries: u32, links: u32, places: u32): f64 {
  const sets = 8 * 8 * <f64>(wordsOf(states) + 1);
  const components = 8 * <f64>(places + 2) + 4 * <f64>wordsOf(places) + 8 + pendingBytes(places);
  return (
    1024 +
    eliminationBytes(SMALL) +
    sets +
    components +
    // exit, stay, bounds, before; rowStart, rowEnd, predecessorStart, firstLink, componentOf, former, three lists
    (16 + 32 + 9 * 4) * (<f64>states + 2) +
    componentsScratchBytes(states) +
    16 * (<f64>entries + 1) +
    8 * (<f64>links + 1)
  );
}

/** Lays out a solver without states in a block of `solverBytes` bytes. */
export function layOutSolver(block: usize, states: u32, entries: u32, links: u32, places: u32): Solver {
  const words = <usize>states << 2;
  const set = <usize>wordsOf(states) << 2;
  const dirty = <usize>wordsOf(places) << 2;
  free = block;
  const solver = changetype<Solver>(piece(offsetof<Solver>()));
  memory.fill(block, 0, offsetof<Solver>());
  const until = changetype<Until>(piece(offsetof<Until>()));
  const chain = changetype<Chain>(piece(offsetof<Chain>()));
  solver.until = until;
  solver.stateRoom = states;
  solver.entryRoom = entries;
  solver.linkRoom = links;
  solver.placeRoom = places;

  chain.values = piece(<usize>entries << 3);
  chain.exit = piece(words << 1);
  chain.stay = piece(words << 1);
  chain.rowStart = piece(words + 4);
  chain.rowEnd = piece(words);
  chain.columns = piece(<usize>entries << 2);
  chain.predecessorStart = piece(words + 4);
  chain.predecessors = piece(<usize>entries << 2);

  until.chain = chain;
  until.matrix = piece(<usize>eliminationBytes(SMALL));
  until.bounds = piece(words << 2);
  until.order = piece(<usize>places << 2);
  until.start = piece((<usize>places + 1) << 2);
  until.componentOf = piece(words);
  until.scratch = piece(<usize>componentsScratchBytes(states));
  until.remain = piece(set);
  until.target = piece(set);
  until.zero = piece(set);
  until.one = piece(set);
  until.maybe = piece(set);

  solver.firstLink = piece(words);
  solver.links = piece(<usize>links << 3);
  solver.before = piece(words << 2);
  solver.moved = piece(set);
  solver.movedList = piece(words);
  solver.changedList = piece(words);
  solver.upstream = piece(set);
  solver.upstreamList = piece(words);
  solver.former = piece(words);
  solver.dirty = piece(dirty);
  solver.pending = layOutPending(piece(<usize>pendingBytes(places)), places);
  memory.fill(solver.moved, 0, set);
  memory.fill(solver.upstream, 0, set);
  memory.fill(solver.dirty, 0, dirty);
  return solver;
}

/** Copies a solved problem with `components` components into a solver with enough room, without gaps. */
export function adopt(solver: Solver, from: Until, components: u32): void {
  const to = solver.until;
  const states = from.chain.states;
  copyRows(to.chain, from.chain);
  for (let s: u32 = 0; s < states; ++s) setU32(to.chain.rowEnd, s, u32At(to.chain.rowStart, s + 1));
  solver.entriesUsed = to.chain.transitions;
  solver.listed = states;
  memory.fill(solver.firstLink, 0xff, <usize>states << 2);

  const set = <usize>wordsOf(states) << 2;
  memory.copy(to.bounds, from.bounds, <usize>states << 4);
  memory.copy(to.remain, from.remain, set);
  memory.copy(to.target, from.target, set);
  memory.copy(to.zero, from.zero, set);
  memory.copy(to.one, from.one, set);
  memory.copy(to.maybe, from.maybe, set);

  memory.fill(to.componentOf, 0xff, <usize>states << 2);
  let place: u32 = 0;
  for (let c: u32 = 0; c < components; ++c) {
    const first = u32At(from.start, c);
    const last = u32At(from.start, c + 1);
    if (u32At(from.componentOf, u32At(from.order, first)) != c) continue;
    setU32(to.start, solver.components, place);
    for (let i = first; i < last; ++i) {
      const s = u32At(from.order, i);
      setU32(to.order, place++, s);
      setU32(to.componentOf, s, solver.components);
    }
    ++solver.components;
  }
  setU32(to.start, solver.components, place);
}

/** Copies the rows of a chain without gaps, and lists predecessors anew. `to.rowEnd` is the caller's. */
export function copyRows(to: Chain, from: Chain): void {
  const states = from.states;
  let end: u32 = 0;
  for (let s: u32 = 0; s < states; ++s) {
    const start = u32At(from.rowStart, s);
    const length = u32At(from.rowEnd, s) - start;
    setU32(to.rowStart, s, end);
    memory.copy(to.columns + (<usize>end << 2), from.columns + (<usize>start << 2), <usize>length << 2);
    memory.copy(to.values + (<usize>end << 3), from.values + (<usize>start << 3), <usize>length << 3);
    end += length;
  }
  setU32(to.rowStart, states, end);
  memory.copy(to.exit, from.exit, <usize>states << 3);
  memory.copy(to.stay, from.stay, <usize>states << 3);
  to.states = states;
  to.transitions = end;
  transposeRows(states, to.rowStart, to.columns, states, to.predecessorStart, to.predecessors);
}

/** Whether there is room for so many further states, and entries of rows. */
export function hasRoom(solver: Solver, states: u32, entries: u32): bool {
  const chain = solver.until.chain;
  return (
    <u64>chain.states + states <= <u64>solver.stateRoom &&
    <u64>solver.entriesUsed + entries <= <u64>solver.entryRoom &&
    <u64>solver.linksUsed + entries <= <u64>solver.linkRoom &&
    <u64>u32At(solver.until.start, solver.components) + chain.states + states <= <u64>solver.placeRoom
  );
}

export function untilOf(solver: Solver): Until {
  return solver.until;
}

/** The bounds before the update, of components that the caller solves. */
export function boundsBefore(solver: Solver): usize {
  return solver.before;
}

export function chainOfUntil(until: Until): Chain {
  return until.chain;
}

export function chainOf(solver: Solver): Chain {
  return solver.until.chain;
}

export function componentsOf(solver: Solver): u32 {
  return solver.components;
}

export function componentSize(solver: Solver, component: u32): u32 {
  return u32At(solver.until.start, component + 1) - u32At(solver.until.start, component);
}

/** Entries in use, without gaps. */
export function entriesOf(chain: Chain): u32 {
  let entries: u32 = 0;
  for (let s: u32 = 0; s < chain.states; ++s) entries += u32At(chain.rowEnd, s) - u32At(chain.rowStart, s);
  return entries;
}

export function solvedStatesOf(solver: Solver): u32 {
  return solver.solvedStates;
}

export function solvedComponentsOf(solver: Solver): u32 {
  return solver.solvedComponents;
}

/** Whether a state's value is decided by its membership alone, whatever its row. */
// @ts-ignore: decorator
@inline
export function isFixed(until: Until, s: u32): bool {
  return has(until.target, s) || !has(until.remain, s);
}

/** Lists `s` as a predecessor of `t`. */
export function link(solver: Solver, s: u32, t: u32): void {
  const at = solver.linksUsed++;
  setU32(solver.links, 2 * at, s);
  setU32(solver.links, 2 * at + 1, u32At(solver.firstLink, t));
  setU32(solver.firstLink, t, at);
}

/** Where the predecessors of `t` start, for `predecessorAt`: places of the first list, then links. */
// @ts-ignore: decorator
@inline
export function firstPredecessor(solver: Solver, t: u32): u64 {
  if (t < solver.listed) {
    const chain = solver.until.chain;
    const start = u32At(chain.predecessorStart, t);
    if (start < u32At(chain.predecessorStart, t + 1)) return start;
  }
  return firstLinkOf(solver, t);
}

/** Past the last predecessor. */
export const LAST: u64 = (<u64>1 << 32) | <u64>NONE;

// @ts-ignore: decorator
@inline
export function predecessorAt(solver: Solver, place: u64): u32 {
  return place >>> 32 ? u32At(solver.links, 2 * <u32>place) : u32At(solver.until.chain.predecessors, <u32>place);
}

// @ts-ignore: decorator
@inline
export function nextPredecessor(solver: Solver, t: u32, place: u64): u64 {
  if (place >>> 32) return (<u64>1 << 32) | <u64>u32At(solver.links, 2 * <u32>place + 1);
  return <u32>place + 1 < u32At(solver.until.chain.predecessorStart, t + 1) ? place + 1 : firstLinkOf(solver, t);
}

// @ts-ignore: decorator
@inline
function firstLinkOf(solver: Solver, t: u32): u64 {
  return (<u64>1 << 32) | <u64>u32At(solver.firstLink, t);
}
