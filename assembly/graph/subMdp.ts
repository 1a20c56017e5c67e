import { add, has, remove, wordsOf } from "../bitSet";
import { setU32, u32At } from "../memory";
import { Mdp } from "../sparse/mdp";

/**
 * What is left of an MDP while states and rows are taken away: a row goes when one of its successors does, a state when its
 * last row does, unless it is spared. Everything is taken at most once, so all of it costs time linear in the transitions.
 */
@unmanaged
export class SubMdp {
  mdp: Mdp;
  /** States that never go for want of rows. */
  spared: usize;
  /** States left. */
  states: usize;
  /** Rows left. A state taken by `takeState` alone keeps its own, which nobody comes to take. */
  rows: usize;
  /** u32[states]: how many rows each state has left. */
  choices: usize;
  /** u32[states]: states taken whose predecessors have not been told, `waiting` of them. */
  taken: usize;
  waiting: u32;
}

const STRUCT: usize = (offsetof<SubMdp>() + 7) & ~7;

/** Bytes of a remainder's block. */
export function subMdpBytes(states: u32, rows: u32): f64 {
  return <f64>STRUCT + 8 * <f64>states + 8 * <f64>wordsOf(states) + 4 * <f64>wordsOf(rows);
}

/** The part of an MDP on `subset` that rows among `rows` cannot leave. */
export function layOutSubMdp(block: usize, mdp: Mdp, subset: usize, rows: usize, spared: usize): SubMdp {
  const left = changetype<SubMdp>(block);
  const set = <usize>wordsOf(mdp.states) << 2;
  left.mdp = mdp;
  left.choices = block + STRUCT;
  left.taken = left.choices + (<usize>mdp.states << 2);
  left.states = left.taken + (<usize>mdp.states << 2);
  left.spared = left.states + set;
  left.rows = left.spared + set;
  left.waiting = 0;
  memory.copy(left.states, subset, set);
  memory.copy(left.spared, spared, set);
  memory.fill(left.rows, 0, <usize>wordsOf(mdp.rows) << 2);
  memory.fill(left.choices, 0, <usize>mdp.states << 2);

  for (let row: u32 = 0; row < mdp.rows; ++row) {
    const s = u32At(mdp.stateOf, row);
    if (!has(subset, s) || !has(rows, row) || !staysIn(mdp, row, subset)) continue;
    add(left.rows, row);
    setU32(left.choices, s, u32At(left.choices, s) + 1);
  }
  for (let s: u32 = 0; s < mdp.states; ++s) {
    if (has(subset, s) && u32At(left.choices, s) == 0 && !has(spared, s)) takeState(left, s);
  }
  closeUnderRemoval(left);
  return left;
}

/** Whether all successors of a row are in a set. */
export function staysIn(mdp: Mdp, row: u32, set: usize): bool {
  const end = u32At(mdp.rowStart, row + 1);
  for (let e = u32At(mdp.rowStart, row); e < end; ++e) {
    if (!has(set, u32At(mdp.columns, e))) return false;
  }
  return true;
}

/** Puts the rows of states of `subset` that cannot leave it into `result` (one bit a row). */
export function rowsInside(mdp: Mdp, subset: usize, result: usize): void {
  memory.fill(result, 0, <usize>wordsOf(mdp.rows) << 2);
  for (let row: u32 = 0; row < mdp.rows; ++row) {
    if (has(subset, u32At(mdp.stateOf, row)) && staysIn(mdp, row, subset)) add(result, row);
  }
}

/** Takes a state that is left; `closeUnderRemoval` takes what follows from it. */
export function takeState(left: SubMdp, s: u32): void {
  remove(left.states, s);
  setU32(left.taken, left.waiting++, s);
}

/** Takes a row that is left; `closeUnderRemoval` takes what follows from it. */
export function takeRow(left: SubMdp, row: u32): void {
  const s = u32At(left.mdp.stateOf, row);
  remove(left.rows, row);
  if (!has(left.states, s)) return;
  const choices = u32At(left.choices, s) - 1;
  setU32(left.choices, s, choices);
  if (choices == 0 && !has(left.spared, s)) takeState(left, s);
}

/** Takes all rows into states taken, and the states that lose their last row by it. */
export function closeUnderRemoval(left: SubMdp): void {
  const mdp = left.mdp;
  while (left.waiting > 0) {
    const t = u32At(left.taken, --left.waiting);
    const end = u32At(mdp.predecessorStart, t + 1);
    for (let e = u32At(mdp.predecessorStart, t); e < end; ++e) {
      const row = u32At(mdp.predecessors, e);
      if (has(left.rows, row)) takeRow(left, row);
    }
  }
}
