import { setU32, u32At } from "../memory";
import { Chain } from "./csr";

/** Fills the predecessor lists of a chain. */
export function transpose(chain: Chain): void {
  transposeRows(chain.states, chain.rowStart, chain.columns, chain.states, chain.predecessorStart, chain.predecessors);
}

/**
 * Lists for each of `states` columns the rows that hold it: those of t are predecessors[starts[t]] .. predecessors[starts[t
 * + 1] - 1]. A counting sort of the entries by column, so predecessors ascend. `starts`: u32[states + 1].
 */
export function transposeRows(
  rows: u32,
  rowStart: usize,
  columns: usize,
  states: u32,
  starts: usize,
  predecessors: usize
): void {
  const entries = u32At(rowStart, rows);
  memory.fill(starts, 0, (<usize>states + 1) << 2);
  for (let e: u32 = 0; e < entries; ++e) {
    const column = u32At(columns, e);
    setU32(starts, column, u32At(starts, column) + 1);
  }
  // starts[t] becomes the end of t's list and moves to its start while the list fills from behind.
  let total: u32 = 0;
  for (let t: u32 = 0; t < states; ++t) {
    total += u32At(starts, t);
    setU32(starts, t, total);
  }
  setU32(starts, states, total);
  for (let row = rows; row-- > 0; ) {
    const end = u32At(rowStart, row + 1);
    for (let e = u32At(rowStart, row); e < end; ++e) {
      const column = u32At(columns, e);
      const place = u32At(starts, column) - 1;
      setU32(starts, column, place);
      setU32(predecessors, place, row);
    }
  }
}
