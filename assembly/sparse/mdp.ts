import { setU32, u32At } from "../memory";
import { Status } from "../status";
import { checkRow, packRow } from "./csr";
import { transposeRows } from "./transpose";

/**
 * A Markov decision process. State s chooses among rows groupStart[s] .. groupStart[s + 1] - 1; each row is prepared like
 * that of a chain: off-diagonal entries, their sum `exit`, and `stay`. A row without entries stays for ever.
 */
@unmanaged
export class Mdp {
  states: u32;
  rows: u32;
  transitions: u32;
  /** The state and row that `checkMdp` refused. */
  faultyState: u32;
  faultyRow: u32;
  /** u32[states + 1] */
  groupStart: usize;
  /** u32[rows + 1] */
  rowStart: usize;
  /** u32[rows] */
  stateOf: usize;
  /** u32[transitions] */
  columns: usize;
  /** f64[transitions] */
  values: usize;
  /** f64[rows], as of a chain */
  exit: usize;
  /** f64[rows], as of a chain */
  stay: usize;
  /** u32[states + 1] */
  predecessorStart: usize;
  /** u32[transitions]: rows with an entry for a state */
  predecessors: usize;
}

/** No row, no state, no component. */
export const NONE: u32 = 0xffffffff;

const STRUCT: usize = (offsetof<Mdp>() + 7) & ~7;

/** Bytes that an MDP needs, as a double: the number may be beyond what can be addressed. */
export function mdpBytes(states: u32, rows: u32, transitions: u32): f64 {
  return <f64>STRUCT + 8 * <f64>states + 24 * <f64>rows + 16 * <f64>transitions + 12;
}

/** Lays out an MDP in a block of `mdpBytes` bytes. The caller then fills row groups, row starts, columns and values. */
export function layOutMdp(block: usize, states: u32, rows: u32, transitions: u32): Mdp {
  const mdp = changetype<Mdp>(block);
  mdp.states = states;
  mdp.rows = rows;
  mdp.transitions = transitions;
  mdp.values = block + STRUCT;
  mdp.exit = mdp.values + (<usize>transitions << 3);
  mdp.stay = mdp.exit + (<usize>rows << 3);
  mdp.groupStart = mdp.stay + (<usize>rows << 3);
  mdp.rowStart = mdp.groupStart + ((<usize>states + 1) << 2);
  mdp.stateOf = mdp.rowStart + ((<usize>rows + 1) << 2);
  mdp.predecessorStart = mdp.stateOf + (<usize>rows << 2);
  mdp.columns = mdp.predecessorStart + ((<usize>states + 1) << 2);
  mdp.predecessors = mdp.columns + (<usize>transitions << 2);
  return mdp;
}

export function mdpGroupStartOf(mdp: Mdp): usize {
  return mdp.groupStart;
}

export function mdpRowStartOf(mdp: Mdp): usize {
  return mdp.rowStart;
}

export function mdpColumnsOf(mdp: Mdp): usize {
  return mdp.columns;
}

export function mdpValuesOf(mdp: Mdp): usize {
  return mdp.values;
}

export function mdpFaultyStateOf(mdp: Mdp): u32 {
  return mdp.faultyState;
}

export function mdpFaultyRowOf(mdp: Mdp): u32 {
  return mdp.faultyRow;
}

/** Whether each state has a choice and each choice is a distribution; what is wrong is left in `faultyState` and `faultyRow`. */
export function checkMdp(mdp: Mdp): Status {
  mdp.faultyState = 0;
  mdp.faultyRow = 0;
  if (u32At(mdp.groupStart, 0) != 0) return Status.RowGroup;
  if (u32At(mdp.rowStart, 0) != 0) return Status.RowStart;
  let row: u32 = 0;
  let start: u32 = 0;
  for (let s: u32 = 0; s < mdp.states; ++s) {
    mdp.faultyState = s;
    const groupEnd = u32At(mdp.groupStart, s + 1);
    if (groupEnd < row || groupEnd > mdp.rows) return Status.RowGroup;
    if (groupEnd == row) return Status.EmptyGroup;
    for (; row < groupEnd; ++row) {
      mdp.faultyRow = row;
      const end = u32At(mdp.rowStart, row + 1);
      if (end < start || end > mdp.transitions) return Status.RowStart;
      const status = checkRow(mdp.columns, mdp.values, start, end, mdp.states);
      if (status != Status.Ok) return status;
      setU32(mdp.stateOf, row, s);
      start = end;
    }
  }
  if (row != mdp.rows) return Status.RowGroup;
  return start == mdp.transitions ? Status.Ok : Status.RowStart;
}

/** Turns checked rows into off-diagonal entries, exits and predecessors, in place. */
export function prepareMdp(mdp: Mdp): void {
  let from: u32 = 0;
  let to: u32 = 0;
  for (let row: u32 = 0; row < mdp.rows; ++row) {
    const end = u32At(mdp.rowStart, row + 1);
    setU32(mdp.rowStart, row, to);
    to = packRow(mdp.columns, mdp.values, u32At(mdp.stateOf, row), from, end, to, mdp.exit, mdp.stay, row);
    from = end;
  }
  setU32(mdp.rowStart, mdp.rows, to);
  mdp.transitions = to;
  transposeRows(mdp.rows, mdp.rowStart, mdp.columns, mdp.states, mdp.predecessorStart, mdp.predecessors);
}
